package predictor_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// must returns v, or ends the program where there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

// fruit is the file of a model that tells apples from pears by their length and width.
func fruit() *bytes.Reader {
	m := must(linear.New(vec.MatrixOf(2, 2, []float32{-1, 1, 1, -1}), nil, []string{"apple", "pear"}))
	var file bytes.Buffer
	must(m.WithNotes(map[string]string{predictor.NoteFeatures: "length,width"}).WriteTo(&file))
	return bytes.NewReader(file.Bytes())
}

// One example: as numbers in order, as sparse numbers, by the names of the features.
func ExampleRead() {
	p := must(predictor.Read(fruit()))
	fmt.Println(p.Classes(), p.Features())
	q := must(p.Predict([]float64{9, 6}))
	fmt.Println(q.Label, q.Scores)
	q = must(p.PredictSparse([]int{1}, []float64{6}))
	fmt.Println(q.Label, q.Scores)
	q = must(p.PredictNamed(map[string]float64{"width": 7, "length": 7.5}))
	fmt.Println(q.Label, q.Scores)
	_, err := p.PredictNamed(map[string]float64{"width": 7})
	fmt.Println(err)
	// Output:
	// [apple pear] [length width]
	// pear [-3 3]
	// apple [6 -6]
	// pear [-0.5 0.5]
	// predictor: the feature "length" is missing
}

// Images of clothing, all at once, by a model that knows how they are to be scaled.
func ExampleOpen() {
	train, test := samples.FashionMNIST[float32]()
	r := must(topk.Fit(context.Background(), train.X, train.Y, topk.Config{Lambda: .01}))
	path := filepath.Join(must(os.MkdirTemp("", "")), "model.dg")
	defer os.RemoveAll(filepath.Dir(path))
	file := must(os.Create(path))
	named := must(linear.New(r.Linear.Weights(), r.Linear.Bias(), train.Classes))
	must(named.WriteTo(file))
	file.Close()

	p := must(predictor.Open(path))
	predictions := must(p.PredictBatch(nil, test.X, 0))
	guesses := make([]int, len(predictions))
	for i, q := range predictions {
		guesses[i] = q.Class
	}
	fmt.Printf("%.0f%% right\n", 100*must(metrics.Accuracy(guesses, test.Y)))
	fmt.Println(must(p.TopK(predictions[0], 3)))
	// Output:
	// 83% right
	// [Ankle boot Sneaker Bag]
}

// Rows and predictions are used again: for many requests nothing is allocated that grows with them.
func ExamplePredictor_NewRows() {
	p := must(predictor.Read(fruit()))
	rows := p.NewRows()
	var predictions []predictor.Prediction
	for _, request := range [][][]float64{{{9, 6}, {7, 7.5}}, {{5, 5.5}}} {
		rows.Reset()
		for _, row := range request {
			if err := rows.Add(row); err != nil {
				log.Fatal(err)
			}
		}
		predictions = must(p.PredictBatch(predictions, rows, 1))
		for _, q := range predictions {
			fmt.Println(q.Label)
		}
	}
	// Output:
	// pear
	// apple
	// apple
}

// A model that was just trained needs no file.
func ExampleNew() {
	train, test := samples.FashionMNIST[float32]()
	r := must(topk.Fit(context.Background(), train.X, train.Y, topk.Config{Lambda: .01, Tol: .1}))
	p := must(predictor.New(&model.Model[float32]{Linear: r.Linear}))
	q := must(p.Predict32(test.X.Row(0)))
	fmt.Println(q.Label, train.Classes[q.Class])
	// Output: 9 Ankle boot
}

// Labels from thresholds of their own on, and probabilities of a calibration: both among the notes of a model.
func ExampleFormatThresholds() {
	m := must(linear.New(vec.MatrixOf(2, 2, []float32{1, 0, 0, 1}), nil, []string{"news", "sport"}))
	calibration := must(solvers.ParseCalibration("sigmoid slope 1"))
	notes := calibration.Note(map[string]string{
		predictor.NoteTask:       predictor.Sets,
		predictor.NoteThresholds: predictor.FormatThresholds([]float64{-1, 2}),
	})
	p := must(predictor.New(&model.Model[float32]{Linear: m.WithNotes(notes)}))
	q := must(p.Predict([]float64{0, 1}))
	fmt.Printf("%v %.2f\n", q.Labels, q.Probabilities)
	// Output: [news] [0.50 0.73]
}
