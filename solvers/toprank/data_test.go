package toprank

import (
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/ranktruth"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// configOf returns what p says of the method.
func configOf(p ranktruth.Problem) Config {
	c := Config{C: p.C, K: p.K, Tau: p.Tau, All: p.All, Theta1: p.Theta1, Theta2: p.Theta2}
	if p.PatMat {
		c.Method = PatMat
	}
	if p.Hinge {
		c.Loss = Hinge
	}
	return c
}

// problemsOf returns p in every form: by kernels of dense and of sparse examples, by a precomputed one and, where the
// kernel is linear, by features.
func problemsOf[T vec.Float](t testing.TB, p ranktruth.Problem) map[string]Problem[T] {
	t.Helper()
	x := &dataset.Dense[T]{Matrix: ranktruth.Features[T](p)}
	sparse, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf[T](t, x, p.Kernel)
	given, all := vec.NewMatrix[T](x.Rows, x.Rows), make([]int, x.Rows)
	for i := range all {
		all[i] = i
	}
	k.Rows(given, all, 1)
	pre, err := kernel.Precomputed(given)
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]Problem[T]{
		"kernel": {Kernel: k}, "precomputed": {Kernel: pre},
		"kernel of sparse": {Kernel: kernelOf[T](t, sparse, p.Kernel)},
	}
	if p.Kernel == (kernel.Linear{}) {
		problems["dense"], problems["sparse"] = Problem[T]{X: x}, Problem[T]{X: sparse}
	}
	for name, q := range problems {
		q.Positive, q.Groups = p.Positive, p.Groups
		problems[name] = q
	}
	if p.Groups != nil { // and as if there were many examples
		for name, q := range maps.Clone(problems) {
			q.visits = true
			problems[name+", visits"] = q
		}
	}
	return problems
}

func kernelOf[T vec.Float](t testing.TB, x design.Matrix[T], k kernel.Kernel) *kernel.Matrix[T] {
	t.Helper()
	m, err := kernel.New(x, k, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// in returns p with its numbers rounded to T.
func in[T vec.Float](p ranktruth.Problem) ranktruth.Problem {
	rows := make([][]float64, len(p.X))
	for i, row := range p.X {
		rows[i] = make([]float64, len(row))
		for j, v := range row {
			rows[i][j] = float64(T(v))
		}
	}
	p.X = rows
	return p
}

// linearOf returns p with the kernel that is linear.
func linearOf(p ranktruth.Problem) ranktruth.Problem {
	p.Kernel, p.Name = kernel.Linear{}, p.Name+", linear"
	return p
}

// solve trains to the tolerance.
func solve[T vec.Float](t *testing.T, q Problem[T], c Config) *Result[T] {
	t.Helper()
	r, err := q.Fit(context.Background(), c)
	if err != nil || r.Status != solvers.Converged || !(r.Certificate.RelativeGap() <= r.Tol) {
		t.Fatalf("%+v: %s, %v", c, told(r), err)
	}
	return r
}

var told, contains = familytest.Told, familytest.Contains

// grouped returns random problems within queries.
func grouped(n int) []ranktruth.Problem { return ranktruth.Grouped(some(n)) }

// some returns a random problem with a method for each combination of the tests that need a few.
func some(n int) []ranktruth.Problem {
	return ranktruth.Draw(rand.New(rand.NewPCG(41, 42)), n, 4).Variants()
}
