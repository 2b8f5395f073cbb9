package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// TestCompact: a Compact has the numbers of the whole matrix to the bit, and so has one renewed again and again, which
// keeps the rows that it has of examples that stay, up to its budget.
func TestCompact(t *testing.T) { prove.Both(t, testCompact[float32], testCompact[float64]) }

func testCompact[T vec.Float](t *testing.T) {
	const n = 150
	for storage, x := range draw[T](rand.New(rand.NewPCG(71, 72)), n, 30, .04) {
		for _, k := range []Kernel{Gaussian{Gamma: .1}, Polynomial{Degree: 3, Offset: 1},
			Sum{{Weight: 2, Kernel: Linear{}}, {Weight: 1, Kernel: Gaussian{Gamma: .3}}}} {
			for _, rows := range []int64{0, 10, n} {
				name := fmt.Sprintf("%s, %v, %d rows", storage, k, rows)
				rng := rand.New(rand.NewPCG(73, uint64(rows)))
				whole, err := New(x, k, 0)
				if err != nil {
					t.Fatal(err)
				}
				all := vec.NewMatrix[T](n, n)
				index := make([]int, n)
				for i := range index {
					index[i] = i
				}
				whole.Rows(all, index, 1)
				whole.budget = whole.scratch() + 8*n*n + rows*rowBytes[T](n) // the panels, and the rows
				order := rng.Perm(n)
				examples := order[:40]
				of := whole
				if rows == 10 { // of a Subset, whose examples have the same numbers, but backwards
					backwards := slices.Clone(index)
					slices.Reverse(backwards)
					if of, err = whole.Subset(backwards); err != nil {
						t.Fatal(err)
					}
					for i := range n / 2 {
						swap(all.Row(i), all.Row(n-1-i))
					}
					for i := range n {
						slices.Reverse(all.Row(i))
					}
				}
				c := of.Compact(examples)
				for step := range 6 {
					ask := make([]int, 25)
					for p := range ask {
						ask[p] = rng.IntN(len(examples))
					}
					got := vec.NewMatrix[T](len(ask), len(examples))
					c.Rows(got, ask, 1+step%2)
					for p, i := range ask {
						for q, j := range examples {
							if got.Row(p)[q] != all.Row(examples[i])[j] {
								t.Fatalf("%s, step %d: %v for %d and %d, want %v", name, step, got.Row(p)[q],
									examples[i], j, all.Row(examples[i])[j])
							}
						}
					}
					keep := rng.Perm(len(examples))[:len(examples)*3/4]
					held := 0
					for _, i := range keep {
						if c.cache.find(i) != nil {
							held++
						}
					}
					next := make([]int, 0, n)
					for _, i := range keep {
						next = append(next, examples[i])
					}
					for _, i := range order {
						if len(next) < len(keep)+20 && !slices.Contains(next, i) {
							next = append(next, i)
						}
					}
					c = c.Renew(keep, next[len(keep):], 1+step%2)
					examples = next
					if rows == n && len(c.cache.kept) != held {
						t.Errorf("%s, step %d: %d rows are kept, of %d", name, step, len(c.cache.kept), held)
					}
				}
			}
		}
	}
}

func swap[T vec.Float](a, b []T) {
	for i := range a {
		a[i], b[i] = b[i], a[i]
	}
}

func ExampleMatrix_Compact() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(4, 1, []float64{0, 1, 2, 3})}
	k, err := New(design.Matrix[float64](x), Linear{}, 1<<24)
	if err != nil {
		fmt.Println(err)
		return
	}
	active := k.Compact([]int{3, 1}) // rows of two numbers
	fmt.Println(active.Pin(0))
	active.Release(0)
	active = active.Renew([]int{0}, []int{2}, 1) // example 3 stays, 1 goes, 2 comes
	fmt.Println(active.Pin(0))
	active.Release(0)
	// Output:
	// [9 3]
	// [9 6]
}
