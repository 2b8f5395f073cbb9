package columns

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// rows are n rows that hold some of d features, each of them by chance, in a random order.
type rows[T float] struct {
	features [][]int32
	values   [][]T
}

func draw[T float](rng *rand.Rand, n, d, most int) (r rows[T]) {
	for range n {
		var features []int32
		var values []T
		for range rng.IntN(most + 1) {
			j := int32(rng.IntN(d))
			if rng.IntN(2) == 0 {
				j = int32(rng.IntN(min(d, 5)))
			}
			if !slices.Contains(features, j) {
				features, values = append(features, j), append(values, T(rng.IntN(9)-4))
			}
		}
		r.features, r.values = append(r.features, features), append(r.values, values)
	}
	return r
}

func (r rows[T]) row(i int) ([]int32, []T) { return r.features[i], r.values[i] }

// at is number j of row i.
func (r rows[T]) at(i int, j int32) T {
	if k := slices.Index(r.features[i], j); k >= 0 {
		return r.values[i][k]
	}
	return 0
}

var sizes = [][3]int{{0, 0, 0}, {0, 3, 0}, {3, 1, 0}, {1, 1, 1}, {7, 20, 4}, {100, 30, 30}, {50, 1000, 9},
	{20, 1 << 20, 5}, {9, math.MaxInt32, 6}}

// Every number is in the list of its feature, in the order of rows, and no list is empty.
func TestColumns(t *testing.T) { prove.Both(t, testColumns[float32], testColumns[float64]) }

func testColumns[T float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range sizes {
		n, d := size[0], size[1]
		r := draw[T](rng, n, max(d, 1), size[2])
		c, err := New(n, d, r.row)
		if err != nil {
			t.Fatal(err)
		}
		last, stored, all := int32(-1), 0, 0
		for f := range c.Len() {
			feature, who, values := c.At(f)
			if feature <= last || len(who) == 0 || len(who) != len(values) || !slices.IsSorted(who) {
				t.Fatalf("%v: feature %d after %d: rows %v, values %v", size, feature, last, who, values)
			}
			if c.From(int(feature)) != f || c.From(int(feature)+1) != f+1 {
				t.Fatalf("%v: features from %d on begin at %d, want %d", size, feature, c.From(int(feature)), f)
			}
			for k, i := range who {
				if got := r.at(int(i), feature); got != values[k] || !slices.Contains(r.features[i], feature) {
					t.Fatalf("%v: feature %d of row %d is %v, want %v", size, feature, i, values[k], got)
				}
			}
			last, stored = feature, stored+len(who)
		}
		for i := range n {
			all += len(r.features[i])
		}
		if stored != all {
			t.Errorf("%v: %d numbers in lists, want %d", size, stored, all)
		}
	}
}

// A table of all features and a search among those that rows have give the same lists.
func TestTableAndSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, size := range sizes {
		n, d := size[0], size[1]
		if d > 1<<20 {
			continue // tables of 16 GB
		}
		r := draw[float64](rng, n, max(d, 1), size[2])
		stored := 0
		for i := range n {
			stored += len(r.features[i])
		}
		var both [2]*Columns[float64]
		for k, fill := range []func(c *Columns[float64]) error{
			func(c *Columns[float64]) error { return c.byTable(d, r.row) },
			func(c *Columns[float64]) error { return c.bySearch(d, r.row) },
		} {
			both[k] = &Columns[float64]{n: n, rows: make([]int32, stored), values: make([]float64, stored)}
			if err := fill(both[k]); err != nil {
				t.Fatal(err)
			}
		}
		a, b := both[0], both[1]
		if !slices.Equal(a.features, b.features) || !slices.Equal(a.start, b.start) || !slices.Equal(a.rows, b.rows) ||
			!slices.Equal(a.values, b.values) || !slices.Equal(a.first, b.first) || a.shift != b.shift {
			t.Errorf("%v: by table %+v, by search %+v", size, a, b)
		}
	}
}

// Products equal products of the rows; the values are small integers, so that every order of summation gives the same.
func TestAddProducts(t *testing.T) { prove.Both(t, testAddProducts[float32], testAddProducts[float64]) }

