package box

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/prove"
)

// visit is an example with its scores and dual variables.
type visit[T prove.Float] struct {
	squared      bool // the squared hinge
	a, s         []T
	c, lo, hi    []T
	inv, bend, r T
	least        float64
}

type kernelOf[T prove.Float] func(a, s, delta *T, m int, p *Problem[T], inv T, least float64) (gap, after float64,
	outcome int)

func (v *visit[T]) kernel() kernelOf[T] {
	if v.squared {
		return prove.Pick[T, kernelOf[T]](kernelOf[float32](SquaredF32), kernelOf[float64](SquaredF64))
	}
	return prove.Pick[T, kernelOf[T]](kernelOf[float32](HingeF32), kernelOf[float64](HingeF64))
}

// problem points to arrays, which are the visit's own or a test's.
func (v *visit[T]) problem(c, lo, hi []T) *Problem[T] {
	return &Problem[T]{C: &c[0], Lo: &lo[0], Hi: &hi[0], Bend: v.bend, R: v.r}
}

// draw makes up a visit of m labels, true and false: scores of the given size, costs about unit, dual variables at
// either end of their interval, and between. r is a power of two, so that bend is 1/(2r), and so is inv.
func draw[T prove.Float](rng *rand.Rand, m int, size, unit float64, squared bool) *visit[T] {
	v := &visit[T]{squared: squared, a: make([]T, m), s: make([]T, m), c: make([]T, m), lo: make([]T, m),
		hi:  make([]T, m),
		inv: T(math.Ldexp(1, rng.IntN(9)-4)), least: math.Inf(-1)}
	v.r = T(math.Ldexp(1, rng.IntN(9)-4))
	v.bend = 0.5 / v.r
	settled := rng.IntN(4) == 0 // most at the end that the score pulls to
	for l := range v.a {
		margin := T(size * (0.5 + rng.Float64()))
		v.s[l] = T(size * (0.5 + 2*rng.NormFloat64()))
		u := T(unit * (0.5 + rng.Float64()))
		switch rng.IntN(3) {
		case 0:
			v.a[l] = u
		case 1:
			v.a[l] = u * T(rng.Float64())
		}
		if settled && rng.IntN(5) > 0 {
			v.a[l] = 0
			if margin > v.s[l] {
				v.a[l] = u
			}
		}
		v.c[l], v.hi[l] = margin, u
		if squared {
			v.hi[l] = prove.Max[T]()
			if rng.IntN(2) == 0 {
				v.hi[l] = T(math.Inf(1))
			}
		}
		if rng.IntN(2) == 0 { // a label that is not true
			v.a[l], v.s[l], v.c[l], v.lo[l], v.hi[l] = -v.a[l], -v.s[l], -v.c[l], -v.hi[l], 0
		}
	}
	return v
}

// solution is what a visit comes to, of 400 bits, and how far computed numbers may be from it. See solve.
type solution struct {
	gap, gapBound float64
	x, xBound     []float64
}

func number(v float64) *big.Float      { return new(big.Float).SetPrec(400).SetFloat64(v) }
func plus(a, b *big.Float) *big.Float  { return number(0).Add(a, b) }
func minus(a, b *big.Float) *big.Float { return number(0).Sub(a, b) }
func times(a, b *big.Float) *big.Float { return number(0).Mul(a, b) }

func toFloat(v *big.Float) float64 {
	f, _ := v.Float64()
	return f
}

// rounded is the relative error of a number that n operations have rounded, one after the other: (1+u)^n - 1 and less.
func rounded[T prove.Float](n int) float64 {
	nu := float64(n) * prove.Unit[T]()
	return nu / (1 - nu)
}

// solve takes the gap from its definition. q, hi - a and their product are rounded once, and so is each sum that the
// product becomes part of: that makes m + 3 roundings, and no term is negative.
//
// Of the squared hinge w and bend a are rounded once, and so is their difference e: it is within E = 2 u (|w| + |bend
// a|). This makes r (2 |e| E + E²); to r e² and a (w - q) rounding adds m + 6 times u, no term being negative.
//
// x is within three roundings of a and q inv, or four of a, q inv and bend a inv: clipping brings numbers no further
// apart.
//
// Where a product is denormal it is wrong by the smallest denormal number: there are up to four for each label, of
// which r or inv may make more.
func (v *visit[T]) solve() *solution {
	m, gap, sizes, extra := len(v.a), number(0), 0.0, 0.0
	tiny := float64(prove.Tiny[T]()) * (4 + float64(v.r) + float64(v.inv))
	sol := &solution{}
	for l := range v.a {
		a, s, c := number(float64(v.a[l])), number(float64(v.s[l])), number(float64(v.c[l]))
		lo, hi := float64(v.lo[l]), float64(v.hi[l])
		q, inv, bend := minus(c, s), number(float64(v.inv)), number(float64(v.bend))
		term, ba := minus(times(a, s), times(c, a)), times(bend, a)
		step, roundings := q, 3
		size := math.Abs(toFloat(a)) + math.Abs(toFloat(q))*float64(v.inv)
		if v.squared {
			w := number(0)
			if hi > 0 == (q.Sign() > 0) {
				w = q
			}
			term = plus(term, plus(times(number(float64(v.r)), times(w, w)), times(number(0.5), times(ba, a))))
			e, E := math.Abs(toFloat(minus(w, ba))), rounded[T](2)*(math.Abs(toFloat(w))+math.Abs(toFloat(ba)))+tiny
			extra += float64(v.r) * E * (2*e + E)
			sizes += float64(v.r)*(e+E)*(e+E) + math.Abs(toFloat(a)*toFloat(minus(w, q)))
			step, roundings = minus(q, ba), 4
			size += math.Abs(toFloat(ba)) * float64(v.inv)
		} else {
			cost := number(max(hi, -lo))
			if hi > 0 == (q.Sign() > 0) && q.Sign() != 0 { // margin > t s
				term = plus(term, times(cost, number(0).Abs(q)))
			}
			sizes += toFloat(term)
		}
		gap = plus(gap, term)
		x := toFloat(plus(a, times(step, inv)))
		sol.x = append(sol.x, min(max(x, lo), hi))
		sol.xBound = append(sol.xBound, rounded[T](roundings)*size+tiny)
	}
	sol.gap = toFloat(gap)
	sol.gapBound = extra + rounded[T](m+6)*sizes + float64(m)*tiny
	return sol
}
