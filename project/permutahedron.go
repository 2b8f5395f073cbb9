package project

import (
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Permutahedron sets dst to the biased projection of a onto the vectors x >= 0 that lie below the permutahedron of r
// beta, for k weights beta_1 >= ... >= beta_k >= 0,
//
//	argmin 1/2 |a - x|² + rho/2 <1,x>²  over  x >= 0,  x_[1] + ... + x_[j] <= r (beta_1 + ... + beta_min(j,k)), all j.
//
// It is the effective domain of the conjugate of sum_j r beta_j max(0, a_[j]). With beta_j = 1/k it is the set of
// [TopKSimplexBeta].
//
// Let v be the falling vector that is nearest to a_[j] - r beta_j, j = 1..d, where beta_j = 0 for j > k: means over
// pools of neighbours. Then
//
//	x = max(0, a - max(v, rho s)),  s = <1,x>,
//
// each element with the v of its place. The thresholds are T, to which an element must not fall, the larger of rho s
// and the v of the k-th largest element; U = r beta_1, the largest x_i there can be; and Lambda = max(0, v - rho s) of
// that element, the multiplier of the bound on <1,x>.
//
// dst and a have the same length d; they may be the same slice and may not overlap otherwise. An element -Inf stands
// for its limit. NaN or +Inf in a makes dst and the thresholds NaN. Permutahedron panics unless the lengths agree, 1 <=
// k <= d, beta is finite, falls and ends at 0 or above, and r and rho are finite and at least 0.
//
// The v are computed by pooling adjacent violators, s by bisection over the pools. Only the k largest elements and
// those above the v of the k-th of them are looked at: O(d + k log k) as a rule. Errors are relative to U and to T.
func Permutahedron[T vec.Float](dst, a []T, beta []float64, r, rho T, w *Workspace[T]) Thresholds {
	checkPermutahedron("Permutahedron", dst, a, beta, r, rho)
	if w == nil {
		w = newWorkspace[T]()
	}
	k := len(beta)
	v, ok := w.largest(a, k)
	if !ok || math.IsInf(v[0], 1) {
		return undefined(dst)
	}
	for len(v) > 0 && !(v[len(v)-1] > 0) {
		v = v[:len(v)-1] // zeros
	}
	p := pools{v: v, list: w.pools[:0]}
	bottom := math.Inf(-1)
	if len(v) == k {
		p.c = v[k-1]
		for j := range v {
			v[j] -= p.c
		}
	}
	p.add(beta, float64(r))
	if len(v) == k {
		if bottom = p.level(len(p.list) - 1); bottom < 0 {
			p.v = w.others(v, a, p.c, bottom)
			vec.SortDescending(p.v[k:])
			p.add(nil, 0)
			bottom = p.level(len(p.list) - 1)
		}
	}
	w.pools = p.list
	t := p.bias(float64(rho))
	if t-t != 0 {
		return undefined(dst)
	}
	th := Thresholds{T: p.c + max(t, bottom), U: float64(r) * beta[0], Lambda: max(0, bottom-t)}
	least := max(t, bottom)
	for i, ai := range a {
		x := float64(ai) - p.c
		if x > least {
			x = min(max(0, p.at(x, t)), th.U)
		} else {
			x = 0
		}
		dst[i] = T(x)
		switch {
		case x >= th.U && x > 0:
			th.Cap++
		case x > 0:
			th.Mid++
		}
	}
	return th
}

// pool is a run of neighbours among the largest elements, of which v is the mean of a_[j] - r beta_j. Sums are
// relative to the first of them: they lie within r beta_1 of each other, wherever they are.
type pool struct {
	first, last float64 // elements
	sum, weight float64 // of a_[j] - first, and of r beta_j
	below       float64 // the sum of r beta_j up to the end of the pool
	end         int     // the number of elements up to there
	n           float64
}

// over returns v - first.
func (p *pool) over() float64 { return (p.sum - p.weight) / p.n }

// pools are the largest elements, relative to c, in pools of falling v.
type pools struct {
	v    []float64 // sorted downwards
	c    float64
	list []pool
}

func (p *pools) level(b int) float64 { return p.list[b].first + p.list[b].over() }

// add puts the elements of v that are in no pool yet into pools, with the weights r beta. It ends at the first element
// without a weight that is not above the last v: from there on x is 0.
func (p *pools) add(beta []float64, r float64) {
	first := 0
	if len(p.list) > 0 {
		first = p.list[len(p.list)-1].end
	}
	for j := first; j < len(p.v); j++ {
		x, weight := p.v[j], 0.0
		if j < len(beta) {
			weight = r * beta[j]
		} else if !(x > p.level(len(p.list)-1)) {
			break
		}
		p.list = append(p.list, pool{first: x, last: x, weight: weight, n: 1, end: j + 1})
		for n := len(p.list); n > 1; n-- {
			a, b := &p.list[n-2], p.list[n-1]
			apart := b.first - a.first
			if !(apart+(b.over()-a.over()) >= 0) { // the sum of both would lose it where elements are large
				break
			}
			a.sum += b.sum + b.n*apart
			a.weight += b.weight
			a.last, a.end, a.n = b.last, b.end, a.n+b.n
			p.list = p.list[:n-1]
		}
	}
	total := 0.0
	for b := range p.list {
		total += p.list[b].weight
		p.list[b].below = total
	}
}

// bias returns rho s - c, the t >= -c with t + c = rho s(t), s(t) = sum_j max(0, a_[j] - max(v_j, t)) falling. It
// leaves those pools in the list whose v is at least t.
func (p *pools) bias(rho float64) float64 {
	if rho == 0 {
		for len(p.list) > 0 && p.level(len(p.list)-1) < -p.c {
			p.list = p.list[:len(p.list)-1]
		}
		return -p.c
	}
	e, h := rho, 1.0 // h (t + c) = e s(t)
	if rho > 1 {
		e, h = 1, 1/rho
	}
	v, low, most := p.v[:p.end()], 0, len(p.list)
	for low < most {
		b := (low + most) / 2
		t, s := p.level(b), p.list[b].below
		for _, x := range v[p.list[b].end:] {
			if x > t {
				s += x - t
			}
		}
		if h*(t+p.c) >= e*s {
			low = b + 1
		} else {
			most = b
		}
	}
	p.list = p.list[:low]
	s, m := 0.0, 0.0
	if low > 0 {
		s = p.list[low-1].below
	}
	t := (e*s - h*p.c) / h
	for _, x := range v[p.end():] {
		if !(x > t) {
			break
		}
		s, m = s+x, m+1
		t = (e*s - h*p.c) / (h + e*m)
	}
	return t
}

// end is the number of elements in pools.
func (p *pools) end() int {
	if len(p.list) == 0 {
		return 0
	}
	return p.list[len(p.list)-1].end
}

// at returns the x of an element, whose pool is in the list unless its v is below t.
func (p *pools) at(x, t float64) float64 {
	low, most := 0, len(p.list)
	for low < most { // the first pool that goes down to it
		if b := (low + most) / 2; p.list[b].last <= x {
			most = b
		} else {
			low = b + 1
		}
	}
	if low == len(p.list) {
		return x - t
	}
	return (x - p.list[low].first) - p.list[low].over()
}

// checkPermutahedron panics where the arguments fit no problem.
func checkPermutahedron[T vec.Float](function string, dst, a []T, beta []float64, r, rho T) {
	check(function, dst, a, len(beta), r, rho)
	checkFinite(function, r)
	before := math.MaxFloat64
	for j, v := range beta {
		if !(v >= 0 && v <= before) {
			panic(unfit(function, "beta[%d] = %v, want 0 to %v", j, v, before))
		}
		before = v
	}
}
