package obscure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// cues draws linear kernels on n examples of m classes.
func cues[T vec.Float](t testing.TB, n, m, kernels, d int) (Problem[T], []vec.Matrix[float64]) {
	t.Helper()
	rng := rand.New(rand.NewPCG(61, 62))
	p, groups, all := Problem[T]{Classes: m, P: 1.1, C: 100 / float64(n)}, []bundle.Group[T]{}, []vec.Matrix[float64]{}
	for i := range n {
		p.Y = append(p.Y, i%m)
	}
	for j := range kernels {
		x, wide := vec.NewMatrix[T](n, d), vec.NewMatrix[float64](n, d)
		for i := range n {
			for c := range d {
				v := rng.NormFloat64()
				if c == p.Y[i]%d {
					v += 2 / float64(1+j)
				}
				x.Row(i)[c] = T(v)
				wide.Row(i)[c] = float64(x.Row(i)[c])
			}
		}
		groups = append(groups, bundle.Group[T]{X: design.Matrix[T](&dataset.Dense[T]{Matrix: x}),
			Kernels: []kernel.Kernel{kernel.Linear{}}})
		all = append(all, wide)
	}
	b, err := bundle.New(1<<24, groups...)
	if err != nil {
		t.Fatal(err)
	}
	p.Bundle = b
	return p, all
}

// plain is the two algorithms as they are printed, with theta^j as matrices of features by classes.
type plain struct {
	x     []vec.Matrix[float64]
	y     []int
	theta []vec.Matrix[float64]
	q     float64
}

// w returns w^j, and |theta|_{2,q}.
func (s *plain) w() (w []vec.Matrix[float64], norm float64) {
	norms := make([]float64, len(s.theta))
	for j, m := range s.theta {
		norms[j] = math.Sqrt(vec.SquaredNorm(m.Data))
		norm += math.Pow(norms[j], s.q)
	}
	norm = math.Pow(norm, 1/s.q)
	for j, m := range s.theta {
		own := vec.NewMatrix[float64](m.Rows, m.Cols)
		if norm > 0 {
			copy(own.Data, m.Data)
			vec.Scale(math.Pow(norms[j]/norm, s.q-2)/s.q, own.Data)
		}
		w = append(w, own)
	}
	return w, norm
}

func (s *plain) scores(w []vec.Matrix[float64], i int) []float64 {
	scores := make([]float64, w[0].Cols)
	for j := range w {
		for c, v := range s.x[j].Row(i) {
			vec.Axpy(v, w[j].Row(c), scores)
		}
	}
	return scores
}

// step takes example i, in the batch stage with R > 0.
func (s *plain) step(i int, eta, lambda, bound float64, t, sum *float64) {
	w, norm := s.w()
	scores, y, worst := s.scores(w, i), s.y[i], -1
	for c, v := range scores {
		if c != y && (worst < 0 || v > scores[worst]) {
			worst = c
		}
	}
	lossy, length := 1+scores[worst]-scores[y] > 0, 0.0
	if lossy {
		for j := range s.x {
			length += math.Pow(2*vec.SquaredNorm(s.x[j].Row(i)), s.q/2)
		}
		length = math.Pow(length, 1/s.q)
	}
	if bound > 0 {
		*t++
		d := lambda**t + *sum
		l := lambda/s.q*norm + length
		*sum += .5 * (math.Sqrt(d*d+s.q*l*l/(bound*bound)) - d)
		eta = s.q / (lambda**t + *sum)
		for _, m := range s.theta {
			vec.Scale(1-lambda*eta/s.q, m.Data)
		}
	}
	if lossy {
		for j, m := range s.theta {
			for c, v := range s.x[j].Row(i) {
				m.Row(c)[y] += eta * v
				m.Row(c)[worst] -= eta * v
			}
		}
	}
	if _, norm := s.w(); bound > 0 && norm > s.q*bound {
		for _, m := range s.theta {
			vec.Scale(s.q*bound/norm, m.Data)
		}
	}
}

