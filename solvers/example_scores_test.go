package solvers_test

import (
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// first returns a model whose two scores are the two features.
func first() *linear.Model[float64] {
	m, err := linear.New(vec.MatrixOf(2, 2, []float64{1, 0, 0, 1}), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// three examples of two features.
func three() design.Matrix[float64] {
	return &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{1, 0, 0, 1, 2, 1})}
}

func ExampleTopK() {
	best, err := solvers.TopK(first(), three(), 1, 0)
	fmt.Println(best, err)
	// Output: [[0] [1] [0]] <nil>
}

// The softmax of the scores: probabilities, where the model was trained with that loss.
func ExampleProbabilities() {
	p, err := solvers.Probabilities(first(), three(), 0)
	if err != nil {
		log.Fatal(err)
	}
	for i := range p.Rows {
		fmt.Printf("%.2f\n", p.Row(i))
	}
	// Output:
	// [0.73 0.27]
	// [0.27 0.73]
	// [0.73 0.27]
}

func ExampleRank() {
	best := make([]int, 2)
	solvers.Rank(best, []float64{.1, .7, .2})
	fmt.Println(best)
	// Output: [1 2]
}

func ExampleCheckScores() {
	err := solvers.CheckScores(vec.NewMatrix[float64](3, 5), first(), three(), nil)
	fmt.Println(err)
	// Output: solvers: a 3-by-5 matrix for the scores of 3 examples for 2 outputs
}

func ExampleCheckNames() {
	fmt.Println(solvers.CheckNames([]string{"cat", "dog"}, 2), solvers.CheckNames([]string{"cat", "cat"}, 2))
	// Output: <nil> solvers: outputs 0 and 1 have the same name "cat"
}

func ExampleCertificate() {
	c := solvers.Certificate{Primal: 2.5, Dual: 2}
	fmt.Println(c.Gap(), c.RelativeGap())
	fmt.Println(c)
	// Output:
	// 0.5 0.2
	// primal 2.5, dual 2, relative gap 2.0e-01
}

func ExampleOutcome() {
	o := solvers.Outcome{
		Status: solvers.Converged, Certificate: solvers.Certificate{Primal: .4821, Dual: .4818}, Tol: 1e-3,
		Epochs: 31, ModelEpoch: 31, Passes: 8.2,
	}
	fmt.Println(o)
	// Output: converged after 31 epochs, 8.2 passes: primal 0.4821, dual 0.4818, relative gap 6.2e-04
}

// Folds of examples with sets of labels, where the examples of one group stay together.
func ExampleStrata_Folds() {
	s := solvers.Strata{Sets: [][]int{{0}, {0}, {1}, {1}}, Groups: []int{1, 2, 1, 2}}
	fold, err := s.Folds(2, 1)
	fmt.Println(fold[0] == fold[2], fold[1] == fold[3], fold[0] != fold[1], err)
	// Output: true true true <nil>
}

// Of any part from the start on, half are of class 1.
func ExampleStrata_Order() {
	s := solvers.Strata{Y: []int{0, 0, 0, 0, 1, 1, 1, 1}}
	order, err := s.Order(1)
	if err != nil {
		log.Fatal(err)
	}
	ones := 0
	for _, i := range order[:4] {
		ones += s.Y[i]
	}
	fmt.Println(len(order), "examples,", ones, "of class 1 among the first four")
	// Output: 8 examples, 2 of class 1 among the first four
}
