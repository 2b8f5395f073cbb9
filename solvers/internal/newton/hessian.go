package newton

import (
	"math"

	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// hessian is H = I + Σ_i c_i x_i x_iᵀ over the examples with c_i > 0; with an offset it is H': see offset.go.
type hessian struct {
	x       design.Matrix[float64]
	workers int
	rows    []int                 // with c_i > 0
	sums    []vec.Matrix[float64] // of the parts of these; the first becomes H and its decomposition
	blocks  []vec.Matrix[float64] // blockRows-by-d for each goroutine
	mean    []float64             // with an offset: what the rows are taken less of
}

// blockRows is how many rows are scaled and multiplied at a time.
const blockRows = 256

func newHessian(x design.Matrix[float64], workers int) hessian {
	n, d := x.Dims()
	h := hessian{x: x, workers: workers, rows: make([]int, 0, n)}
	for range sums(n, d) {
		h.sums = append(h.sums, vec.NewMatrix[float64](d, d))
	}
	for range min(workers, len(h.sums)) {
		h.blocks = append(h.blocks, vec.NewMatrix[float64](min(n, blockRows), d))
	}
	return h
}

// sums is how many sums of products are made side by side: by n and d alone, so that H has the same bits for any number
// of goroutines. They have 2^20 numbers at most.
func sums(n, d int) int {
	const most, share = 1 << 20, 8 * blockRows
	return max(1, min(16, n/share, most/(d*d+1)))
}

// factor sums and decomposes H, whose last number is raised by least where there is an offset. It returns an error
// where there is a pivot that is not positive.
func (h *hessian) factor(c []float64, least float64) error {
	h.rows = h.rows[:0]
	for i, v := range c {
		if v > 0 {
			h.rows = append(h.rows, i)
		}
	}
	parts := len(h.sums)
	parallel.Do(len(h.blocks), parts, func(worker, p int) {
		from, to := parallel.Share(len(h.rows), parts, p), parallel.Share(len(h.rows), parts, p+1)
		old := 0.0 // weight of what is in the sum
		for ; from < to; from += blockRows {
			block := h.scaled(h.blocks[worker], h.rows[from:min(from+blockRows, to)], c)
			vec.Syrk(vec.Lower, vec.Transposed, 1, block, old, h.sums[p])
			old = 1
		}
		if old == 0 {
			clear(h.sums[p].Data)
		}
	})
	all := h.sums[0]
	for _, part := range h.sums[1:] {
		vec.Axpy(1, part.Data, all.Data)
	}
	penalized := all.Rows
	if h.mean != nil {
		penalized--
		all.Row(penalized)[penalized] += least
	}
	for j := range penalized {
		all.Row(j)[j]++
	}
	return cholesky.Factor(all, h.workers)
}

// scaled returns the rows, less the mean, times the roots of their c.
func (h *hessian) scaled(block vec.Matrix[float64], rows []int, c []float64) vec.Matrix[float64] {
	block = block.Slice(0, len(rows), 0, block.Cols)
	h.x.Gather(block, rows)
	for p, i := range rows {
		if h.mean != nil {
			vec.Axpy(-1, h.mean, block.Row(p))
		}
		vec.Scale(math.Sqrt(c[i]), block.Row(p))
	}
	return block
}

// solve sets v = H⁻¹ v.
func (h *hessian) solve(v []float64) {
	cholesky.Solve(h.sums[0], vec.MatrixOf(len(v), 1, v), h.workers)
}
