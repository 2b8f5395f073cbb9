package half

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// sum is the exact value of a sum of k terms f*g, or (f-g)², of numbers of float32, and the error that kernels may
// make.
//
// A term is rounded three times at most (the square of a rounded difference), and once more by each of the at most k
// additions that it goes through in whatever order, fused or not: the error is at most γ(k+3) Σ|terms|, γ(i) =
// iu/(1-iu) (Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1). One more u covers the rounding of this
// sum in float64, in which a term is exact or nearly so. A product that underflows loses at most half of the smallest
// denormal η = 2⁻¹⁴⁹, a sum of terms nothing.
//
// VDPBF16PS fuses or rounds each product before it adds it: that is no more. But it takes denormal factors as zeros, by
// which the sum loses the terms that have one, and rounds results below 2⁻¹²⁶ to zero, one or two for each term.
type sum struct {
	flush              bool // denormal factors are taken as zeros
	terms              int
	exact, magnitude   float64
	flushed            float64 // Σ|terms| of those with a denormal factor
	nan, plus, minus   bool    // among the terms
	overflow           bool    // an order of the terms may overflow
	denormal, infinite bool    // among the factors
}

const tiny, normal = 0x1p-149, 0x1p-126

func (s *sum) add(f, g float32) {
	s.note(f, g)
	a, b := float64(f), float64(g)
	if s.flush && (denormal(f) || denormal(g)) {
		s.flushed += math.Abs(a * b)
		if math.IsInf(a*b, 0) {
			s.nan = true
		}
	}
	s.term(a * b)
}

func (s *sum) addDistance(f, g float32) {
	s.note(f, g)
	d := float64(f) - float64(g)
	s.term(d * d)
}

func (s *sum) note(f, g float32) {
	s.denormal = s.denormal || denormal(f) || denormal(g)
	s.terms++
}

func (s *sum) term(t float64) {
	switch {
	case t != t:
		s.nan = true
	case math.IsInf(t, 1):
		s.plus = true
	case math.IsInf(t, -1):
		s.minus = true
	default:
		s.exact += t
		s.magnitude += math.Abs(t)
	}
	s.overflow = s.magnitude > math.MaxFloat32/4
}

func denormal(f float32) bool { return f != 0 && math.Abs(float64(f)) < normal }

// check returns an error unless got is what a kernel may return.
func (s *sum) check(got float32) error {
	want := s.exact
	switch {
	case s.nan || s.plus && s.minus:
		want = math.NaN()
	case s.overflow:
		return nil
	case s.plus:
		want = math.Inf(1)
	case s.minus:
		want = math.Inf(-1)
	}
	g := float64(got)
	if want-want != 0 {
		if g == want || g != g && want != want {
			return nil
		}
		return fmt.Errorf("got %v, want %v", got, want)
	}
	k := float64(s.terms)
	gamma := (k + 4) / (1 << 24)
	bound := gamma/(1-gamma)*s.magnitude + k*tiny
	if s.flush {
		bound += s.flushed + 2*k*normal
	}
	if miss := math.Abs(g - want); !(miss <= bound) {
		return fmt.Errorf("got %v, want %v: off by %.3g, allowed %.3g (%d terms, sum of magnitudes %.3g)", got, want,
			miss, bound, s.terms, s.magnitude)
	}
	return nil
}

// usesDP reports whether kernels that have a form by VDPBF16PS run it.
func usesDP() bool { return cpu.Level == cpu.AVX512 && cpu.BF16 }

// kernel is one that computes sums of products of rows of a matrix with a vector.
type kernel struct {
	name   string
	format *format
	dp     bool // has a form by VDPBF16PS
	pair   func(x, y *uint16, n int) []float32
	rows   func(m, n int, a *uint16, lda int, x *uint16, y *float32)
	mixed  func(m, n int, a *uint16, lda int, x, y *float32)
	sums   func(flush bool, x, y []float32) []sum // what pair returns
}

func one(f func(x, y *uint16, n int) float32) func(x, y *uint16, n int) []float32 {
	return func(x, y *uint16, n int) []float32 { return []float32{f(x, y, n)} }
}

func three(f func(x, y *uint16, n int) (a, b, c float32)) func(x, y *uint16, n int) []float32 {
	return func(x, y *uint16, n int) []float32 {
		a, b, c := f(x, y, n)
		return []float32{a, b, c}
	}
}

func products(flush bool, x, y []float32) []sum {
	s := sum{flush: flush}
	for i, v := range x {
		s.add(v, y[i])
	}
	return []sum{s}
}

func distances(_ bool, x, y []float32) []sum {
	var s sum
	for i, v := range x {
		s.addDistance(v, y[i])
	}
	return []sum{s}
}

func cosines(flush bool, x, y []float32) []sum {
	return slices.Concat(products(flush, x, y), products(flush, x, x), products(flush, y, y))
}

