package linear_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

func ExampleNew() {
	// Three outputs of two features: a row of W for each feature.
	w := vec.MatrixOf(2, 3, []float64{
		1, 0, -1,
		0, 1, -1,
	})
	m, err := linear.New(w, []float64{0, 0, .5}, []string{"right", "up", "back"})
	if err != nil {
		log.Fatal(err)
	}
	scores := make([]float64, 3)
	m.ScoresOf(scores, []float64{1, 2})
	fmt.Println(scores, m.Names()[m.Predict([]float64{1, 2})])
	// Output: [1 2 -2.5] up
}

func ExampleModel_WriteTo() {
	m, err := linear.New(vec.MatrixOf(2, 2, []float32{1, 0, 0, 1}), nil, []string{"cat", "dog"})
	if err != nil {
		log.Fatal(err)
	}
	m = m.WithNotes(map[string]string{"lambda": "0.01"})
	var file bytes.Buffer // or a file
	if _, err := m.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	same, err := linear.Read[float32](&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(same.Names(), same.Weights().Data, same.Notes())
	// Output: [cat dog] [1 0 0 1] map[lambda:0.01]
}
