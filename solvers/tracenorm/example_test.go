package tracenorm_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// digits returns images of 8 by 8 digits with numbers from 0 to 1, the last 300 to test on.
func digits() (x, test *dataset.Dense[float64], y, truth []int) {
	data := samples.Digits[float64]()
	vec.Scale(1./16, data.X.Data)
	n, _ := data.X.Dims()
	return data.X.Window(0, n-300), data.X.Window(n-300, n), data.Y[:n-300], data.Y[n-300:]
}

// Train on digits, and classify others.
func ExampleFit() {
	x, test, y, truth := digits()
	r, err := tracenorm.Fit(context.Background(), x, y, tracenorm.Config{Lambda1: .05, Lambda2: .001, Tol: 1e-3})
	if err != nil {
		log.Fatal(err)
	}
	classes, err := solvers.Predict(r.Model, test, 0)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, c := range classes {
		if c == truth[i] {
			right++
		}
	}
	fmt.Println("certified:", r.Certificate.RelativeGap() <= 1e-3)
	fmt.Println("a rank of 9 at most for 10 classes:", len(r.Spectrum) <= 9)
	fmt.Println("more than 4 of 5 right:", right > 240)
	// Output:
	// certified: true
	// a rank of 9 at most for 10 classes: true
	// more than 4 of 5 right: true
}

// Look at a grid of weights of the penalties, and choose by cross-validation.
func ExampleProblem_Path() {
	x, test, y, truth := digits()
	p := tracenorm.Problem[float64]{X: x, Y: y}
	points, err := p.Path(context.Background(), tracenorm.Config{Tol: .01}, tracenorm.PathConfig{
		Lambda1s: []float64{.1, .01}, Lambda2s: []float64{.01, .001},
		CrossValidation: solvers.CrossValidation{Folds: 3}, Tops: 2,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range points {
		fmt.Printf("lambda1 %g, lambda2 %g: %v\n", q.Lambda1, q.Lambda2, q.Result.Status)
	}
	best := points[solvers.Best(points, 0)]
	scores := vec.NewMatrix[float64](300, 10)
	if err := best.Result.Scores(scores, test, nil); err != nil {
		log.Fatal(err)
	}
	accuracy, err := metrics.TopK(scores, truth, 2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("best: lambda1 %g, lambda2 %g\n", best.Lambda1, best.Lambda2)
	fmt.Println("more than 4 of 5 right:", best.Measures[0].Mean > .8 && accuracy[0] > .8)
	// Output:
	// lambda1 0.1, lambda2 0.01: converged
	// lambda1 0.1, lambda2 0.001: converged
	// lambda1 0.01, lambda2 0.001: converged
	// lambda1 0.01, lambda2 0.01: converged
	// best: lambda1 0.01, lambda2 0.001
	// more than 4 of 5 right: true
}

// What the model says of each class for an example.
func Example_probabilities() {
	x, test, y, truth := digits()
	r, err := tracenorm.Fit(context.Background(), x, y, tracenorm.Config{Lambda1: .01})
	if err != nil {
		log.Fatal(err)
	}
	p, err := solvers.Probabilities(r.Model, test, 0)
	if err != nil {
		log.Fatal(err)
	}
	sum := 0.0
	for _, v := range p.Row(0) {
		sum += v
	}
	fmt.Printf("they sum to %.6f\n", sum)
	fmt.Printf("of the true class of the first example, a %d, it is above 1/2: %t\n", truth[0], p.Row(0)[truth[0]] > .5)
	// Output:
	// they sum to 1.000000
	// of the true class of the first example, a 6, it is above 1/2: true
}

// A model in a file: its factors, its offsets, and how its training ended.
func Example_save() {
	x, test, y, _ := digits()
	r, err := tracenorm.Fit(context.Background(), x, y, tracenorm.Config{Lambda1: .1})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.Model.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	m, err := linear.ReadLowRank[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	a, b := vec.NewMatrix[float64](300, 10), vec.NewMatrix[float64](300, 10)
	if err := r.Scores(a, test, nil); err != nil {
		log.Fatal(err)
	}
	if err := m.Scores(b, test, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println("by", m.Notes()["solver"]+", of the same rank:", m.Rank() == len(r.Spectrum))
	fmt.Println("the same scores:", fmt.Sprint(a.Data) == fmt.Sprint(b.Data))
	// Output:
	// by tracenorm, of the same rank: true
	// the same scores: true
}

// Stop a training after its third epoch, and go on with its state later.
func ExampleProblem_Resume() {
	x, _, y, _ := digits()
	p, c := tracenorm.Problem[float64]{X: x, Y: y}, tracenorm.Config{Lambda1: .05, Lambda2: .001, Workers: 1}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var state bytes.Buffer // or a file
	stopped := c
	stopped.Progress = func(p solvers.Progress) {
		if p.Epoch == 3 {
			cancel()
		}
	}
	stopped.Checkpoint.Save = func(write func(io.Writer) error) error {
		state.Reset()
		return write(&state)
	}
	early, err := p.Fit(ctx, stopped)
	fmt.Println(early.Status, "after", early.Epochs, "epochs:", err)

	late, err := p.Resume(context.Background(), &state, c)
	if err != nil {
		log.Fatal(err)
	}
	never, err := p.Fit(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(late.Status, "with the certificate of a training that never stopped:",
		late.Certificate == never.Certificate)
	// Output:
	// canceled after 3 epochs: context canceled
	// converged with the certificate of a training that never stopped: true
}