var kernels = []kernel{
	{name: "DotB16", format: formats[0], dp: true, pair: one(DotB16), sums: products},
	{name: "DotH16", format: formats[1], pair: one(DotH16), sums: products},
	{name: "SqDistB16", format: formats[0], pair: one(SqDistB16), sums: distances},
	{name: "SqDistH16", format: formats[1], pair: one(SqDistH16), sums: distances},
	{name: "CosB16", format: formats[0], dp: true, pair: three(CosB16), sums: cosines},
	{name: "CosH16", format: formats[1], pair: three(CosH16), sums: cosines},
	{name: "RowsB16", format: formats[0], dp: true, rows: RowsB16, sums: products},
	{name: "RowsH16", format: formats[1], rows: RowsH16, sums: products},
	{name: "MixedRowsB16", format: formats[0], mixed: MixedRowsB16, sums: products},
	{name: "MixedRowsH16", format: formats[1], mixed: MixedRowsH16, sums: products},
}

// words is memory of halves with poison around and between rows, and what it was.
type words struct {
	all, was         []uint16
	Data             []uint16
	rows, cols, gaps int
}

const margin = 64

func (f *format) place(offset, rows, cols, gap int, draw func(int) float32) *words {
	size := rows*(cols+gap) - gap
	if rows == 0 {
		size = 0
	}
	w := &words{rows: rows, cols: cols, gaps: gap, all: make([]uint16, 2*margin+offset+max(size, 0))}
	for i := range w.all {
		w.all[i] = f.signal
	}
	w.Data = w.all[margin+offset:][:max(size, 0)]
	k := 0
	for i := range rows {
		for j := range cols {
			w.Data[i*(cols+gap)+j] = f.to(draw(k))
			k++
		}
	}
	w.was = slices.Clone(w.all)
	return w
}

// row is row i in float32.
func (f *format) row(w *words, i int) []float32 {
	x := make([]float32, w.cols)
	for j := range x {
		x[j] = f.from(w.Data[i*(w.cols+w.gaps)+j])
	}
	return x
}

func (w *words) changed() bool { return !slices.Equal(w.all, w.was) }

// scene is a kernel's arguments.
type scene struct {
	k       *kernel
	a, x    *words
	xs, y   prove.Memory[float32]
	m, n    int
	query   []float32
	results []float32
	sums    [2][]sum // what the results should be, and if denormal factors are taken as zeros
}

// place lays out m rows of n elements, or of kernels of pairs one.
func (k *kernel) place(m, n, at int, draw func(int) float32) *scene {
	gap := at / 7 % 4
	if k.pair != nil {
		m, gap = 1, 0
	}
	s := &scene{k: k, m: m, n: n}
	s.a = k.format.place(at%32, m, n, gap, draw)
	switch {
	case k.mixed != nil:
		s.xs.Place(at/3%16, 1, n, n, draw)
		s.query = slices.Clone(s.xs.Data)
	default:
		s.x = k.format.place(at/3%32, 1, n, 0, draw)
		s.query = k.format.row(s.x, 0)
	}
	s.y.Place(at/5%16, 1, m, m, func(int) float32 { return 7 })
	return s
}

// run calls the kernel and returns what it computed, or what is wrong with the memory.
func (s *scene) run() error {
	data, x := first(s.a.Data), (*uint16)(nil)
	if s.x != nil {
		x = first(s.x.Data)
	}
	switch {
	case s.k.pair != nil:
		s.results = s.k.pair(data, x, s.n)
	case s.k.rows != nil:
		s.k.rows(s.m, s.n, data, s.n+s.a.gaps, x, first(s.y.Data))
	default:
		s.k.mixed(s.m, s.n, data, s.n+s.a.gaps, first(s.xs.Data), first(s.y.Data))
	}
	if s.k.pair == nil {
		s.results = slices.Clone(s.y.Data)
		copy(s.y.Want(), s.y.Data)
	}
	if s.a.changed() || s.x != nil && s.x.changed() || s.x == nil && s.xs.Diff(false) != nil {
		return fmt.Errorf("an input changed")
	}
	return s.y.Diff(false)
}

// check holds the results of run to their bounds.
func (s *scene) check() error {
	way := 0
	if s.k.dp && usesDP() {
		way = 1
	}
	if s.sums[way] == nil {
		s.sums[way] = s.k.expect(s, way == 1)
	}
	sums := s.sums[way]
	if len(s.results) != len(sums) {
		return fmt.Errorf("%d results, want %d", len(s.results), len(sums))
	}
	for i := range sums {
		if err := sums[i].check(s.results[i]); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// expect computes the exact results.
func (k *kernel) expect(s *scene, flush bool) (sums []sum) {
	for i := range s.m {
		sums = append(sums, k.sums(flush, k.format.row(s.a, i), s.query)...)
	}
	return sums
}

func (s *scene) String() string { return fmt.Sprintf("%s m=%d n=%d", s.k.name, s.m, s.n) }

func first[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}
