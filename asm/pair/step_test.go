package pair

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// dual is a dual of ranking in small numbers, with which all that a scan computes but for quotients is exact:
//
//	sum of (lin x - pen x²) - C max_j beta_j - 1/2 x'Kx,  lo <= x <= hi
//
// Its first positive variables are alpha, the others -beta.
type dual struct {
	positive    int
	x, lin, pen []float64
	lo, hi      []float64
	k           [][]float64
	c           float64
}

func drawDual(rng *rand.Rand, hinge bool) *dual {
	n := 2 + rng.IntN(9)
	d := &dual{positive: 1 + rng.IntN(n-1), k: make([][]float64, n)}
	z, pen := make([][4]float64, n), [2]float64{}
	if !hinge {
		pen = [2]float64{0.25 * float64(1+rng.IntN(3)), 0.25 * float64(rng.IntN(3))}
	}
	for i := range n {
		for j := range z[i] {
			z[i][j] = float64(rng.IntN(5) - 2)
		}
		x, hi := float64(rng.IntN(9))/8, math.Inf(1)
		if hinge && i < d.positive {
			hi = 1
		}
		d.pen = append(d.pen, pen[min(i/d.positive, 1)])
		if i < d.positive {
			d.x, d.lo, d.hi, d.lin = append(d.x, x), append(d.lo, 0), append(d.hi, hi), append(d.lin, 1)
		} else {
			d.x, d.lo, d.hi, d.lin = append(d.x, -x), append(d.lo, -hi), append(d.hi, 0), append(d.lin, -0.5)
		}
	}
	for i := range n {
		for _, other := range z {
			dot := 0.0
			for j, v := range z[i] {
				dot += v * other[j]
			}
			d.k[i] = append(d.k[i], dot)
		}
	}
	if hinge {
		d.c = float64(rng.IntN(9)) / 4
	}
	return d
}

func number(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }

// after is what the dual gains by a step of the pair, exactly.
func (d *dual) after(k, l int, step float64) float64 {
	x := make([]*big.Float, len(d.x))
	for i, v := range d.x {
		x[i] = number(v)
	}
	gain := number(0).Neg(d.value(x))
	x[k].Add(x[k], number(step))
	x[l].Sub(x[l], number(step))
	v, _ := gain.Add(gain, d.value(x)).Float64()
	return v
}

func (d *dual) value(x []*big.Float) *big.Float {
	sum, top, t := number(0), number(0), number(0)
	for i, v := range x {
		kx := number(0)
		for j, w := range x {
			kx.Add(kx, t.Mul(number(d.k[i][j]), w))
		}
		kx.Quo(kx, number(2))
		kx.Add(kx, t.Mul(number(d.pen[i]), v))
		sum.Add(sum, t.Mul(v, kx.Sub(number(d.lin[i]), kx)))
		t.Neg(v)
		if i >= d.positive && t.Cmp(top) > 0 {
			top.Set(t)
		}
	}
	return sum.Sub(sum, t.Mul(number(d.c), top))
}

// scanOf is the scan of k for the partners from first to last, as solvers make it.
func scanOf[R, T prove.Float](d *dual, k, first, last int, kinks bool) *scan[R, T] {
	n := last - first
	s := &scan[R, T]{kinks: kinks, row: make([]R, n), q: make([]R, n), f: make([]T, n), x: make([]T, n)}
	scores := make([]float64, len(d.x))
	for i := range d.x {
		for j, v := range d.x {
			scores[i] += d.k[i][j] * v
		}
	}
	for l := range n {
		s.row[l], s.q[l] = R(d.k[k][first+l]), R(d.k[first+l][first+l])
		s.f[l], s.x[l] = T(scores[first+l]), T(d.x[first+l])
	}
	pen, room := d.pen[first], T(d.lo[first])
	a := T(d.k[k][k] + 2*d.pen[k] + 2*pen)
	b := T(d.lin[k] - scores[k] - 2*d.pen[k]*d.x[k] - d.lin[first])
	below, above := T(d.lo[k]-d.x[k]), T(d.hi[k]-d.x[k])
	s.p = Scan[T]{A: a, Least: 0x1p-10, B: b, P: T(2 * pen),
		L0: below, L1: 1, L2: T(-d.hi[first]), U0: above, U1: 1, U2: -room}

	others := make([]float64, 2, len(d.x)) // beta but for k; those that lack are 0
	top := 0.0
	for i := d.positive; i < len(d.x); i++ {
		top = max(top, -d.x[i])
		if i != k {
			others = append(others, -d.x[i])
		}
	}
	slices.Sort(others)
	slices.Reverse(others)
	beta := func(i int, v float64) T {
		if i < d.positive {
			return T(math.Inf(-1))
		}
		return T(v)
	}
	s.kp = Kinks[T]{A: a, Least: 0x1p-10, B: b, L0: below, L1: s.p.L2, U0: above, U1: s.p.U2,
		C: T(d.c), K: beta(k, -d.x[k]-top), L: beta(first, -top), First: T(others[0] - top), Second: T(others[1] - top)}
	return s
}

