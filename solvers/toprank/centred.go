package toprank

import (
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// centred is the features that the interior point method has within queries: its rows are examples, or means of some,
// less the mean of their query.
//
// The dual coefficients of a query sum to 0, so that a vector which all of its rows have in common is no part of w;
// without it less is lost to rounding. A query whose threshold is the mean of all its negative examples has the mean of
// these for its only negative one: with as many betas, each at its cap, there would be no interior.
type centred struct {
	x     design.Matrix[float64]
	of    [][]int             // the rows of x that a row is the mean of
	query []int               // of each row
	mean  vec.Matrix[float64] // of each query
}

func newCentred(x design.Matrix[float64], of [][]int, query []int, queries int) *centred {
	_, d := x.Dims()
	c := &centred{x, of, query, vec.NewMatrix[float64](queries, d)}
	sizes := make([]float64, queries)
	for _, g := range query {
		sizes[g]++
	}
	row, sums := vec.NewMatrix[float64](1, d), vec.NewMatrix[float64](queries, d)
	for q, g := range query {
		c.Gather(row, []int{q}) // less a mean that is still 0
		vec.Axpy(1/sizes[g], row.Data, sums.Row(g))
	}
	c.mean = sums
	return c
}

// rows returns the rows of x that some rows are means of, never nil, of how many each, and their queries.
func (c *centred) rows(rows []int) (flat, sizes, query []int) {
	flat = []int{}
	add := func(q int) {
		flat, sizes, query = append(flat, c.of[q]...), append(sizes, len(c.of[q])), append(query, c.query[q])
	}
	for _, q := range rows {
		add(q)
	}
	if rows == nil {
		for q := range c.of {
			add(q)
		}
	}
	return flat, sizes, query
}

// means sets row q of dst to the mean of the next sizes[q] rows of from.
func means(dst, from vec.Matrix[float64], sizes []int) {
	at := 0
	for q, size := range sizes {
		to := dst.Row(q)
		clear(to)
		for range size {
			vec.Axpy(1/float64(size), from.Row(at), to)
			at++
		}
	}
}

func (c *centred) Dims() (n, d int) { return len(c.of), c.mean.Cols }

func (c *centred) Gather(dst vec.Matrix[float64], rows []int) {
	flat, sizes, query := c.rows(rows)
	all := vec.NewMatrix[float64](len(flat), dst.Cols)
	c.x.Gather(all, flat)
	means(dst, all, sizes)
	for q, g := range query {
		vec.Axpy(-1, c.mean.Row(g), dst.Row(q))
	}
}

func (c *centred) Scores(dst, w vec.Matrix[float64], rows []int) {
	flat, sizes, query := c.rows(rows)
	all := vec.NewMatrix[float64](len(flat), dst.Cols)
	c.x.Scores(all, w, flat)
	means(dst, all, sizes)
	of := map[int][]float64{} // the scores of means
	for q, g := range query {
		if of[g] == nil {
			of[g] = make([]float64, dst.Cols)
			vec.GemvT(1, w, c.mean.Row(g), 0, of[g])
		}
		vec.Axpy(-1, of[g], dst.Row(q))
	}
}

func (c *centred) Accumulate(w, a vec.Matrix[float64], rows []int) {
	flat, sizes, query := c.rows(rows)
	all, at := vec.NewMatrix[float64](len(flat), a.Cols), 0
	var order []int
	sums := map[int][]float64{} // of each query
	for q, size := range sizes {
		for range size {
			vec.Axpy(1/float64(size), a.Row(q), all.Row(at))
			at++
		}
		g := query[q]
		if sums[g] == nil {
			order, sums[g] = append(order, g), make([]float64, a.Cols)
		}
		vec.Axpy(-1, a.Row(q), sums[g])
	}
	c.x.Accumulate(w, all, flat)
	for _, g := range order {
		vec.Ger(1, c.mean.Row(g), sums[g], w)
	}
}

func (c *centred) SquaredNorms(dst []float64) {
	_, d := c.Dims()
	row := vec.NewMatrix[float64](1, d)
	for q := range dst {
		c.Gather(row, []int{q})
		dst[q] = vec.SquaredNorm(row.Data)
	}
}

func (c *centred) Gram(dst vec.Matrix[float64], rows, cols []int) {
	_, d := c.Dims()
	x, z := vec.NewMatrix[float64](dst.Rows, d), vec.NewMatrix[float64](dst.Cols, d)
	c.Gather(x, rows)
	c.Gather(z, cols)
	vec.Gemm(vec.NoTrans, vec.Transposed, 1, x, z, 0, dst)
}
