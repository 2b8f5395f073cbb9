package topk_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// leastSquares is 1/2 |s - e_y|², whose conjugate is <z, e_y> + 1/2 |z|², and whose dual term so is a_y - |a|²/(2 r).
type leastSquares struct{}

func (leastSquares) Traits() loss.Traits { return loss.Traits{Name: "least squares", AllMove: true} }

func (l leastSquares) With(int, float64) (loss.Loss[float64], error) { return l, nil }

func (leastSquares) Primal(s []float64, y []int, _ *loss.Workspace[float64]) float64 {
	return (vec.SquaredNorm(s) + 1 - 2*s[y[0]]) / 2
}

func (leastSquares) Dual(a []float64, y []int, r float64, _ *loss.Workspace[float64]) float64 {
	return a[y[0]] - vec.SquaredNorm(a)/(2*r)
}

// Update goes to where the slope e_y - a/r - s - h (a - before) is 0.
func (leastSquares) Update(a, s []float64, y []int, h, r float64, delta []float64, _ *loss.Workspace[float64]) bool {
	for c := range a {
		delta[c] = -s[c] - a[c]/r
		if c == y[0] {
			delta[c]++
		}
		delta[c] /= h + 1/r
		a[c] += delta[c]
	}
	return true
}

func (l leastSquares) Visit(a, s []float64, y []int, h, r, term, least float64, delta []float64,
	w *loss.Workspace[float64]) (gap, after float64, moved bool) {
	return loss.Visit(l, a, s, y, h, r, term, least, delta, w)
}

// Every block is in the domain, and so is every multiple of it.
func (leastSquares) Repair([]float64, []int, float64, *loss.Workspace[float64]) {}
func (leastSquares) Reach([]float64, []int, float64) float64                    { return math.Inf(1) }

// A loss of one's own. Here it is least squares, whose optimum is known: (XᵀX + n lambda I) W = Xᵀ E.
func Example_ownLoss() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{1, 2, -1, -2})}
	p := topk.Problem[float64]{X: x, Y: []int{0, 0, 1, 1}, Loss: leastSquares{}}
	r, err := p.Fit(context.Background(), topk.Config{Lambda: .5, Tol: 1e-12})
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float64](1, 2)
	if err := r.Scores(scores, &dataset.Dense[float64]{Matrix: vec.MatrixOf(1, 1, []float64{1})}, nil); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, W = %.4f, the optimum is %.4f\n", r.Status, scores.Row(0), 3./(10+4*.5))
	fmt.Println("proved:", r.Status == solvers.Converged)
	// Output:
	// converged, W = [0.2500 -0.2500], the optimum is 0.2500
	// proved: true
}
