package prove

import (
	"fmt"
	"math"
	"math/big"
)

// Sum is the exact value of a sum of products, and a bound on the error that any kernel may make that
//
//   - rounds each term at most three times (a product of three factors, or the square of a rounded difference),
//   - adds the k terms in any order, fused with their products or not,
//   - and rounds the result once more.
//
// Each term then meets at most k+3 factors 1+δ, |δ| <= u = 2⁻²⁴ or 2⁻⁵³: the error is at most γ(k+3) Σ|terms| with
// γ(i) = iu/(1-iu) (Higham, Accuracy and Stability of Numerical Algorithms, lemma 3.1). One more u covers the rounding
// of the bound itself and of a float64 as the exact value of float32 sums. Additions lose nothing to underflow; a
// product f*g of three factors loses at most half the smallest denormal η, times the third factor, and half of η again:
// at most η max(1,|f|) max(1,|g|) max(1,|h|) a term, whose sum is called reach. While reach is far below the largest
// number no order of the factors or of the terms overflows.
type Sum[T Float] struct {
	terms      int
	magnitude  float64 // Σ|terms|
	reach      float64
	shrink     float64 // the least product of factors below 1
	nonFinite  bool    // some factor was NaN or infinite; the exact value then is unknown
	plain      float64 // the exact value for float32: products of two are exact, so is the sum but for 2⁻⁵³ a step
	exact, tmp *big.Float
}

const exactBits = 256 // a product of three float64 needs 159

// Reset makes s an empty sum.
func (s *Sum[T]) Reset() {
	if s.exact == nil {
		s.exact, s.tmp = new(big.Float).SetPrec(exactBits), new(big.Float).SetPrec(exactBits)
	}
	*s = Sum[T]{shrink: 1, exact: s.exact.SetInt64(0), tmp: s.tmp}
}

// Add adds the term f*g*h.
func (s *Sum[T]) Add(f, g, h T) {
	a, b, c := float64(f), float64(g), float64(h)
	if !s.note(a*b*c, a, b, c) {
		return
	}
	if IsF32[T]() {
		s.plain += a * b * c
		return
	}
	t := s.tmp.SetFloat64(a)
	for _, v := range []float64{b, c} {
		if v != 1 {
			t.Mul(t, new(big.Float).SetFloat64(v))
		}
	}
	s.exact.Add(s.exact, t)
}

// AddSquare adds the term (f-g)².
func (s *Sum[T]) AddSquare(f, g T) {
	a, b := float64(f), float64(g)
	d := a - b
	if !s.note(d*d, max(math.Abs(a), math.Abs(b)), max(math.Abs(a), math.Abs(b)), 1) {
		return
	}
	if IsF32[T]() {
		s.plain += d * d
		return
	}
	t := s.tmp.SetFloat64(a)
	t.Sub(t, new(big.Float).SetFloat64(b))
	s.exact.Add(s.exact, t.Mul(t, t))
}

// AddDifference adds the term f-g.
func (s *Sum[T]) AddDifference(f, g T) {
	a, b := float64(f), float64(g)
	if !s.note(a-b, max(math.Abs(a), math.Abs(b)), 2) {
		return
	}
	if IsF32[T]() {
		s.plain += a - b
		return
	}
	t := s.tmp.SetFloat64(a)
	s.exact.Add(s.exact, t.Sub(t, new(big.Float).SetFloat64(b)))
}

// note books a term and reports whether all terms up to now are finite.
func (s *Sum[T]) note(term float64, factors ...float64) bool {
	s.terms++
	reach, shrink := 1.0, 1.0
	for _, f := range factors {
		f = math.Abs(f)
		if math.IsNaN(f) || math.IsInf(f, 0) {
			s.nonFinite = true
			continue
		}
		reach *= max(1, f)
		if f > 0 {
			shrink *= min(1, f)
		}
	}
	s.magnitude += math.Abs(term)
	s.reach += reach
	s.shrink = min(s.shrink, shrink)
	return !s.nonFinite
}

// Finite reports whether every factor was finite.
func (s *Sum[T]) Finite() bool { return !s.nonFinite }

// NoOverflow reports whether no order of factors and terms can overflow.
func (s *Sum[T]) NoOverflow() bool { return s.reach < float64(Max[T]())/8 }

// NoUnderflow reports whether no product of some of a term's factors is denormal, unless one of them is zero.
func (s *Sum[T]) NoUnderflow() bool {
	return s.shrink > 1/float64(Max[T]()) // about four times the smallest normal
}

// Bound returns the error that is allowed.
func (s *Sum[T]) Bound() float64 {
	i := float64(s.terms+4) * Unit[T]()
	return i/(1-i)*s.magnitude + 2*s.reach*float64(Tiny[T]())
}

// Check returns an error unless got is within Bound of the exact value. Ask it only for finite sums without overflow.
func (s *Sum[T]) Check(got T) error {
	g := float64(got)
	if math.IsNaN(g) || math.IsInf(g, 0) {
		return fmt.Errorf("got %v, want a finite sum near %v", got, s.value())
	}
	miss := g - s.plain
	if !IsF32[T]() {
		miss, _ = s.tmp.Sub(s.tmp.SetFloat64(g), s.exact).Float64()
	}
	if bound := s.Bound(); !(math.Abs(miss) <= bound) {
		return fmt.Errorf("got %v, want %v: off by %.3g, allowed %.3g (%d terms, sum of their magnitudes %.3g)", got,
			s.value(), miss, bound, s.terms, s.magnitude)
	}
	return nil
}

func (s *Sum[T]) value() float64 {
	if IsF32[T]() {
		return s.plain
	}
	v, _ := s.exact.Float64()
	return v
}
