package topk_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// Begin with the solution for a larger Lambda.
func ExampleProblem_start() {
	data := samples.Ionosphere[float64]()
	p := topk.Problem[float64]{X: data.X, Y: data.Y}
	first, err := p.Fit(context.Background(), topk.Config{Lambda: .011})
	if err != nil {
		log.Fatal(err)
	}
	cold, err := p.Fit(context.Background(), topk.Config{Lambda: .01})
	if err != nil {
		log.Fatal(err)
	}
	p.Start = first
	warm, err := p.Fit(context.Background(), topk.Config{Lambda: .01})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(warm.Status, "with fewer visits of examples:", warm.Visits < cold.Visits)
	// Output: converged with fewer visits of examples: true
}

// Which topics a document is about, any number of them: one classifier against all for each.
func ExampleProblem_squaredHinge() {
	words := vec.MatrixOf(5, 3, []float64{
		2, 0, 0,
		0, 2, 0,
		0, 0, 2,
		1, 0, 1,
		1, 1, 0,
	})
	p := topk.Problem[float64]{
		X:    &dataset.Dense[float64]{Matrix: words},
		Sets: [][]int{{0}, {1}, {2}, {0, 2}, {0, 1}},
	}
	r, err := p.Fit(context.Background(), topk.Config{Loss: topk.SquaredHinge, Lambda: .001, Bias: 1})
	if err != nil {
		log.Fatal(err)
	}
	others := vec.MatrixOf(3, 3, []float64{
		0, 3, 0,
		0, 1, 1,
		0, 0, 1,
	})
	topics, err := solvers.LabelSets(r, &dataset.Dense[float64]{Matrix: others}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(topics)
	// Output: [[1] [1 2] [2]]
}

// The model answers with the labels of the file.
func ExampleProblem_names() {
	text := "weight,length,kind\n2,1,cat\n-1,1,dog\n3,0,cat\n0,1,dog\n"
	data, err := dataset.ReadCSV[float32](strings.NewReader(text), "pets.csv", dataset.CSVOptions{})
	if err != nil {
		log.Fatal(err)
	}
	p := topk.Problem[float32]{X: data.X, Y: data.Y, Names: data.Classes}
	r, err := p.Fit(context.Background(), topk.Config{Lambda: .01})
	if err != nil {
		log.Fatal(err)
	}
	class := r.Linear.Predict([]float32{4, 1})
	fmt.Println("class", class, "of", r.Names(), "is", r.Names()[class])
	// Output: class 0 of [cat dog] is cat
}