// TestPrinted: both stages take the steps of the algorithms as printed, whose order of examples is the same, and |w| is
// theirs.
func TestPrinted(t *testing.T) {
	const n, m = 30, 4
	for _, norm := range []float64{1.05, 1.5, 2} {
		p, x := cues[float64](t, n, m, 3, 5)
		p.P = norm
		s, want := begin(p, 5), plain{x: x, y: p.Y, q: norm / (norm - 1)}
		for range x {
			want.theta = append(want.theta, vec.NewMatrix[float64](5, m))
		}
		rng, order, at := rand.New(rand.NewPCG(5, 0)), make([]int, n), n
		for i := range order {
			order[i] = i
		}
		next := func() int {
			if at == n {
				rng.Shuffle(n, func(p, q int) { order[p], order[q] = order[q], order[p] })
				at = 0
			}
			at++
			return order[at-1]
		}
		var steps, sum float64
		for stage, count := range []int{70, 200} {
			for range count {
				if stage == 0 {
					s.online(context.Background(), 1, 2)
					want.step(next(), 2, 0, 0, nil, nil)
				} else {
					s.batch(context.Background(), 1, 2.5)
					want.step(next(), 0, s.lambda, 2.5, &steps, &sum)
				}
			}
			w, size := want.w()
			if square := size * size / (want.q * want.q); math.Abs(s.square()-square) > 1e-9*square {
				t.Fatalf("p = %v, stage %d: |w|² = %v, want %v", norm, stage+1, s.square(), square)
			}
			a := vec.NewMatrix[float64](n, m)
			s.coefficients(a)
			model, err := bundle.NewCombination(p.Bundle, s.weights(), a, nil)
			if err != nil {
				t.Fatal(err)
			}
			scores := vec.NewMatrix[float64](n, m)
			model.ScoresOf(scores, p.Bundle, nil, nil, 1)
			for i := range n {
				for c, v := range want.scores(w, i) {
					if math.Abs(scores.Row(i)[c]-v) > 1e-8*(1+math.Abs(v)) {
						t.Fatalf("p = %v, stage %d: score %v of example %d, want %v", norm, stage+1, scores.Row(i)[c],
							i, v)
					}
				}
			}
		}
	}
}

// TestShrink: many steps of stage 2 with a large lambda shrink theta beyond any scale; coefficients stay what they are.
func TestShrink(t *testing.T) {
	p, _ := cues[float32](t, 20, 3, 2, 4)
	s := begin(p, 1)
	s.online(context.Background(), 40, 2)
	a, b := vec.NewMatrix[float32](20, 3), vec.NewMatrix[float32](20, 3)
	s.coefficients(a)
	norm := s.square()
	for range 30 {
		s.shrink(1e-5)
	}
	for range 30 {
		s.shrink(1e5)
	}
	s.coefficients(b)
	for i, v := range a.Data {
		if math.Abs(float64(v-b.Data[i])) > 1e-5*math.Abs(float64(v)) {
			t.Fatalf("coefficient %v, want %v", b.Data[i], v)
		}
	}
	if math.Abs(s.square()-norm) > 1e-9*norm {
		t.Errorf("|w|² = %v, want %v", s.square(), norm)
	}
}

// TestAllocations: a step takes no memory, but for what grows to hold rows of kernels and coefficients.
func TestAllocations(t *testing.T) {
	p, _ := cues[float32](t, 64, 3, 2, 4)
	s := begin(p, 1)
	s.online(context.Background(), 640, 2)
	if count := prove.Allocs(20, func() { s.online(context.Background(), 64, 2) }); count > 16 {
		t.Errorf("%v allocations in a pass of 64 steps", count)
	}
}

// BenchmarkStep is a step that moves theta, for numbers of kernels and of classes, with two coefficients an example.
func BenchmarkStep(b *testing.B) {
	for _, kernels := range []int{4, 12, 39} {
		for _, m := range []int{10, 102} {
			b.Run(fmt.Sprintf("F=%d/M=%d", kernels, m), func(b *testing.B) {
				p, _ := cues[float32](b, 3060, m, kernels, 8)
				s := begin(p, 1)
				for i, y := range p.Y {
					s.held[i] = []entry{{y, 1}, {(y + 1 + i%(m-1)) % m, -1}}
				}
				for j := range s.norms {
					s.norms[j] = float64(1 + j)
				}
				s.weigh()
				for range b.N {
					i, row := s.next()
					s.look(i, row)
					s.add(i, row, s.held[i][1].class, 0)
				}
			})
		}
	}
}
