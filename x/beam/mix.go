package beam

import (
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// bound is the best lower bound of the optimum that the dual variables of some passes prove. Dual terms are concave, so
// that a mixture of dual variables has at least the mixture of their terms:
//
//	D >= Lambda (sum_k w_k T_k - 1/2 |sum_k w_k V_k|²),  w in the simplex
//
// and the sums of a pass are all that the bound needs, none of the dual variables.
type bound struct {
	lambda float64
	most   int // passes that are kept, 2 at least; the oldest are merged
	passes []mixed
	gram   [][]float64 // <V_k, V_l>
	value  float64     // D, once there is a pass
}

// mixed is the sums of a pass, or a mixture of some, with the weight that it has in the best mixture.
type mixed struct {
	terms, weight float64
	v             vec.Matrix[float64]
}

// primal returns P(W). O(d m).
func (b *bound) primal(s *Sums, w vec.Matrix[float64]) float64 {
	return s.Certificate(b.lambda, w).Primal
}

// mix takes the sums of a pass in, which it keeps, and returns D. O(most d m).
func (b *bound) mix(s *Sums) float64 {
	if len(b.passes) == max(b.most, 2) {
		b.merge()
	}
	row := make([]float64, len(b.passes)+1)
	for k, p := range b.passes {
		row[k] = inner(p.v, s.V)
		b.gram[k] = append(b.gram[k], row[k])
	}
	row[len(b.passes)] = square(s.V)
	b.gram = append(b.gram, row)
	b.passes = append(b.passes, mixed{terms: s.Terms, v: s.V})
	if len(b.passes) == 1 {
		b.passes[0].weight = 1
		b.value = b.lambda * (s.Terms - row[0]/2)
		return b.value
	}
	b.solve()
	terms, norm := 0.0, 0.0
	for k, p := range b.passes {
		terms += p.weight * p.terms
		for l, q := range b.passes {
			norm += p.weight * q.weight * b.gram[k][l]
		}
	}
	b.value = max(b.value, b.lambda*(terms-norm/2))
	return b.value
}

// solve moves weights to the best mixture, from the pass whose weight gains least to the pass whose weight gains most,
// until none gains.
func (b *bound) solve() {
	n := len(b.passes)
	gain := make([]float64, n) // T_k - <V_k, V>
	for range 100 * n * n {
		to, from := -1, -1
		for k, p := range b.passes {
			gain[k] = p.terms
			for l, q := range b.passes {
				gain[k] -= q.weight * b.gram[k][l]
			}
			if to < 0 || gain[k] > gain[to] {
				to = k
			}
			if p.weight > 0 && (from < 0 || gain[k] < gain[from]) {
				from = k
			}
		}
		curvature := b.gram[to][to] + b.gram[from][from] - 2*b.gram[to][from]
		if !(gain[to] > gain[from]) || !(curvature > 0) {
			return
		}
		step := min(b.passes[from].weight, (gain[to]-gain[from])/curvature)
		if b.passes[to].weight+step == b.passes[to].weight {
			return
		}
		b.passes[to].weight += step
		b.passes[from].weight -= step
	}
}

// merge makes room: a pass without weight goes, or the two oldest become their mixture.
func (b *bound) merge() {
	gone := slices.IndexFunc(b.passes, func(p mixed) bool { return p.weight == 0 })
	if gone < 0 {
		gone = 1
		b.join()
	}
	b.passes = slices.Delete(b.passes, gone, gone+1)
	b.gram = slices.Delete(b.gram, gone, gone+1)
	for k := range b.gram {
		b.gram[k] = slices.Delete(b.gram[k], gone, gone+1)
	}
}

// join makes the first pass the mixture of the first two.
func (b *bound) join() {
	p, q := &b.passes[0], b.passes[1]
	t := q.weight / (p.weight + q.weight)
	v := vec.NewMatrix[float64](p.v.Rows, p.v.Cols)
	for j := range v.Rows {
		old, other := p.v.Row(j), q.v.Row(j)
		for c := range old {
			v.Row(j)[c] = (1-t)*old[c] + t*other[c]
		}
	}
	*p = mixed{(1-t)*p.terms + t*q.terms, p.weight + q.weight, v}
	for k, other := range b.passes {
		b.gram[0][k] = inner(v, other.v)
		b.gram[k][0] = b.gram[0][k]
	}
}

// inner returns <A, B>.
func inner(a, b vec.Matrix[float64]) (sum float64) {
	for j := range a.Rows {
		sum += vec.Dot(a.Row(j), b.Row(j))
	}
	return sum
}

// square returns |A|².
func square(a vec.Matrix[float64]) float64 { return inner(a, a) }
