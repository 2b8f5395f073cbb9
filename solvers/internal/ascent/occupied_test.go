package ascent

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// apart is how far the features of spread examples are from each other, and the first from 0.
const apart = 1800

// spreadOut returns p with features of 0 between its own.
func spreadOut[T vec.Float](t *testing.T, p Problem[T]) Problem[T] {
	t.Helper()
	x := p.X.(*dataset.CSR[T])
	wide := &dataset.CSR[T]{Rows: x.Rows, Cols: (x.Cols + 1) * apart, Ptr: x.Ptr, Val: slices.Clone(x.Val)}
	for _, j := range x.Idx {
		wide.Idx = append(wide.Idx, (j+1)*apart)
	}
	p.X = design.Matrix[T](wide)
	return p
}

// TestOccupied: a training with features that do not occur takes the steps of one without them, stopped and resumed as
// well, and ends with the same weights, 0 where features do not occur.
func TestOccupied(t *testing.T) { prove.Both(t, testOccupied[float32], testOccupied[float64]) }

func testOccupied[T vec.Float](t *testing.T) {
	o := Options{Options: solvers.Options{Tol: 1e-3, Workers: 1, Seed: 3}}
	begin := func(p Problem[T]) Solver[T] {
		s, err := New(p, o)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	run := func(s Solver[T]) solvers.Outcome {
		end, err := train.Run(context.Background(), s, train.Options[T]{Options: solvers.Options{Tol: 1e-3,
			Epochs: 10000}}, &train.Clock[T]{})
		if err != nil || end.Status != solvers.Converged {
			t.Fatal(end, err)
		}
		return end.Outcome
	}
	for _, m := range []int{16, 45} {
		for _, constant := range []T{0, 2} {
			name := fmt.Sprintf("%d outputs, constant %v", m, constant)
			p := squared[T](t, 90, 12, m)
			p.Constant = constant
			spread := spreadOut(t, p)
			narrow, _ := design.Occupied(spread.X)
			want, got := begin(spread.with(narrow)), begin(spread)
			if _, ok := got.(*occupied[T]); !ok {
				t.Fatalf("%s: %T", name, got)
			}
			for range 9 { // then in another process
				want.Epoch(context.Background())
				got.Epoch(context.Background())
			}
			var state bytes.Buffer
			w := container.NewWriter(&state, "state", 1)
			got.Save(w)
			if _, err := w.Close(); err != nil {
				t.Fatal(err)
			}
			r, err := container.Open(&state)
			if err != nil {
				t.Fatal(err)
			}
			got = begin(spread)
			if got.Load(r); r.Close() != nil {
				t.Fatal(name, r.Close())
			}
			if a, b := run(want), run(got); a != b || !slices.Equal(want.Duals().Data, got.Duals().Data) {
				t.Errorf("%s: %v, want %v", name, b, a)
			}
			compare(t, name, weightsOf(t, want), got, 12)
		}
	}
}

// compare fails the test unless s has the given weights of d features and, behind them, of the constant one.
func compare[T vec.Float](t *testing.T, name string, want vec.Matrix[T], s Solver[T], d int) {
	t.Helper()
	v, err := s.PrimalVariables()
	if err != nil || !s.Fits(v, train.Variables[T]{}) {
		t.Fatalf("%s: %v, or a model of another size", name, err)
	}
	wide := v.Matrices[0]
	if rows := (d+1)*apart + want.Rows - d; wide.Rows != rows {
		t.Fatalf("%s: weights of %d features, want %d", name, wide.Rows, rows)
	}
	for j := range wide.Rows {
		row := make([]T, wide.Cols)
		switch {
		case j == (d+1)*apart: // the constant one
			copy(row, want.Row(d))
		case j > 0 && j%apart == 0:
			copy(row, want.Row(j/apart-1))
		}
		if !slices.Equal(wide.Row(j), row) {
			t.Fatalf("%s: weights %v of feature %d, want %v", name, wide.Row(j), j, row)
		}
	}
}

// TestOccupiedErrors: errors name features by the numbers that the caller knows.
func TestOccupiedErrors(t *testing.T) {
	p := spreadOut(t, squared[float64](t, 90, 12, 45))
	x := p.X.(*dataset.CSR[float64])
	x.Val[0] = math.NaN()
	o := Options{Options: solvers.Options{Tol: 1e-3, Workers: 1}}
	want := fmt.Sprintf("row 0, column %d: value NaN", x.Idx[0])
	if _, err := New(p, o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	for _, c := range []struct {
		d, m, stored int
		sound        bool
	}{{1 << 27, 1, 1, true}, {1<<27 + 1, 1, 1, false}, {1 << 24, 8, 1, true}, {1<<24 + 1, 8, 1, false},
		{1<<27 + 16, 1, 1 << 23, false}, {1<<27 + 16, 1, 1<<23 + 1, true}} {
		if err := checkFeatures(c.d, c.m, c.stored); (err == nil) != c.sound {
			t.Errorf("%+v: %v", c, err)
		}
	}
	x.Val[0], x.Cols = 1, 1<<27
	if _, err := New(p, o); err == nil || !strings.Contains(err.Error(), "more than a gigabyte") {
		t.Errorf("%v for %d features", err, x.Cols)
	}
}
