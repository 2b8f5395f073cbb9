package familytest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// field returns the field of that name of a problem, and whether it has one that is not empty.
func field[V any, P any](p *P, name string) (at *V, has bool) {
	v := reflect.ValueOf(p).Elem().FieldByName(name)
	if !v.IsValid() {
		return nil, false
	}
	at, ok := v.Addr().Interface().(*V)
	return at, ok && !v.IsZero()
}

// otherData are changes of what families' problems have in common: each makes data that are others to a state.
func otherData[P any]() map[string]func(t testing.TB, p P) (P, bool) {
	all := map[string]func(t testing.TB, p P) (P, bool){
		"a number": features[P](func(x vec.Matrix[float64]) { x.Row(6)[2] += 1e-9 }),
		"rows": features[P](func(x vec.Matrix[float64]) {
			for j, v := range x.Row(3) {
				x.Row(3)[j], x.Row(6)[j] = x.Row(6)[j], v
			}
		}),
		"a class":       labels[P]("Y", func(y []int) { y[5] = (y[5] + 1) % 3 }),
		"classes":       labels[P]("Y", swap[int]),
		"a set":         labels[P]("Sets", func(sets [][]int) { sets[5] = []int{0, 1} }),
		"no label":      labels[P]("Sets", func(sets [][]int) { sets[5] = []int{} }),
		"sets":          labels[P]("Sets", swap[[]int]),
		"who is above":  labels[P]("Positive", func(y []bool) { y[4] = !y[4] }),
		"those above":   labels[P]("Positive", swap[bool]),
		"another query": labels[P]("Groups", func(g []int) { g[3]++ }),
		"a weight": func(t testing.TB, p P) (P, bool) {
			weights, _ := field[[]float64](&p, "Weights")
			if weights == nil {
				return p, false
			}
			*weights = slices.Repeat([]float64{1}, examples(&p))
			(*weights)[8] = 1.0000001
			return p, true
		},
	}
	for name, of := range map[string]kernel.Kernel{
		"degree": kernel.Polynomial{Degree: 3, Offset: 1}, "offset": kernel.Polynomial{Degree: 2, Offset: 1.5},
		"scale": kernel.Polynomial{Degree: 2, Offset: 1, Scale: 2}, "a linear kernel": kernel.Linear{},
		"Gaussian": kernel.Gaussian{Gamma: 1},
	} {
		all[name] = func(t testing.TB, p P) (P, bool) {
			k, has := field[*kernel.Matrix[float64]](&p, "Kernel")
			if !has || (*k).Kernel() == of {
				return p, false
			}
			*k = Kernel(t, (*k).Features(), of)
			return p, true
		}
	}
	return all
}

func swap[V any](v []V) { v[0], v[1] = v[1], v[0] }

// labels returns what changes a copy of a field of labels, one for each example.
func labels[P, V any](name string, change func([]V)) func(t testing.TB, p P) (P, bool) {
	return func(t testing.TB, p P) (P, bool) {
		at, has := field[[]V](&p, name)
		if has {
			*at = slices.Clone(*at)
			change(*at)
		}
		return p, has
	}
}

// features returns what changes a copy of the examples.
func features[P any](change func(x vec.Matrix[float64])) func(t testing.TB, p P) (P, bool) {
	return func(t testing.TB, p P) (P, bool) {
		if x, has := field[design.Matrix[float64]](&p, "X"); has {
			*x = changed(t, *x, change)
			return p, true
		}
		k, has := field[*kernel.Matrix[float64]](&p, "Kernel")
		if has {
			*k = Kernel(t, changed(t, (*k).Features(), change), (*k).Kernel())
		}
		return p, has
	}
}

func changed(t testing.TB, x design.Matrix[float64], change func(x vec.Matrix[float64])) design.Matrix[float64] {
	n, d := x.Dims()
	a := &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](n, d)}
	x.Gather(a.Matrix, nil)
	change(a.Matrix)
	if !design.IsSparse(x) {
		return a
	}
	sparse, err := a.CSR()
	if err != nil {
		t.Fatal(err)
	}
	return sparse
}

// examples returns their number.
func examples[P any](p *P) int {
	for _, name := range []string{"Y", "Sets", "Positive", "Targets", "Weights"} {
		if v := reflect.ValueOf(p).Elem().FieldByName(name); v.IsValid() && v.Len() > 0 {
			return v.Len()
		}
	}
	return 0
}

// Kernel returns a kernel matrix of x with room for a megabyte.
func Kernel[T vec.Float](t testing.TB, x design.Matrix[T], k kernel.Kernel) *kernel.Matrix[T] {
	t.Helper()
	m, err := kernel.New(x, k, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Uneven returns weights of n examples, some of them 0.
func Uneven(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = float64(i%4) / 2
	}
	return w
}
