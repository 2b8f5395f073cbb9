package tracenorm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// The products of the paper's table, for m = 128: 52.4 s dense and 42.3 s compressed for X W, 43.8 s and 9.2 s for Xᵀ
// A, of 250,000 examples with 65,536 features and 4096 bytes, on 16 cores.
var printedProducts = [2][2]float64{{52.4, 42.3}, {43.8, 9.2}}

// products times X W and Xᵀ A by codes of a byte for 16 features against the products of the decoded matrix, on one
// core. Speed does not depend on what codes stand for: they are random. bench/peers/compressed has OpenBLAS besides.
func (c *command) products(ctx context.Context) error {
	n, d := c.rows, c.features
	q, codes, err := randomCodes(n, d)
	if err != nil {
		return err
	}
	x := vec.NewMatrix[float32](n, d)
	if err := q.Decode(x, codes, c.workers); err != nil {
		return err
	}
	t, err := c.Begin(report.Table{
		Name: "tracenorm-products", Rows: "product, m, tables",
		Title: fmt.Sprintf("Products in the compressed domain, n = %d, d = %d, a byte for 16 features, one core; "+
			"the paper's times are of other sizes", n, d),
		Columns: []report.Column{{Name: "ms", Digits: 2}, {Name: "dense ms", Digits: 2}, {Name: "ratio", Digits: 2}},
	})
	if err != nil {
		return err
	}
	var ratios [2]float64 // of m = 128 and tables of float32, which the paper's are
	for _, m := range []int{1, 8, 32, 128} {
		for tables, name := range []string{"float32", "16-bit", "8-bit"} {
			p, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{Tables: pq.Tables(tables), Workers: 1})
			if err != nil {
				return err
			}
			w, a := vec.NewMatrix[float32](d, m), vec.NewMatrix[float32](n, m)
			fill(w, 3)
			fill(a, 4)
			scores, sums := vec.NewMatrix[float32](n, m), vec.NewMatrix[float32](d, m)
			for k, pair := range [][2]func(){
				{func() { p.Scores(scores, w, nil) }, func() {
					vec.Gemm(vec.NoTrans, vec.NoTrans, 1, x, w, 0,
						scores)
				}},
				{func() { clear(sums.Data); p.Accumulate(sums, a, nil) }, func() {
					vec.Gemm(vec.Transposed, vec.NoTrans,
						1, x, a, 0, sums)
				}},
			} {
				if err := ctx.Err(); err != nil {
					return err
				}
				compressed, dense := c.alternate(pair[0], pair[1])
				ratio := report.Number(dense / compressed)
				if m == 128 && tables == 0 {
					ratio = ratio.Beside(printedProducts[k][0] / printedProducts[k][1])
					ratios[k] = dense / compressed
				}
				what := []string{"X W", "Xᵀ A"}[k]
				if err := t.Row(fmt.Sprintf("%s, %d, %s", what, m, name), report.Number(compressed),
					report.Number(dense), ratio); err != nil {
					return err
				}
			}
		}
	}
	if err := t.End(); err != nil {
		return err
	}
	return c.Claim(min(ratios[0], ratios[1]) > 1, "section 4, times", "products by codes are faster than dense ones",
		"%.2f times for X W, %.2f times for Xᵀ A, with m = 128", ratios[0], ratios[1])
}

// alternate returns the least milliseconds of two calls in turn, after one of each.
func (c *command) alternate(a, b func()) (first, second float64) {
	timed := func(f func()) float64 {
		start := time.Now()
		f()
		return time.Since(start).Seconds() * 1e3
	}
	a()
	b()
	first, second = math.Inf(1), math.Inf(1)
	for range c.rounds {
		first, second = min(first, timed(a)), min(second, timed(b))
	}
	return first, second
}

// randomCodes returns a quantizer of random centroids, and random codes.
func randomCodes(n, d int) (*pq.Quantizer, []byte, error) {
	r := rand.New(rand.NewPCG(1, 2))
	m := d / 16
	centroids := make([]float32, 256*d)
	for i := range centroids {
		centroids[i] = float32(r.NormFloat64())
	}
	q, err := pq.New(d, m, 8, centroids, nil)
	if err != nil {
		return nil, nil, err
	}
	codes := make([]byte, n*m)
	for i := range codes {
		codes[i] = byte(r.Uint32())
	}
	return q, codes, nil
}

func fill(a vec.Matrix[float32], seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range a.Data {
		a.Data[i] = float32(r.NormFloat64())
	}
}
