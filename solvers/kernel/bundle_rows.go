package kernel

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Rows sets dst[k] = K_k[rows], len(rows)-by-n, for every kernel k whose dst[k] is not the zero Matrix, by workers
// goroutines, 0 for all cores. The bits of a row are the same in every call. Where all kernels of a group are left out
// nothing is done for it. It panics where sizes do not fit, a row is out of range or workers is negative.
//
// A row costs O(n d) for each group whose products are not kept, where d is the number of its features, and O(n) for
// each kernel.
func (b *Bundle[T]) Rows(dst []vec.Matrix[T], rows []int, workers int) {
	b.set("Bundle.Rows", dst, rows, nil, workers)
}

// Block sets dst[k][p, q] = K_k[rows[p], cols[q]], with the bits of Rows, for every kernel k whose dst[k] is not the
// zero Matrix. It computes products for these columns only, where they are not kept, and keeps none: for active sets.
func (b *Bundle[T]) Block(dst []vec.Matrix[T], rows, cols []int, workers int) {
	b.set("Bundle.Block", dst, rows, notNil(cols), workers)
}

// Combine sets dst = Σ_k weights[k] K_k[rows], len(rows)-by-n, as Rows does. Kernels of weight 0 cost nothing. The
// terms are added in order.
func (b *Bundle[T]) Combine(dst vec.Matrix[T], weights []float64, rows []int, workers int) {
	b.add("Bundle.Combine", dst, weights, rows, nil, workers)
}

// CombineBlock sets dst[p, q] = Σ_k weights[k] K_k[rows[p], cols[q]], as Block does.
func (b *Bundle[T]) CombineBlock(dst vec.Matrix[T], weights []float64, rows, cols []int, workers int) {
	b.add("Bundle.CombineBlock", dst, weights, rows, notNil(cols), workers)
}

// notNil returns list, where nil stands for none and not for all.
func notNil(list []int) []int {
	if list == nil {
		return []int{}
	}
	return list
}

// bundleCall is a call of a method that computes values.
type bundleCall[T vec.Float] struct {
	b          *Bundle[T]
	rows, cols []int           // cols: nil for all
	each       []vec.Matrix[T] // a matrix for each kernel, or
	sum        vec.Matrix[T]   // their sum with
	weights    []float64
}

func (b *Bundle[T]) set(function string, dst []vec.Matrix[T], rows, cols []int, workers int) {
	if len(dst) != len(b.kernels) {
		panic(shape.Errorf("kernel: "+function, "%d matrices for %d kernels", len(dst), len(b.kernels)))
	}
	c := bundleCall[T]{b: b, rows: rows, cols: cols, each: dst}
	for k := range dst {
		if c.wants(k) {
			c.mustFit(function, &dst[k])
		}
	}
	c.run(function, workers)
}

func (b *Bundle[T]) add(function string, dst vec.Matrix[T], weights []float64, rows, cols []int, workers int) {
	if len(weights) != len(b.kernels) {
		panic(shape.Errorf("kernel: "+function, "%d weights for %d kernels", len(weights), len(b.kernels)))
	}
	c := bundleCall[T]{b: b, rows: rows, cols: cols, sum: dst, weights: weights}
	c.mustFit(function, &dst)
	for p := range dst.Rows {
		clear(dst.Row(p))
	}
	c.run(function, workers)
}

// mustFit panics unless dst has the size of the rows and columns.
func (c *bundleCall[T]) mustFit(function string, dst *vec.Matrix[T]) {
	if dst.Rows != len(c.rows) || dst.Cols != c.count() {
		panic(shape.Errorf("kernel: "+function, "dst is %d-by-%d for %d rows and %d columns",
			dst.Rows, dst.Cols, len(c.rows), c.count()))
	}
	dst.Check()
}

// count is the number of columns.
func (c *bundleCall[T]) count() int {
	if c.cols == nil {
		return c.b.n
	}
	return len(c.cols)
}

// wants reports whether kernel k is asked for.
func (c *bundleCall[T]) wants(k int) bool {
	if c.each == nil {
		return c.weights[k] != 0
	}
	return c.each[k].Rows != 0 || c.each[k].Cols != 0
}

// run computes products group by group, 64 rows at a time, and values from them.
func (c *bundleCall[T]) run(function string, workers int) {
	workers, err := parallel.Cores(workers, c.b.n)
	if err != nil {
		panic(shape.Errorf("kernel: "+function, "%v", err))
	}
	c.b.mustHold(function, "row", c.rows)
	c.b.mustHold(function, "column", c.cols)
	s, _ := c.b.pool.Get().(*bundleScratch[T])
	if s == nil {
		s = new(bundleScratch[T])
	}
	for from := 0; from < len(c.rows); from += most {
		some := c.rows[from:min(from+most, len(c.rows))]
		for g := range c.b.groups {
			group := &c.b.groups[g]
			s.wanted = s.wanted[:0]
			for p := range group.kernels {
				if c.wants(group.first + p) {
					s.wanted = append(s.wanted, p)
				}
			}
			switch {
			case len(s.wanted) == 0:
			case group.products == nil:
				s.block = atLeast(s.block, most, c.count())
				s.to = s.to[:0]
				for p, i := range some {
					s.to = append(s.to, group.given.row(s.block.Row(p)[:c.count()], i, c.cols, c.count()))
				}
				c.values(group, s, from, some, s.to, workers)
			case c.cols == nil:
				group.products.lend(&s.loan, some, vec.Matrix[T]{}, workers)
				c.values(group, s, from, some, s.loan.to, workers)
				group.products.giveBack(&s.loan)
			default:
				s.block = atLeast(s.block, most, len(c.cols))
				block := s.block.Slice(0, len(some), 0, len(c.cols))
				group.products.part(block, some, c.cols, workers)
				s.to = s.to[:0]
				for p := range some {
					s.to = append(s.to, block.Row(p))
				}
				c.values(group, s, from, some, s.to, workers)
			}
		}
	}
	c.b.pool.Put(s)
}