// casesOf is the best step by the cases of the dual with -C max_j beta_j, in which a minimum is sought of a smooth part
// with slope b and curvature a along the step as it is taken there: alpha_k and beta_l grow, or beta_k grows and beta_l
// falls.
//
//	alpha, beta  max(min(-b/a, bmax - beta_l), -(b + c)/a)
//	beta, beta   five cases by the kinks KL = beta_l - bmax and KR = bmax - beta_k, both in the middle where KL > KR
//
// bmax is the largest beta of all but the two. The step is then brought into its box.
func (d *dual) casesOf(k, l int, b, a float64) float64 {
	bmax := 0.0
	for i := d.positive; i < len(d.x); i++ {
		if i != k && i != l {
			bmax = max(bmax, -d.x[i])
		}
	}
	step, c := b/a, d.c
	switch alphaK, alphaL := k < d.positive, l < d.positive; {
	case alphaK && !alphaL:
		step = max(min(b/a, bmax+d.x[l]), -(-b+c)/a)
	case !alphaK && alphaL: // the same with the step the other way
		step = -max(min(-b/a, bmax+d.x[k]), -(b+c)/a)
	case !alphaK:
		kl, kr := -d.x[l]-bmax, bmax+d.x[k]
		if kl > kr {
			kl = (d.x[k] - d.x[l]) / 2
			kr = kl
		}
		g1, g2, g3 := -b/a, -(b+c)/a, -(b-c)/a
		switch {
		case g3 <= kl:
			step = -g3
		case g1 <= kl:
			step = -kl
		case g1 <= kr:
			step = -g1
		case g2 <= kr:
			step = -kr
		default:
			step = -g2
		}
	}
	lo, hi := max(d.lo[k]-d.x[k], d.x[l]-d.hi[l]), min(d.hi[k]-d.x[k], d.x[l]-d.lo[l])
	return min(max(step, lo), hi)
}

// TestStep: each partner's step is the best on the exact dual, and its gain what the dual then gains; of many partners
// the one with the largest gain is found.
//
// All but quotients is exact. With g the largest of the quotients in size, each rounded up to three times, the step is
// within e = 3 u g of the best, as min and max bring numbers no further apart; and between the two the slope is not
// above a e in size: the dual is within a e² of its best. Its gain is then a sum of three products, each of which is
// rounded up to four times, with the last sum: 5 u of their sizes.
func TestStep(t *testing.T) {
	everyScan(t, testStep[float32, float32], testStep[float64, float64], testStep[float32, float64])
}

func testStep[R, T prove.Float](t *testing.T, kinks bool) {
	rng, u := prove.Rand(7), prove.Unit[T]()
	duals := 30
	if testing.Short() {
		duals = 2
	}
	if prove.Quick() {
		duals = 1
	}
	for range duals {
		d := drawDual(rng, kinks)
		for k := range d.x {
			for _, group := range [][2]int{{0, d.positive}, {d.positive, len(d.x)}} {
				s := scanOf[R, T](d, k, group[0], group[1], kinks)
				best := answer[T]{best: -1}
				for i := range s.x {
					l := group[0] + i
					got := s.one(i).run()
					if got.best == 0 && got.gain > best.gain {
						best = answer[T]{i, got.gain, got.d}
					}
					if l == k {
						continue
					}
					flat := d.k[k][k] + d.k[l][l] - 2*d.k[k][l] + 2*d.pen[k] + 2*d.pen[l]
					a := max(flat, 0x1p-10)
					b := float64(s.p.B) + float64(s.f[i]) + float64(s.p.P)*float64(s.x[i])
					e := 3 * u * (math.Abs(b) + d.c) / a
					want := d.casesOf(k, l, b, a)
					value := func(step float64) float64 { // of a dual whose curvature is a
						return d.after(k, l, step) - (a-flat)/2*step*step
					}
					step := float64(got.d)
					size := math.Abs(b*step) + a/2*step*step
					if kinks {
						size += d.c * (math.Abs(step) + 2)
					}
					if got.best != 0 {
						// The best step gains no more than what rounding can hide.
						size = math.Abs(b*want) + a/2*want*want + d.c*(math.Abs(want)+2)
						if gain := value(want); gain > a*e*e+5*u*size {
							t.Fatalf("%+v: k = %d, l = %d: %v would gain %v", d, k, l, want, gain)
						}
						continue
					}
					if !(math.Abs(step-want) <= e) {
						t.Fatalf("%+v: k = %d, l = %d: step %v, want %v within %v", d, k, l, step, want, e)
					}
					if !(math.Abs(float64(got.gain)-value(step)) <= 5*u*size) {
						t.Fatalf("%+v: k = %d, l = %d: gain %v, want %v", d, k, l, got.gain, value(step))
					}
					lo, hi := max(d.lo[k]-d.x[k], d.x[l]-d.hi[l], -4), min(d.hi[k]-d.x[k], d.x[l]-d.lo[l], 4)
					for j := range 9 {
						if other := lo + (hi-lo)*float64(j)/8; value(other) > value(step)+a*e*e+1e-15*size {
							t.Fatalf("%+v: k = %d, l = %d: %v gains %v, %v would gain %v", d, k, l, step, value(step),
								other, value(other))
						}
					}
				}
				if got := s.run(); !got.same(best) {
					t.Fatalf("%+v: k = %d: %+v, the best of single ones is %+v", d, k, got, best)
				}
			}
		}
	}
}
