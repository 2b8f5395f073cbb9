package entropy

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// visit is an example with m classes: dual variables, scores, the true class or -1, the squared norm, and r.
type visit[T prove.Float] struct {
	a, s []T
	y    int
	h, r float64
	near float64
}

// draw makes up a visit: dual variables of the simplex, or all 0, scores of the given size, c = h r of the given size.
func draw[T prove.Float](rng *rand.Rand, m int, size, c float64) *visit[T] {
	v := &visit[T]{a: make([]T, m), s: make([]T, m), y: rng.IntN(m+1) - 1, near: nearOf[T]()}
	v.r = math.Exp(2 * rng.NormFloat64())
	v.h = c / v.r
	total, zero := 0.0, rng.IntN(4) == 0
	p := make([]float64, m)
	for j := range p {
		v.s[j] = T(size * rng.NormFloat64())
		p[j] = rng.ExpFloat64()
		if rng.IntN(3) == 0 || zero && j != v.y {
			p[j] = 0
		}
		total += p[j]
	}
	for j := range p {
		if j != v.y && total > 0 {
			v.a[j] = -T(v.r * p[j] / total)
		}
	}
	if v.y >= 0 && total > 0 {
		v.a[v.y] = T(v.r * (1 - p[v.y]/total))
	}
	return v
}

func nearOf[T prove.Float]() float64 {
	if prove.IsF32[T]() {
		return 0x1p-9
	}
	return 0x1p-14
}

func beginOf[T prove.Float]() func(a, s *T, u, sums *float64, m int, shift float64) {
	return prove.Pick[T, func(a, s *T, u, sums *float64, m int, shift float64)](BeginF32, BeginF64)
}

func stepOf[T prove.Float]() func(a, delta *T, u *float64, m, y int, q *float64) int {
	return prove.Pick[T, func(a, delta *T, u *float64, m, y int, q *float64) int](StepF32, StepF64)
}

// memory is where a visit takes place: every array between poison.
type memory[T prove.Float] struct {
	a, s, delta prove.Memory[T]
	u           prove.Memory[float64]
	sums        [2]float64
	q           Problem
}

func (w *memory[T]) place(v *visit[T], at int) {
	m := len(v.a)
	w.a.Place(at%16, 1, m, m, func(i int) T { return v.a[i] })
	w.s.Place((at+5)%16, 1, m, m, func(i int) T { return v.s[i] })
	w.delta.Place((at+3)%16, 1, m, m, func(int) T { return prove.Poison[T]() })
	w.u.Place(at%8, 1, Rows*room(m), Rows*room(m), func(int) float64 { return prove.Poison[float64]() })
}

func (w *memory[T]) begin(v *visit[T], shift float64) {
	beginOf[T]()(&w.a.Data[0], &w.s.Data[0], &w.u.Data[0], &w.sums[0], len(v.a), shift)
}

func (w *memory[T]) step(v *visit[T]) (outcome int) {
	total := w.sums[0]
	c := v.h * v.r
	w.q = Problem{H: v.h, Plus: c, C: c / total, Total: total, Top: math.Log(total), Near: v.near}
	w.q.Scale, w.q.Small = v.r/total, total*0x1p-20
	w.q.Shrunk = w.q.Scale * (1 - 0x1p-10)
	return stepOf[T]()(&w.a.Data[0], &w.delta.Data[0], &w.u.Data[0], len(v.a), v.y, &w.q.H)
}

// unchanged asks that nothing around the arrays has been written, and no score.
func (w *memory[T]) unchanged(t *testing.T, tier cpu.Tier) {
	t.Helper()
	copy(w.a.Want(), w.a.Data)
	copy(w.delta.Want(), w.delta.Data)
	copy(w.u.Want(), w.u.Data)
	for _, x := range []*prove.Memory[T]{&w.a, &w.s, &w.delta} {
		if err := x.Diff(false); err != nil {
			t.Fatalf("%v: %v", tier, err)
		}
	}
	if err := w.u.Diff(false); err != nil {
		t.Fatalf("%v: %v", tier, err)
	}
}

