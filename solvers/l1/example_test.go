package l1_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/vec"
)

// spam returns e-mails by 57 features from 0 to 1, and which of them are spam.
func spam() (*dataset.Dense[float64], []int) {
	set := samples.Spambase[float64]()
	scaling, err := dataset.MinMax(set.X)
	if err != nil {
		log.Fatal(err)
	}
	x, err := set.X.Scaled(scaling)
	if err != nil {
		log.Fatal(err)
	}
	return x, set.Y
}

// Which features tell spam from other e-mails, by logistic regression?
func ExampleFit() {
	x, y := spam()
	r, err := l1.Fit(context.Background(), x, y, l1.Config{C: .1, Loss: l1.Logistic, Bias: 1, Tol: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	classes, err := solvers.Predict(r.Model, x, 0)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, c := range classes {
		if c == y[i] {
			right++
		}
	}
	fmt.Println("certified:", r.Certificate.RelativeGap() <= 1e-6)
	fmt.Printf("%d features of 57, %.0f%% right\n", r.Nonzeros(), 100*float64(right)/float64(len(y)))
	// Output:
	// certified: true
	// 19 features of 57, 85% right
}

// The more the losses weigh, the more features have a weight: from none to all that help.
func ExampleProblem_Path() {
	x, y := spam()
	p := l1.Problem[float64]{X: x, Y: y}
	c := l1.Config{Bias: 1}
	largest, err := p.LargestC(c)
	if err != nil {
		log.Fatal(err)
	}
	points, err := p.Path(context.Background(), c, l1.PathConfig{
		Cs:              []float64{largest / 2, 10 * largest, 30 * largest, 300 * largest},
		CrossValidation: solvers.CrossValidation{Folds: 3},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range points {
		fmt.Printf("%d features, accuracy %.2f\n", q.Result.Nonzeros(), q.Measures[0].Mean)
	}
	// Output:
	// 0 features, accuracy 0.61
	// 1 features, accuracy 0.61
	// 13 features, accuracy 0.77
	// 41 features, accuracy 0.89
}

// One chain of a path, as another machine may run it.
func ExampleProblem_PathFold() {
	x, y := spam()
	p := l1.Problem[float64]{X: x, Y: y}
	path := l1.PathConfig{Cs: []float64{.01, .1}, CrossValidation: solvers.CrossValidation{Folds: 2}}
	points, err := p.PathFold(context.Background(), l1.Config{}, path, 1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(points), "points without part 1")
	// Output: 2 points without part 1
}

// Stop, and go on later from the state.
func ExampleProblem_Resume() {
	x, y := spam()
	p := l1.Problem[float64]{X: x, Y: y}
	var state bytes.Buffer
	ctx, stop := context.WithCancel(context.Background())
	c := l1.Config{C: 10, Loss: l1.Logistic, Tol: 1e-8, Progress: func(solvers.Progress) { stop() },
		Checkpoint: solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
			state.Reset()
			return write(&state)
		}}}
	r, err := p.Fit(ctx, c)
	fmt.Println(r.Status, err)
	c.Progress = nil
	r, err = p.Resume(context.Background(), &state, c)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status)
	// Output:
	// canceled context canceled
	// converged
}

// The largest C at which no feature has a weight.
func ExampleProblem_LargestC() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 2, []float64{1, 0, 2, 0, 0, 1, 0, 3})}
	p := l1.Problem[float64]{X: x, Y: []int{1, 1, 0, 0}}
	c, err := p.LargestC(l1.Config{Loss: l1.SquaredHinge})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c) // 1 over 2 (1 + 3)
	// Output: 0.125
}
