package m3l_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// Animals are black or not and have fur or not. Of those to learn from, every black one has fur; of those to come it is
// known that what is black has none. The prior says so, and where an example leaves it open what decides is that.
func ExampleProblem_prior() {
	p := m3l.Problem[float64]{
		X: &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 3, []float64{ // dark, hairy, large
			1, 1, 1,
			1, 1, 0,
			0, 0, 1,
			0, 1, 0,
		})},
		Sets:  [][]int{{0, 1}, {0, 1}, {}, {1}},
		Names: []string{"black", "fur"},
	}
	raven := &dataset.Dense[float64]{Matrix: vec.MatrixOf(1, 3, []float64{1, 0, 0})}
	for _, known := range []bool{false, true} {
		if known {
			// a class that is black without fur, one with fur that is not
			toCome := vec.MatrixOf(2, 2, []float64{1, -1, -1, 1})
			r, err := m3l.Prior(toCome, nil, .5)
			if err != nil {
				log.Fatal(err)
			}
			p.R = r
		}
		r, err := p.Fit(context.Background(), m3l.Config{C: 1})
		if err != nil {
			log.Fatal(err)
		}
		sets, err := solvers.LabelSets(r, design.Matrix[float64](raven), 0)
		if err != nil {
			log.Fatal(err)
		}
		for _, l := range sets[0] {
			fmt.Print(r.Names()[l], " ")
		}
		fmt.Println("with a prior:", known)
	}
	// Output:
	// black fur with a prior: false
	// black with a prior: true
}

// A loss of one's own: to have a label too many is five times as bad as to miss one, so that a label is given where it
// is certain.
func ExampleProblem_margins() {
	y := [][]int{{}, {}, {0}, {}, {0}, {0}, {0}}
	p := m3l.Problem[float64]{
		X:    &dataset.Dense[float64]{Matrix: vec.MatrixOf(7, 1, []float64{-3, -2, -1, 1, 2, 3, 4})},
		Sets: y,
	}
	for range 2 {
		r, err := p.Fit(context.Background(), m3l.Config{Bias: 1})
		if err != nil {
			log.Fatal(err)
		}
		sets, err := solvers.LabelSets(r, p.X, 0)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(sets)
		p.Margins = func(i int, plus, minus []float64) {
			if plus[0], minus[0] = 0, 5; len(y[i]) > 0 {
				minus[0] = 1
			}
		}
	}
	// Output:
	// [[] [] [] [0] [0] [0] [0]]
	// [[] [] [] [] [0] [0] [0]]
}
