package ascent

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestOrder: a shuffle leaves the same examples, and where neighbours stay together eight of them stand in a row, while
// their bytes come in any order; the next shuffle knows nothing of the last.
func TestOrder(t *testing.T) {
	const n = 1003
	source := rand.NewPCG(5, 6)
	rng := rand.New(source)
	for _, o := range []order{{}, {due: make([]byte, (n+7)/8)}} {
		first := map[int]bool{}
		for count := range 200 {
			due := rng.Perm(n)[:5*count]
			want := slices.Sorted(slices.Values(due))
			o.shuffle(due, source)
			if len(due) > 0 {
				first[due[0]] = true
			}
			seen := map[int]bool{}
			for p, i := range due {
				if o.due != nil && p > 0 && i/8 != due[p-1]/8 && seen[i/8] {
					t.Fatalf("%d examples: %d comes apart from its neighbours", len(due), i)
				}
				seen[i/8] = true
			}
			if slices.Sort(due); !slices.Equal(due, want) {
				t.Fatalf("shuffled %v, have %v", want, due)
			}
		}
		if len(first) < 50 {
			t.Errorf("only %d examples ever come first", len(first))
		}
	}
}

// TestNewOrder: neighbours stay together among many short dense examples alone.
func TestNewOrder(t *testing.T) {
	features := func(d int) rows[float32] {
		x, y := blobs[float32](rand.New(rand.NewPCG(7, 8)), 4, d, 2)
		p := hinge(t, design.Matrix[float32](x), y, 2, 1, .1)
		return newRows(p.X, &p)
	}
	dense, long := features(100), features(smallBlocks)
	for name, c := range map[string]struct {
		r    rows[float32]
		n    int
		want bool
	}{
		"many": {dense, 200_000, true}, "few": {dense, 100_000, false}, "long rows": {long, 200_000, false},
		"sparse": {rows[float32]{d: 100}, 200_000, false},
	} {
		if o := newOrder(&c.r, c.n); (o.due != nil) != c.want {
			t.Errorf("%s: together %v, want %v", name, o.due != nil, c.want)
		}
	}
}

// TestAlike: neighbours that are copies, but for a little, are told from those that are not, sorted by class or not.
func TestAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	const n, d = 2000, 40
	for name, c := range map[string]struct {
		copies int // of each example
		sorted bool
		want   bool
	}{"drawn": {1, false, false}, "sorted by class": {1, true, false}, "pairs": {2, false, true},
		"films": {8, false, true}, "one": {n, false, true}} {
		x := vec.NewMatrix[float64](n, d)
		for i := range n {
			for j := range x.Row(i) {
				if x.Row(i)[j] = rng.NormFloat64(); c.sorted && i < n/2 {
					x.Row(i)[j] += 0.2
				}
				if i%c.copies > 0 {
					x.Row(i)[j] = x.Row(i - 1)[j] + 0.01*x.Row(i)[j]
				}
			}
		}
		if got := alike[float64](&dataset.Dense[float64]{Matrix: x}, n); got != c.want {
			t.Errorf("%s: alike %v, want %v", name, got, c.want)
		}
	}
}
