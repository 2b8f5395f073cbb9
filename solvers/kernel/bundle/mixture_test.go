package bundle

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// groupsOf returns the bundle of manyOf, its groups of features and its given matrix.
func groupsOf[T vec.Float](t testing.TB, rng *rand.Rand, n int, storage string, keep bool) (*Bundle[T], []Group[T],
	vec.Matrix[T]) {
	t.Helper()
	groups := []Group[T]{
		{X: draw[T](rng, n, 40, .05)[storage], Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .1},
			kernel.Polynomial{Degree: 3, Offset: 1}, kernel.Linear{}}},
		{X: draw[T](rng, n, 33, 1)["dense"], Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .02},
			kernel.Gaussian{Gamma: .3}}},
	}
	square := vec.NewMatrix[T](n, n)
	for i := range n {
		for j := range n {
			square.Row(i)[j] = T(1 / (1 + math.Abs(float64(i-j))))
		}
	}
	m, err := kernel.Precomputed(square)
	if err != nil {
		t.Fatal(err)
	}
	budget := int64(0)
	if keep {
		budget = 1 << 28
	}
	b, err := New(budget, append(groups[:2:2], Group[T]{Matrix: m})...)
	if err != nil {
		t.Fatal(err)
	}
	return b, groups, square
}

// TestExtend: a mixture of more and more examples has the bits of one of all of them, whether there was room or not.
func TestExtend(t *testing.T) { prove.Both(t, extend[float32], extend[float64]) }

func extend[T vec.Float](t *testing.T) {
	for _, form := range []string{"dense", "csr"} {
		b, _, _ := groupsOf[T](t, rand.New(rand.NewPCG(95, 96)), 230, form, false)
		rows := rand.New(rand.NewPCG(97, 98)).Perm(230)
		weights := []float64{.5, 0, .25, 2, .125, 1}
		want, err := b.Compact(rows).Mix(0)
		if err != nil {
			t.Fatal(err)
		}
		want.Weigh(weights, 2)
		for _, room := range []int{0, 150, 230} {
			mix, err := b.Compact(rows[:70]).Mix(room)
			if err != nil {
				t.Fatal(err)
			}
			own := slices.Clone(weights)
			mix.Weigh(own, 1)
			clear(own) // the caller's
			for _, n := range []int{70, 71, 150, 230} {
				if mix, err = mix.Extend(b.Compact(rows[:n]), 3); err != nil {
					t.Fatal(err)
				}
			}
			for i := range 230 {
				if !slices.Equal(mix.room.Row(i)[:230], want.room.Row(i)[:230]) {
					t.Fatalf("%s, room for %d: row %d is not the row of all at once", form, room, i)
				}
			}
		}
	}
}

// TestMirror: what is below the diagonal in the rows from first on is above it too, and nothing else changes.
func TestMirror(t *testing.T) { prove.Both(t, mirrors[float32], mirrors[float64]) }

func mirrors[T vec.Float](t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 130, 200} {
		for _, first := range []int{0, 1, 17, 64, 100, n - 1} {
			if first >= n {
				continue
			}
			whole := vec.NewMatrix[T](n+2, n+3)
			value := func(i, j int) T { return T(1000*i + j) }
			for i := range whole.Rows {
				for j := range whole.Row(i) {
					whole.Row(i)[j] = value(i, j)
				}
			}
			mirror(whole.Slice(0, n, 0, n), first, 2)
			for i := range whole.Rows {
				for j, got := range whole.Row(i) {
					want := value(i, j)
					if i < j && j < n && j >= first {
						want = value(j, i)
					}
					if got != want {
						t.Fatalf("n = %d, from row %d on: %v in row %d, column %d, want %v", n, first, got, i, j, want)
					}
				}
			}
		}
	}
}
