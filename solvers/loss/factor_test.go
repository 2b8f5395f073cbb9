package loss

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// quarters draws a matrix of small numbers: sums of products of two of them are exact, also in float32.
func quarters(rng *rand.Rand, rows, cols int) vec.Matrix[float64] {
	a := vec.NewMatrix[float64](rows, cols)
	for k := range a.Data {
		a.Data[k] = float64(rng.IntN(17)-8) / 4
	}
	return a
}

// TestFactor: scores are Qᵀ u and moves Q a, exactly, where Q is P, rows of 0, and sqrt(ridge) I below; memory behind
// them stays.
func TestFactor(t *testing.T) { prove.Both(t, testFactor[float32], testFactor[float64]) }

func testFactor[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		r, m, ridge := 1+rng.IntN(20), 1+rng.IntN(20), []float64{0, .25, 4}[rng.IntN(3)]
		p := quarters(rng, r, m)
		cols := 16
		if r > 16 {
			cols = 32
		}
		q := vec.NewMatrix[float64](cols+m, m)
		copy(q.Data, p.Data)
		for c := range m {
			q.Row(cols + c)[c] = math.Sqrt(ridge)
		}
		if ridge > 0 {
			cols += m
		}
		f := NewFactor[T](p, ridge)
		if f.Cols(m) != cols {
			t.Fatalf("%d columns of %d-by-%d and %v", f.Cols(m), r, m, ridge)
		}
		if got, root := f.Matrix(); got.Rows != r || got.Cols != m || float64(root) != math.Sqrt(ridge) ||
			float64(got.At(r-1, m-1)) != p.At(r-1, m-1) {
			t.Fatalf("P %v, %v", got, root)
		}
		u, a := narrow[T](quarters(rng, 1, cols+3).Data), narrow[T](quarters(rng, 1, m).Data)
		s, moved, behind := make([]T, m), slices.Clone(u), slices.Clone(u[cols:])
		if got := f.Scores(s, u); &got[0] != &s[0] || len(got) != m {
			t.Fatal("scores elsewhere")
		}
		f.Move(moved, a)
		delta := make([]T, cols)
		for c := range m {
			want, own := 0.0, ridge
			for k := range cols {
				want += q.At(k, c) * float64(u[k])
			}
			for k := range r {
				own += p.At(k, c) * p.At(k, c)
			}
			if float64(s[c]) != want || f.own[c] != own {
				t.Fatalf("score %v, want %v; R_cc %v, want %v", s[c], want, f.own[c], own)
			}
			others := 0.0 // R_c times the moves of the labels before
			for k := range c {
				others += vec.Dot(column(p, c), column(p, k)) * float64(a[k])
			}
			if got := f.along(c, delta); math.Abs(got-others) > 1e-30 {
				t.Fatalf("moves before label %d move its score by %v, want %v", c, got, others)
			}
			f.add(c, a[c], delta)
		}
		for k := range cols {
			want := 0.0
			for c, v := range a {
				want += q.At(k, c) * float64(v)
			}
			if float64(moved[k]) != want || float64(delta[k]) != want {
				t.Fatalf("move %v, one after the other %v, want %v", moved[k], delta[k], want)
			}
		}
		if !slices.Equal(moved[cols:], behind) {
			t.Fatal("written behind a move")
		}
	}
	var none *Factor[T]
	u := []T{1, 2, 3}
	if got := none.Scores(make([]T, 2), u); &got[0] != &u[0] || len(got) != 2 || none.Cols(7) != 7 {
		t.Errorf("scores %v, %d columns without a coupling", got, none.Cols(7))
	}
	if none.Move(u, []T{4, 5}); !slices.Equal(u, []T{4, 5, 3}) {
		t.Errorf("move %v without a coupling", u)
	}
	if p, root := none.Matrix(); p.Rows != 0 || root != 0 || NewFactor[T](vec.Matrix[float64]{}, 0) != nil {
		t.Error("an empty P is no factor")
	}
}

func column(a vec.Matrix[float64], c int) (all []float64) {
	for k := range a.Rows {
		all = append(all, a.At(k, c))
	}
	return all
}

// TestTinyRidge: a ridge whose root is 0 in float32 takes as many columns as in float64, where it is not.
func TestTinyRidge(t *testing.T) {
	p := vec.MatrixOf(1, 2, []float64{1, -2})
	narrow, wide := NewFactor[float32](p, 1e-120), NewFactor[float64](p, 1e-120)
	if narrow.Cols(2) != wide.Cols(2) {
		t.Errorf("%d columns in float32, %d in float64", narrow.Cols(2), wide.Cols(2))
	}
	u, s := make([]float64, narrow.Cols(2)), make([]float64, 2)
	wide.Move(u, []float64{3, 1})
	if wide.Scores(s, u); s[0] != 1 || s[1] != -2 {
		t.Errorf("scores %v", s)
	}
}