// checkBegin: l is rounded once; p is wrong by one unit in the last place at most, as math.Exp is; a sum of m terms by
// (m+3) 2^-53 of their magnitudes, and the error of p is larger by the two units of each.
func (w *memory[T]) checkBegin(t *testing.T, tier cpu.Tier, v *visit[T], shift float64) {
	t.Helper()
	m := len(v.a)
	_, l, p := rows(&w.u.Data[0], m)
	sum, dot, size := 0.0, 0.0, 0.0
	for j, s := range v.s {
		if want := float64(s) - shift; l[j] != want {
			t.Fatalf("%v, m = %d: l[%d] = %v, want %v", tier, m, j, l[j], want)
		}
		e := math.Exp(l[j])
		if !(math.Abs(p[j]-e) <= 0x1p-51*e+0x1p-1073) {
			t.Fatalf("%v, m = %d: p[%d] = %v, want %v", tier, m, j, p[j], e)
		}
		sum += e
		dot += float64(v.a[j]) * float64(s)
		size += math.Abs(float64(v.a[j]) * float64(s))
	}
	if !(math.Abs(w.sums[0]-sum) <= float64(m+11)*0x1p-52*sum) ||
		!(math.Abs(w.sums[1]-dot) <= float64(m+3)*0x1p-52*size) {
		t.Fatalf("%v, m = %d: sums %v, want %v and %v", tier, m, w.sums, sum, dot)
	}
}

// checkStep puts what the step comes to into the equations. The p that the kernel rounds has a relative error of
//
//	bound = 2.5 near⁴ (package loss) + (m + 16 + |z| + |t| + |l| + c p) 2^-53
//
// for the residual is of four numbers, and the sum of p of m. It moves the residual by 1 + c p times as much, to which
// the rounding of x adds.
func (w *memory[T]) checkStep(t *testing.T, tier cpu.Tier, v *visit[T], old []T, outcome int) {
	t.Helper()
	m, q := len(v.a), &w.q
	z, l, p := rows(&w.u.Data[0], m)
	scale := q.Scale
	if v.y >= 0 && p[v.y] < q.Small {
		scale = q.Shrunk
	}
	sum, logs, worst, moved, all := 0.0, 0.0, 0.0, 0, 0.0
	for j, a := range w.a.Data {
		c := v.h * v.r
		want := l0(v, w, j) - v.h*float64(old[j])
		if j == v.y {
			want += c
		}
		if !(math.Abs(z[j]-want) <= 0x1p-51*(math.Abs(want)+v.h*math.Abs(float64(old[j]))+c)) {
			t.Fatalf("%v, m = %d, y = %d: z[%d] = %v, want %v", tier, m, v.y, j, z[j], want)
		}
		x := -float64(a)
		if j == v.y {
			if x != 0 || w.delta.Data[j] != 0 {
				t.Fatalf("%v, m = %d, y = %d: a[y] = %v by %v, want 0", tier, m, v.y, a, w.delta.Data[j])
			}
			x = scale * last(z[j]-q.Shift, l[j], p[j], q.C)
			all += x / scale
			continue
		}
		if d := a - old[j]; w.delta.Data[j] != d {
			t.Fatalf("%v, m = %d, y = %d: delta[%d] = %v, want %v", tier, m, v.y, j, w.delta.Data[j], d)
		} else if d != 0 {
			moved = 1
		}
		if !(x >= 0) {
			t.Fatalf("%v, m = %d, y = %d: a[%d] = %v", tier, m, v.y, j, a)
		}
		all += x / scale
		sum += x
		if x < 0x1p-120*max(1, scale) { // near the denormal numbers of float32, or p is
			continue
		}
		pj := x / scale
		logs += x * math.Log(pj)
		cp := q.C * pj
		e := z[j] - q.Shift - cp - math.Log(pj)
		bound := 2.5*math.Pow(v.near, 4) + (float64(m)+16+math.Abs(z[j])+math.Abs(q.Shift)+math.Abs(l[j])+cp)*0x1p-53
		worst = max(worst, math.Abs(e)/((1+cp)*(bound+prove.Unit[T]())))
	}
	if !(worst <= 1) {
		t.Fatalf("%v, m = %d, y = %d, c = %v: residual of %v bounds", tier, m, v.y, v.h*v.r, worst)
	}
	bound := 2.5*math.Pow(v.near, 4) + 2*prove.Unit[T]() + float64(m+16)*0x1p-52*(1+math.Abs(q.Shift)+math.Abs(q.Top))
	if !(math.Abs(all-q.Total) <= bound*q.Total) {
		t.Fatalf("%v, m = %d, y = %d, c = %v: the sum of p is %v, want %v", tier, m, v.y, v.h*v.r, all, q.Total)
	}
	if !(math.Abs(q.Sum-sum) <= float64(m)*0x1p-52*sum) {
		t.Fatalf("%v, m = %d, y = %d: Sum %v, want %v", tier, m, v.y, q.Sum, sum)
	}
	size := v.r * (1 + math.Abs(math.Log(scale)) + math.Log(float64(m)))
	if !(math.Abs(q.Logs-logs) <= float64(m+16)*0x1p-51*size) {
		t.Fatalf("%v, m = %d, y = %d: Logs %v, want %v", tier, m, v.y, q.Logs, logs)
	}
	if outcome != moved {
		t.Fatalf("%v, m = %d, y = %d: outcome %d, want %d", tier, m, v.y, outcome, moved)
	}
}

