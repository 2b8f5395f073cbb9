package loss_test

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// The losses of scores of three classes, of which class 0 is the true one.
func Example() {
	scores := []float64{1, 1.5, .5}
	var w loss.Workspace[float64]
	for _, l := range []loss.Loss[float64]{
		loss.TopKHinge[float64]{K: 1}, loss.TopKHinge[float64]{K: 2}, loss.TopKEntropy[float64]{K: 1},
	} {
		fmt.Printf("%s: %.3f\n", l.Traits().Name, l.Primal(scores, []int{0}, &w))
	}
	// Output:
	// top-k hinge: 1.500
	// top-k hinge: 1.000
	// top-k entropy: 1.180
}

// A visit moves the dual variables of one example to their optimum. Here all are 0, and |x|² is 1.
func ExampleTopKHinge() {
	l := loss.TopKHinge[float64]{K: 1}
	a, scores, move := make([]float64, 3), []float64{1, 1.5, .5}, make([]float64, 3)
	var w loss.Workspace[float64]
	gap, after, moved := l.Visit(a, scores, []int{0}, 1, 2, 0, 0, move, &w)
	fmt.Println("gap", gap, "dual term", after, "moved:", moved)
	fmt.Println("dual variables", a)
	// Output:
	// gap 3 dual term 0.75 moved: true
	// dual variables [0.75 -0.75 0]
}

// Scores of labels that are coupled by R = PᵀP + ridge I.
func ExampleNewFactor() {
	f := loss.NewFactor[float64](vec.MatrixOf(1, 2, []float64{1, 1}), .5)
	u := make([]float64, f.Cols(2)) // of one example: Q a
	f.Move(u, []float64{1, 0})
	fmt.Printf("%.1f\n", f.Scores(make([]float64, 2), u)) // Qᵀ Q a = R a
	// Output: [1.5 1.0]
}

// The dual variables that the scores of an example name: with the softmax, r times 1 for the true class less the
// probabilities. Their gap is 0.
func ExampleAt() {
	l, err := loss.Named[float64]("top-k entropy", 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	const r = 2
	a, scores, y := make([]float64, 3), []float64{1, 1.5, .5}, []int{0}
	var w loss.Workspace[float64]
	term := loss.At(a, l, scores, y, r, &w)
	gap := r*l.Primal(scores, y, &w) - term + vec.Dot(a, scores)
	fmt.Printf("%.3f, gap %.3f\n", a, math.Abs(gap))
	// Output: [1.386 -1.013 -0.373], gap 0.000
}

// The worst other class counts most. Its margin is missed by 2, the next one's by 1, and the third is met.
func ExampleNewUsunier() {
	l, err := loss.NewUsunier[float64]([]float64{.5, .25, .125})
	var w loss.Workspace[float64]
	fmt.Println(l.Primal([]float64{2, 3, 2, 0}, []int{0}, &w), err)
	// Output: 1.25 <nil>
}
