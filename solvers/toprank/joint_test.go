package toprank

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// placed is Phi as a dense matrix, written out.
func placed[T vec.Float](x *dataset.Dense[T], m int) *dataset.Dense[T] {
	w := vec.NewMatrix[T](x.Rows*m, x.Cols*m)
	for i := range x.Rows {
		for c := range m {
			copy(w.Row(i*m + c)[c*x.Cols:], x.Matrix.Row(i))
		}
	}
	return &dataset.Dense[T]{Matrix: w}
}

// TestJoint: the view is the matrix that is written out, in each of its methods, and has the same optimum as it; the
// model of m classes has the scores of the pairs.
func TestJoint(t *testing.T) { prove.Both(t, testJoint[float32], testJoint[float64]) }

func testJoint[T vec.Float](t *testing.T) {
	x, y := clouds[T]()
	p, err := Joint[T](x, y, 3)
	if err != nil {
		t.Fatal(err)
	}
	var dense design.Matrix[T] = placed(x, 3)
	n, d := dense.Dims()
	if a, b := p.X.Dims(); a != n || b != d {
		t.Fatalf("%d-by-%d, want %d-by-%d", a, b, n, d)
	}
	rng, rows, cols := prove.Rand(82), []int{7, 0, 7, 179, 31}, []int{31, 8, 7, 100}
	random := func(n, m int) vec.Matrix[T] {
		w := vec.NewMatrix[T](n, m)
		for k := range w.Data {
			w.Data[k] = T(rng.NormFloat64())
		}
		return w
	}
	weights, sums := random(d, 2), random(len(rows), 2)
	for name, of := range map[string]func(x design.Matrix[T], dst vec.Matrix[T]){
		"norms":  func(x design.Matrix[T], dst vec.Matrix[T]) { x.SquaredNorms(dst.Data[:n]) },
		"gather": func(x design.Matrix[T], dst vec.Matrix[T]) { x.Gather(dst.Slice(0, len(rows), 0, d), rows) },
		"scores": func(x design.Matrix[T], dst vec.Matrix[T]) {
			x.Scores(dst.Slice(0, len(rows), 0, 2), weights, rows)
		},
		"accumulate": func(x design.Matrix[T], dst vec.Matrix[T]) { x.Accumulate(dst.Slice(0, d, 0, 2), sums, rows) },
		"all": func(x design.Matrix[T], dst vec.Matrix[T]) {
			x.Gather(dst, nil)
			scores := vec.NewMatrix[T](n, 2)
			x.Scores(scores, weights, nil)
			x.Accumulate(dst.Slice(0, d, 0, 2), scores, nil)
		},
		"gram": func(x design.Matrix[T], dst vec.Matrix[T]) {
			x.Gram(dst.Slice(0, len(rows), 0, len(cols)), rows, cols)
		},
	} {
		got := random(n, d)
		want := vec.MatrixOf(n, d, slices.Clone(got.Data))
		of(p.X, got)
		of(dense, want)
		for k, v := range got.Data {
			// Up to 60 products of numbers up to 4, each with half an ulp of what has been added so far, in any order.
			if math.Abs(float64(v-want.Data[k])) > 60*16*60*0x1p-24 {
				t.Fatalf("%s: %v at %d, want %v", name, v, k, want.Data[k])
			}
		}
	}
	c := Config{Tol: 1e-3}
	r := solve(t, p, c)
	other := solve(t, Problem[T]{X: dense, Positive: p.Positive}, c)
	if a, b := r.Certificate, other.Certificate; a.Dual > b.Primal*(1+1e-6) || b.Dual > a.Primal*(1+1e-6) {
		t.Errorf("%v, written out %v", a, b)
	}
	l, err := JointModel(r.Linear, 3, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	scores, pairs := vec.NewMatrix[T](60, 3), vec.NewMatrix[T](180, 1)
	if err := l.Scores(scores, x, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Linear.Scores(pairs, dense, nil); err != nil {
		t.Fatal(err)
	}
	for k, v := range pairs.Data {
		if math.Abs(float64(v-scores.Data[k])) > 64*0x1p-23*(1+math.Abs(float64(v))) {
			t.Fatalf("pair %d: %v, want %v", k, scores.Data[k], v)
		}
	}
}

// TestJointHinge: with a query for each example, the hinge and K = 1 it is the multiclass hinge: at the optimum of one,
// C times the sum of that loss and |W|²/2 are within the certificate.
func TestJointHinge(t *testing.T) {
	x, y := clouds[float64]()
	p, err := Joint[float64](x, y, 3)
	if err != nil {
		t.Fatal(err)
	}
	for row := range p.Positive {
		p.Groups = append(p.Groups, row/3)
	}
	r, err := p.Fit(context.Background(), Config{Loss: Hinge, C: .5, Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	l, err := JointModel(r.Linear, 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	scores := vec.NewMatrix[float64](60, 3)
	if err := l.Scores(scores, x, nil); err != nil {
		t.Fatal(err)
	}
	primal := vec.SquaredNorm(r.Linear.Weights().Data) / 2
	var w loss.Workspace[float64]
	for i, c := range y {
		primal += .5 * loss.TopKHinge[float64]{K: 1}.Primal(scores.Row(i), []int{c}, &w)
	}
	// 60 losses of 4 products, each of a few roundings.
	if math.Abs(primal-r.Certificate.Primal) > 1e-12*primal {
		t.Errorf("%v, certified %v", primal, r.Certificate)
	}
}

// TestJointErrors: labels and sizes that do not fit are errors.
func TestJointErrors(t *testing.T) {
	x, y := clouds[float64]()
	for want, f := range map[string]func() error{
		"label 2 of row 2":   func() error { _, err := Joint[float64](x, y, 2); return err },
		"toprank: 7 labels":  func() error { _, err := Joint[float64](x, y[:7], 3); return err },
		"all 60 labels are ": func() error { _, err := Joint[float64](x, make([]int, 60), 3); return err },
		"4-by-1 weights for 3 classes": func() error {
			r := solve(t, Problem[float64]{X: x, Positive: append([]bool{true}, make([]bool, 59)...)}, Config{Tol: .1})
			_, err := JointModel(r.Linear, 3, nil)
			return err
		},
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
