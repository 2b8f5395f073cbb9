package linear_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// A model for liblinear-predict, whose classes 0 and 1 have the labels -1 and +1 there.
func ExampleModel_WriteLIBLINEAR() {
	m, err := linear.New(vec.MatrixOf(2, 2, []float64{-.5, .5, 2, -2}), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder // or a file
	if err := m.WriteLIBLINEAR(&file, linear.LIBLINEAROptions{Labels: []int{-1, 1}}); err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.ReplaceAll(file.String(), " \n", "\n")) // LIBLINEAR's lines of weights end in a blank
	// Output:
	// solver_type MCSVM_CS
	// nr_class 2
	// label 1 -1
	// nr_feature 2
	// bias -1
	// w
	// 0.5 -0.5
	// -2 2
}

// One of several labels that an example may have, as LIBLINEAR's model of the examples with it and those without.
func ExampleModel_WriteLIBLINEAROutput() {
	m, err := linear.New(vec.MatrixOf(2, 3, []float64{-.5, .5, 0, 2, -2, 1}), nil, []string{"road", "car", "sky"})
	if err != nil {
		log.Fatal(err)
	}
	var file strings.Builder // or a file
	if err := m.WriteLIBLINEAROutput(&file, 1, [2]int{1, -1}, linear.L2RL1LossSVCDual); err != nil {
		log.Fatal(err)
	}
	fmt.Print(strings.ReplaceAll(file.String(), " \n", "\n"))
	// Output:
	// solver_type L2R_L1LOSS_SVC_DUAL
	// nr_class 2
	// label 1 -1
	// nr_feature 2
	// bias -1
	// w
	// 0.5
	// -2
}

// LIBLINEAR has one column for two classes: its first label belongs to positive scores, here class 1.
func ExampleReadLIBLINEAR() {
	text := "solver_type L2R_L2LOSS_SVC_DUAL\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n0.5\n-2\n0.25\n"
	m, labels, err := linear.ReadLIBLINEAR[float64](strings.NewReader(text))
	if err != nil {
		log.Fatal(err)
	}
	class := m.Predict([]float64{3, .5})
	fmt.Println("class", class, "has the label", labels[class], "and the offsets are", m.Bias())
	// Output: class 1 has the label 1 and the offsets are [0 0.25]
}