func testAddProducts[T float](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range sizes {
		n, d := size[0], size[1]
		r := draw[T](rng, n, max(d, 1), size[2])
		c, err := New(n, d, r.row)
		if err != nil {
			t.Fatal(err)
		}
		vectors := draw[T](rng, 20, max(d, 1), 12)
		for p := range 20 {
			features, values := vectors.row(p)
			dst, want := make([]T, n), make([]T, n)
			for i := range n {
				dst[i] = T(i % 3)
				want[i] = dst[i]
				for k, j := range features {
					want[i] += values[k] * r.at(i, j)
				}
			}
			c.AddProducts(dst, features, values)
			if !slices.Equal(dst, want) {
				t.Fatalf("%v: %v times %v: %v, want %v", size, features, values, dst, want)
			}
			if allocs := prove.Allocs(3, func() { c.AddProducts(dst, features, values) }); allocs != 0 {
				t.Fatalf("%v allocations", allocs)
			}
		}
	}
	c, _ := New(2, 3, draw[T](rng, 2, 3, 3).row)
	c.AddProducts(make([]T, 2), []int32{-1, 3, math.MaxInt32, math.MinInt32}, make([]T, 4)) // nobody has them
}

// Sums of rows of A are the rows' sums, nothing else of W is touched, and a matrix that is too short is a panic.
func TestAccumulate(t *testing.T) { prove.Both(t, testAccumulate[float32], testAccumulate[float64]) }

func testAccumulate[T float](t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, size := range sizes {
		n, d := size[0], size[1]
		if d > 1000 {
			continue
		}
		r := draw[T](rng, n, max(d, 1), size[2])
		c, err := New(n, d, r.row)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []int{0, 1, 3, 17} {
			aStride, wStride, from := m+2, m+1, rng.IntN(d+1)
			to := from + rng.IntN(d+1-from)
			a, w := make([]T, n*aStride), make([]T, d*wStride)
			for k := range a {
				a[k] = T(rng.IntN(9) - 4)
			}
			for k := range w {
				w[k] = T(k % 5)
			}
			want := slices.Clone(w)
			for i := range n {
				for k, j := range r.features[i] {
					for l := range m {
						if from <= int(j) && int(j) < to {
							want[int(j)*wStride+l] += r.values[i][k] * a[i*aStride+l]
						}
					}
				}
			}
			other := slices.Clone(w)
			if allocs := prove.Allocs(1, func() {
				c.Accumulate(other, wStride, a, aStride, m, from, to)
			}); allocs != 0 {
				t.Fatalf("%v allocations", allocs)
			}
			c.Accumulate(w, wStride, a, aStride, m, from, to)
			if !slices.Equal(w, want) {
				t.Fatalf("%v, m = %d, features [%d, %d): %v, want %v", size, m, from, to, w, want)
			}
			if n > 0 && m > 0 {
				for _, bad := range []func(){
					func() { c.Accumulate(w, wStride, a[:(n-1)*aStride+m-1], aStride, m, from, to) },
					func() { c.Accumulate(w, m-1, a, aStride, m, from, to) },
					func() { c.Accumulate(w, wStride, a, m-1, m, from, to) },
				} {
					func() {
						defer func() {
							if _, ok := recover().(interface{ ShapeError() }); !ok {
								t.Fatalf("%v, m = %d: no panic of sizes", size, m)
							}
						}()
						bad()
					}()
				}
			}
		}
	}
}

// Memory has to do with the numbers, not with d.
func TestMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, d := range []int{1, 100, 1 << 16, 1 << 24, math.MaxInt32} {
		c, err := New(300, d, draw[float32](rng, 300, d, 20).row)
		if err != nil {
			t.Fatal(err)
		}
		if got, most := 4*cap(c.features)+8*cap(c.start)+4*cap(c.first), 20*c.Len()+32; got > most {
			t.Errorf("d = %d: %d bytes for %d features, want %d at most", d, got, c.Len(), most)
		}
	}
}

func TestErrors(t *testing.T) {
	for want, row := range map[string]rows[float64]{
		"row 1 has feature 5 at place 1, of 5 features":  {[][]int32{{1}, {0, 5}}, [][]float64{{1}, {1, 2}}},
		"row 0 has feature -1 at place 0, of 5 features": {[][]int32{{-1}, {}}, [][]float64{{1}, {}}},
		"row 1 has 2 features and 1 values":              {[][]int32{{1}, {0, 2}}, [][]float64{{1}, {1}}},
	} {
		if _, err := New(2, 5, row.row); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	c, err := New(0, 5, rows[float32]{}.row)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		err, ok := recover().(interface{ ShapeError() })
		if !ok || !strings.Contains(err.(error).Error(), "1 sums of 0 rows") {
			t.Errorf("panic %v", err)
		}
	}()
	c.AddProducts(make([]float32, 1), nil, nil)
}
