package interior

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/internal/cholesky"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Features is K = XXᵀ, by the formula of Sherman, Morrison and Woodbury: with D = diag(d)
//
//	(D + XXᵀ)⁻¹ B = D⁻¹ (B - X G⁻¹ XᵀD⁻¹B),   G = I + XᵀD⁻¹X,  d-by-d.
//
// Where K outweighs a d by more than numbers have digits, the difference cancels altogether: so the least d is n u max
// |x|², as in Dense. That makes steps smaller and does not change where they lead.
type Features struct {
	x       design.Matrix[float64]
	rows    design.DenseRows[float64] // x, where its rows lie in memory as they are
	n, d    int
	least   float64               // of its numbers
	diag    []float64             // D
	own     []vec.Matrix[float64] // sums of the parts of G; the first becomes its decomposition
	scaled  []vec.Matrix[float64] // gramRows-by-d for each goroutine
	w       vec.Matrix[float64]   // d-by-1
	workers int
}

// NewFeatures returns the System of the inner products of the examples of x, computed in float64. workers is the number
// of goroutines, 0 for all cores; the bits are the same for equal numbers.
func NewFeatures[T vec.Float](x design.Matrix[T], workers int) (*Features, error) {
	n, d, err := design.Check(x)
	if err == nil {
		workers, err = parallel.Cores(workers, max(n, d))
	}
	if err != nil {
		return nil, fmt.Errorf("interior: %w", err)
	}
	if d > 0 && d > math.MaxInt/d {
		return nil, fmt.Errorf("interior: the products of %d features are more than memory holds", d)
	}
	s := &Features{x: design.Float64(x), n: n, d: d, diag: make([]float64, n), w: vec.NewMatrix[float64](d, 1),
		scaled: make([]vec.Matrix[float64], workers), workers: workers}
	s.rows, _ = s.x.(design.DenseRows[float64])
	norms := make([]float64, n)
	s.x.SquaredNorms(norms)
	s.least = math.Ldexp(float64(n)*vec.Max(norms), -53)
	for range Sums(n, d) {
		s.own = append(s.own, vec.NewMatrix[float64](d, d))
	}
	return s, nil
}

// Sums is how many sums of products of n examples of d features are made side by side, each of d² numbers: as many as
// have 2^23 numbers, up to 16, and no more than there are gramRows examples for. By n and d alone: so the bits of a
// factorization are the same for any number of goroutines.
func Sums(n, d int) int {
	const most = 1 << 23
	room := most / (d*d + 1)
	return max(1, min(16, shape.Pieces(n, gramRows), room))
}

// gramRows is how many rows of X are scaled and multiplied at a time.
const gramRows = 256

// Len returns n.
func (s *Features) Len() int { return s.n }

// Multiply sets dst = X Xᵀ c.
func (s *Features) Multiply(dst, c []float64) {
	clear(s.w.Data)
	design.AccumulateAll(s.w, vec.MatrixOf(s.n, 1, c), s.x, s.workers)
	design.ScoresAll(vec.MatrixOf(s.n, 1, dst), s.w, s.x, s.workers)
}

// Factor sums and decomposes G.
func (s *Features) Factor(d []float64) error { return s.factor(d, func(vec.Matrix[float64]) {}) }

// factor is Factor of what more makes of G.
func (s *Features) factor(d []float64, more func(g vec.Matrix[float64])) error {
	for i, v := range d {
		s.diag[i] = max(v, s.least)
	}
	blocks := shape.Pieces(s.n, gramRows)
	parts := len(s.own)
	parallel.Do(s.workers, parts, func(worker, p int) {
		old := 0.0 // weight of what is in the sum
		for b := p; b < blocks; b += parts {
			block := s.scale(worker, b*gramRows, min((b+1)*gramRows, s.n))
			vec.SyrkWorkers(vec.Lower, vec.Transposed, 1, block, old, s.own[p], max(1, s.workers/parts))
			old = 1
		}
		if old == 0 { // no examples
			clear(s.own[p].Data)
		}
	})
	g := s.own[0]
	for _, part := range s.own[1:] {
		vec.Axpy(1, part.Data, g.Data)
	}
	for j := range s.d {
		g.Row(j)[j]++
	}
	more(g)
	return cholesky.Factor(g, s.workers)
}

// scale returns the rows of D^-½ X in [from, to), until the worker's next call.
func (s *Features) scale(worker, from, to int) vec.Matrix[float64] {
	if s.scaled[worker].Data == nil {
		s.scaled[worker] = vec.NewMatrix[float64](gramRows, s.d)
	}
	block, one := s.scaled[worker].Slice(0, to-from, 0, s.d), [1]float64{1}
	if s.rows == nil {
		design.Window(s.x, from, to).Gather(block, nil)
	}
	for i := range block.Rows {
		by := 1 / math.Sqrt(s.diag[from+i])
		if s.rows == nil {
			vec.Scale(by, block.Row(i))
			continue
		}
		vec.GemvT(by, vec.MatrixOf(1, s.d, s.rows.Row(from+i)), one[:], 0, block.Row(i)) // a copy that is scaled
	}
	return block
}

// solve sets B = G⁻¹ B.
func (s *Features) solve(b vec.Matrix[float64]) { cholesky.Solve(s.own[0], b, s.workers) }

// Solve sets B = (K + diag(d))⁻¹ B.
func (s *Features) Solve(b vec.Matrix[float64]) {
	for i, d := range s.diag {
		vec.Scale(1/d, b.Row(i))
	}
	w, scores := vec.NewMatrix[float64](s.d, b.Cols), vec.NewMatrix[float64](s.n, b.Cols)
	design.AccumulateAll(w, b, s.x, s.workers)
	s.solve(w)
	design.ScoresAll(scores, w, s.x, s.workers)
	for i, d := range s.diag {
		vec.Axpy(-1/d, scores.Row(i), b.Row(i))
	}
}