// l0 is the l that a step began with.
func l0[T prove.Float](v *visit[T], w *memory[T], j int) float64 {
	return float64(v.s[j]) - w.shift()
}

func (w *memory[T]) shift() float64 { return float64(slices.Max(w.s.Data)) }

// last is p(e).
func last(z, l, p, c float64) float64 {
	w := c * p
	e, g := z-w-l, 1/(1+w)
	return p * (1 + g*e*(1+0.5*g*g*e*(1+g*g*(1-2*w)*e/3)))
}

// TestVisit: on all numbers of classes, each as the true one or none, sizes of scores and of c over decades, three
// times in turn, the scores changing between.
func TestVisit(t *testing.T) { prove.Both(t, testVisit[float32], testVisit[float64]) }

func testVisit[T prove.Float](t *testing.T) {
	rng, refused, all := prove.Rand(1), 0, 0
	sizes := []int{257, 1000}
	for m := 1; m <= 130; m++ {
		sizes = append(sizes, m, m, m, m)
	}
	for i, m := range sizes {
		first := draw[T](rng, m, math.Exp(2*rng.NormFloat64()-1), math.Exp(2*rng.NormFloat64()))
		prove.Tiers(func(tier cpu.Tier) {
			v, change := *first, prove.Rand(uint64(i))
			for range 3 {
				var w memory[T]
				w.place(&v, i)
				w.begin(&v, w.shift())
				w.unchanged(t, tier)
				w.checkBegin(t, tier, &v, w.shift())
				outcome := w.step(&v)
				w.unchanged(t, tier)
				all++
				if outcome == Refused {
					refused++
					if !slices.Equal(w.a.Data, v.a) {
						t.Fatalf("%v, m = %d: refused, and a changed", tier, m)
					}
					break
				}
				w.checkStep(t, tier, &v, v.a, outcome)
				v.a, v.s = slices.Clone(w.a.Data), slices.Clone(v.s)
				if v.y >= 0 {
					v.a[v.y] = T(w.q.Sum)
				}
				for j, d := range w.delta.Data {
					v.s[j] += T(v.h)*d + T(0.1*change.NormFloat64())
				}
			}
		})
	}
	if refused > all/100 {
		t.Errorf("%d of %d steps refused", refused, all)
	}
}
