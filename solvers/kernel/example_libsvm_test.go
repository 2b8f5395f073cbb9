package kernel_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// A model for svm-predict, of the examples with a label and those without.
func ExampleExpansion_WriteLIBSVM() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{-1, 0, 0, 0, 1, 2})}
	k, err := kernel.New(design.Matrix[float64](x), kernel.Gaussian{Gamma: .5}, 0)
	if err != nil {
		log.Fatal(err)
	}
	m, err := kernel.NewExpansion(k, vec.MatrixOf(3, 1, []float64{-.25, 0, .25}), []string{"car"})
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder // or a file
	if err := m.WriteLIBSVM(&file, 0, [2]int{1, -1}); err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.ReplaceAll(file.String(), " \n", "\n")) // LIBSVM's lines of support vectors end in a blank
	// Output:
	// svm_type c_svc
	// kernel_type rbf
	// gamma 0.5
	// nr_class 2
	// total_sv 2
	// rho 0
	// label 1 -1
	// nr_sv 1 1
	// SV
	// 0.25 1:1 2:2
	// -0.25 1:-1
}

// svm-predict says the first label where the score is above rho.
func ExampleReadLIBSVM() {
	text := `svm_type c_svc
kernel_type linear
nr_class 2
total_sv 2
rho 0.5
label 1 -1
nr_sv 1 1
SV
1 1:2
-1 2:1
`
	m, labels, rho, err := kernel.ReadLIBSVM[float64](strings.NewReader(text), 0)
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float64](2, 1)
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 2, []float64{1, 0, 1, 1.5})}
	if err := m.Scores(scores, design.Matrix[float64](x), nil); err != nil {
		log.Fatal(err)
	}
	for _, s := range scores.Data {
		label := labels[1]
		if s > rho {
			label = labels[0]
		}
		fmt.Println(s, label)
	}
	// Output:
	// 2 1
	// 0.5 -1
}
