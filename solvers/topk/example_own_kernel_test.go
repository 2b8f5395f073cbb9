package topk_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// A kernel of one's own: the letters that two words share. Texts have no features; the model needs the support vectors
// alone.
func Example_ownKernel() {
	words := []string{"aab", "abab", "bba", "ccd", "dcd", "cdc", "eff", "fef", "eef"}
	y := []int{0, 0, 0, 1, 1, 1, 2, 2, 2}
	common := func(v, w string) (sum float64) { // sum over letters of the product of their counts
		for _, a := range v {
			for _, b := range w {
				if a == b {
					sum++
				}
			}
		}
		return sum
	}
	values := func(rows, columns []string) vec.Matrix[float64] {
		k := vec.NewMatrix[float64](len(rows), len(columns))
		for i := range rows {
			for j := range columns {
				k.Row(i)[j] = common(rows[i], columns[j])
			}
		}
		return k
	}
	k, err := kernel.Precomputed(values(words, words))
	if err != nil {
		log.Fatal(err)
	}
	r, err := topk.Problem[float64]{Kernel: k, Y: y}.Fit(context.Background(), topk.Config{Lambda: .1, Tol: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	var support []string
	for _, i := range r.Kernel.Support() {
		support = append(support, words[i])
	}
	m := r.Kernel.OnSupport() // its examples are given by their values with the support vectors
	x := &dataset.Dense[float64]{Matrix: values([]string{"baba", "dddc", "fee"}, support)}
	guesses, err := solvers.Predict(m, x, 0)
	if err != nil {
		log.Fatal(err)
	}
	features, _ := m.Dims()
	fmt.Println(guesses, features == len(support), len(support) < len(words))
	// Output: [0 1 2] true true
}
