package m3l_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"slices"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// How far another program's model is from the optimum: its primal value against a dual value, below which no model is.
// The file is what liblinear-train -s 3 -c .1 -e 1e-12 leaves of Spambase, after 1000 iterations, its most: it prints a
// warning, and exits with 0.
func ExampleProblem_liblinear() {
	data := samples.Spambase[float64]()
	sets := make([][]int, len(data.Y)) // one label: spam
	for i, class := range data.Y {
		if data.Classes[class] == "1" {
			sets[i] = []int{0}
		}
	}
	const c = .1
	r, err := m3l.Fit(context.Background(), design.Matrix[float64](data.X), sets,
		m3l.Config{C: c, Loss: m3l.Hinge, Labels: 1, Epochs: 10000})
	if err != nil {
		log.Fatal(err)
	}

	file, err := os.Open("testdata/spambase-liblinear.txt")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	theirs, labels, err := linear.ReadLIBLINEAR[float64](file)
	if err != nil {
		log.Fatal(err)
	}
	spam := slices.Index(labels, 1)
	scores := vec.NewMatrix[float64](len(sets), len(labels))
	if err := theirs.Scores(scores, data.X, nil); err != nil {
		log.Fatal(err)
	}
	w, primal := theirs.Weights(), 0. // 1/2 |w|² + C sum_i max(0, 1 - y_i s_i)
	for j := range w.Rows {
		primal += w.Row(j)[spam] * w.Row(j)[spam] / 2
	}
	for i := range sets {
		s := scores.Row(i)[spam]
		if len(sets[i]) == 0 {
			s = -s
		}
		primal += c * math.Max(0, 1-s)
	}

	ours := r.Certificate // ours.Dual <= optimum <= ours.Primal
	fmt.Printf("LIBLINEAR: primal %.1f, at least %.0f%% above the optimum\n", primal, 100*(primal/ours.Primal-1))
	fmt.Printf("m3l: relative gap <= 1e-3: %v\n", ours.RelativeGap() <= 1e-3)
	// Output:
	// LIBLINEAR: primal 139.5, at least 20% above the optimum
	// m3l: relative gap <= 1e-3: true
}
