package svm_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// Radar returns that are good, class 1, or bad.
func ExampleFit() {
	radar := samples.Ionosphere[float64]()
	r, err := svm.Fit(context.Background(), radar.X, radar.Y, svm.Config{Loss: svm.SquaredHinge, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	guesses, err := solvers.Predict(r, radar.X, 0)
	if err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.Accuracy(guesses, radar.Y)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, %.1f%% right\n", r.Status, 100*accuracy)
	// Output: converged, 92.9% right
}

// The quality of wines by their measurements.
func ExampleRegress() {
	wine := samples.RedWine[float64]()
	scaling, err := dataset.Standardize(wine.X)
	if err != nil {
		log.Fatal(err)
	}
	x, err := wine.X.Scaled(scaling)
	if err != nil {
		log.Fatal(err)
	}
	r, err := svm.Regress(context.Background(), x, wine.Values, svm.Config{Epsilon: .1, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	predicted := vec.NewMatrix[float64](x.Rows, 1)
	if err := r.Scores(predicted, x, nil); err != nil {
		log.Fatal(err)
	}
	off, err := metrics.MeanAbsoluteError(predicted.Data, wine.Values)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, off by %.2f\n", r.Status, off)
	// Output: converged, off by 0.49
}

// What is unlike the examples is outside.
func ExampleOneClass() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(5, 2, []float64{3, 3, 3, 4, 4, 3, 4, 4, 3.5, 3.5})}
	k, err := kernel.New[float64](x, kernel.Gaussian{Gamma: .5}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	p := svm.Problem[float64]{Kernel: k, OneClass: true}
	r, err := p.Fit(context.Background(), svm.Config{Nu: .1})
	if err != nil {
		log.Fatal(err)
	}
	others := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 2, []float64{3.4, 3.6, 0, 0, 9, 3})}
	scores := vec.NewMatrix[float64](3, 1)
	if err := r.Scores(scores, others, nil); err != nil {
		log.Fatal(err)
	}
	for i := range scores.Rows {
		fmt.Println("inside:", scores.Row(i)[0] >= 0)
	}
	// Output:
	// inside: true
	// inside: false
	// inside: false
}

// The penalty leaves an offset alone: targets far from 0 cost no more than others.
func ExampleConfig_offset() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{0, 1, 2, 3})}
	targets := []float64{1000, 1002, 1004, 1006}
	for _, c := range []svm.Config{{Bias: 1}, {Offset: true}} {
		c.C, c.Epsilon = 10, .1
		r, err := svm.Regress(context.Background(), x, targets, c)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.1f x + %.1f\n", r.Linear.Weights().Row(0)[0], r.Linear.Bias()[0])
	}
	// Output:
	// 60.0 x + 40.0
	// 1.9 x + 1000.1
}

// A curve by a Gaussian kernel.
func ExampleProblem_kernel() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(5, 1, []float64{-2, -1, 0, 1, 2})}
	k, err := kernel.New[float64](x, kernel.Gaussian{Gamma: .5}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	p := svm.Problem[float64]{Kernel: k, Targets: []float64{4, 1, 0, 1, 4}} // squares
	r, err := p.Fit(context.Background(), svm.Config{C: 1000, Epsilon: .1})
	if err != nil {
		log.Fatal(err)
	}
	predicted := vec.NewMatrix[float64](5, 1)
	if err := r.Scores(predicted, x, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.1f\n", predicted.Data)
	// Output: [3.9 1.1 -0.1 1.1 3.9]
}

// Choose C and epsilon by cross-validation.
func ExampleProblem_Path() {
	wine := samples.RedWine[float32]()
	scaling, err := dataset.Standardize(wine.X)
	if err != nil {
		log.Fatal(err)
	}
	x, err := wine.X.Scaled(scaling)
	if err != nil {
		log.Fatal(err)
	}
	p := svm.Problem[float32]{X: x, Targets: wine.Values}
	path := svm.PathConfig{Cs: []float64{1e-2, 1}, Epsilons: []float64{2, .2},
		CrossValidation: solvers.CrossValidation{Folds: 3}}
	points, err := p.Path(context.Background(), svm.Config{Bias: 1, Tol: .01}, path)
	if err != nil {
		log.Fatal(err)
	}
	best := points[solvers.Best(points, 0)] // the mean squared error
	fmt.Printf("C %v, epsilon %v: R² %.2f\n", best.C, best.Epsilon, best.Measures[2].Mean)
	// Output: C 1, epsilon 0.2: R² 0.34
}

// A model's file knows its classes.
func ExampleOpen() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{-2, -1, 1, 2})}
	p := svm.Problem[float64]{X: x, Y: []int{0, 0, 1, 1}, Names: []string{"ham", "spam"}}
	r, err := p.Fit(context.Background(), svm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	read, err := model.Read[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	m, err := svm.Open(read)
	if err != nil {
		log.Fatal(err)
	}
	classes, err := solvers.Predict(m, x, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Classes[classes[0]], m.Classes[classes[3]])
	// Output: ham spam
}

// Stop a training after its second epoch, and go on with its state later.
func ExampleProblem_Resume() {
	radar := samples.Ionosphere[float64]()
	p := svm.Problem[float64]{X: radar.X, Y: radar.Y}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var state bytes.Buffer // or a file
	stopped := svm.Config{Progress: func(p solvers.Progress) {
		if p.Epoch == 2 {
			cancel()
		}
	}}
	stopped.Checkpoint.Save = func(write func(io.Writer) error) error {
		state.Reset()
		return write(&state)
	}
	early, err := p.Fit(ctx, stopped)
	fmt.Println(early.Status, "after", early.Epochs, "epochs:", err)
	late, err := p.Resume(context.Background(), &state, svm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	never, err := p.Fit(context.Background(), svm.Config{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("with the bits of a training that never stopped:", slices.Equal(late.Duals.Data, never.Duals.Data))
	// Output:
	// canceled after 2 epochs: context canceled
	// with the bits of a training that never stopped: true
}
