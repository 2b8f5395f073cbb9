package solvers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Probabilities of a margin model: a temperature by scores of examples that the trainings had left out, which goes into
// the model's file among its notes.
func ExampleFitTemperature() {
	data, ctx := samples.Digits[float32](), context.Background()
	problem := topk.Problem[float32]{X: data.X, Y: data.Y, Names: data.Classes}
	c := topk.Config{Lambda: 1, Tol: .01}
	held := solvers.NewHeldOut(len(data.Y))
	if _, err := problem.Path(ctx, c, topk.PathConfig{
		Lambdas: []float64{c.Lambda},
		CrossValidation: solvers.CrossValidation{Folds: 5, FoldsOnly: true,
			Measures: []solvers.Measure{held.Measure()}},
	}); err != nil {
		log.Fatal(err)
	}
	scores, err := held.Scores()
	if err != nil {
		log.Fatal(err)
	}
	temperature, err := solvers.FitTemperature(scores, solvers.Truth{Y: data.Y})
	if err != nil {
		log.Fatal(err)
	}
	r, err := problem.Fit(ctx, c)
	if err != nil {
		log.Fatal(err)
	}
	m := r.WithNotes(temperature.Note(r.Notes()))
	p, err := solvers.CalibratedProbabilities(m, temperature, data.X, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("too cautious: %v; the first digit is 0 with probability %.1f\n", temperature.Temperature() < 1,
		p.Row(0)[0])
	// Output:
	// too cautious: true; the first digit is 0 with probability 1.0
}

// Of one output: 10 examples whose scores tell positive ones apart but for two.
func ExampleFitPlatt() {
	scores := vec.MatrixOf(10, 1, []float64{-3, -2, -2, -1, 1, -1, 1, 2, 2, 3})
	positive := []bool{false, false, false, false, false, true, true, true, true, true}
	platt, err := solvers.FitPlatt(scores, solvers.Truth{Positive: positive})
	if err != nil {
		log.Fatal(err)
	}
	p := []float64{0}
	for _, s := range []float64{-2, 0, 2} {
		platt.Apply(p, []float64{s})
		fmt.Printf("%2v: %.2f\n", s, p[0])
	}
	// Output:
	// -2: 0.22
	//  0: 0.50
	//  2: 0.78
}

func ExampleCalibratedProbabilities() {
	w := vec.MatrixOf(2, 2, []float64{1, 0, 0, 1}) // scores are the features
	m, err := linear.New(w, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	half, err := solvers.ParseCalibration("softmax slope 0.5")
	if err != nil {
		log.Fatal(err)
	}
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(2, 2, []float64{2, 0, 1, 3})}
	p, err := solvers.CalibratedProbabilities(m, half, x, 0)
	if err != nil {
		log.Fatal(err)
	}
	for i := range p.Rows {
		fmt.Printf("%.3f\n", p.Row(i))
	}
	// Output:
	// [0.731 0.269]
	// [0.269 0.731]
}

// The calibration that a model's notes have, as a file keeps it.
func ExampleCalibrationOf() {
	c, err := solvers.CalibrationOf(map[string]string{"calibration": "sigmoid slope 2 1 offset -1 0"})
	if err != nil {
		log.Fatal(err)
	}
	p := make([]float64, 2)
	c.Apply(p, []float64{.5, 0})
	fmt.Println(c.Link, p)
	// Output: sigmoid [0.5 0.5]
}

// The scores that a path of two costs leaves are of its last one, unless Points names the other.
func ExampleHeldOut() {
	data := samples.Ionosphere[float64]()
	held := solvers.NewHeldOut(len(data.Y))
	path := topk.PathConfig{
		Lambdas: []float64{.1, .01},
		CrossValidation: solvers.CrossValidation{Folds: 3, FoldsOnly: true, Points: []int{0},
			Measures: []solvers.Measure{held.Measure()}},
	}
	points, err := topk.Problem[float64]{X: data.X, Y: data.Y}.Path(context.Background(), topk.Config{}, path)
	if err != nil {
		log.Fatal(err)
	}
	scores, err := held.Scores()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("lambda %v: %d-by-%d scores\n", points[0].Lambda, scores.Rows, scores.Cols)
	// Output: lambda 0.1: 351-by-2 scores
}
