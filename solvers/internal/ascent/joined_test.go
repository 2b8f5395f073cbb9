package ascent

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// unbounded is a loss that does not say how it is bounded.
type unbounded struct{ loss.Loss[float64] }

// TestJoin: all workers' moves ΔA are taken where (terms - <ΔA, X W>)/<ΔA, X D>, by plain loops, is at least .9, else
// this part of them, but no less than the mean.
func TestJoin(t *testing.T) {
	parts, alls := 0, 0
	for _, spread := range []float64{1, 0.01} {
		x, y := blobs[float64](rand.New(rand.NewPCG(43, 44)), 2000, 20, 6)
		for i := range x.Data {
			x.Data[i] = 1 + spread*x.Data[i]
		}
		f := design.Matrix[float64](x)
		for name, p := range map[string]Problem[float64]{
			"hinge": hinge(t, f, y, 6, 2, 1e-4), "R": labelled(t, f, 6, 20, false),
			"R without an inverse": labelled(t, f, 6, 3, false),
			"unbounded": problem(t, f, y, 6, loss.Loss[float64](unbounded{loss.TopKHinge[float64]{K: 2}}),
				loss.Loss[float64](loss.TopKHinge[float64]{K: 2}), 1e-4),
		} {
			for i := range p.Radius { // what bounds the dual variables of one example is not what bounds the next one's
				if p.Radius[i] *= float64(1+i%5) / 5; p.coupled() {
					p.Radius[i] *= 100 // else few moves are too many
				}
			}
			for _, size := range []int{1, 64} {
				o := Options{Options: solvers.Options{Tol: 1e-9, Workers: 4}, Round: 32, BlockSize: size}
				s := training(t, p, o)
				for range 3 {
					name := fmt.Sprintf("%s, spread %v, blocks of %d", name, spread, size)
					if part := testJoin(t, name, s, x.Matrix); part < 1 {
						parts++
					} else {
						alls++
					}
					s.Epoch(context.Background())
				}
			}
		}
	}
	if parts == 0 || alls == 0 {
		t.Errorf("%d times a part was taken, %d times all", parts, alls)
	}
}

// testJoin takes a round of all examples, and returns the part that is to be taken of it.
func testJoin(t *testing.T, name string, s *linearSolver[float64], x vec.Matrix[float64]) (part float64) {
	t.Helper()
	terms := func() (sum float64) {
		for i := range s.ex {
			sum += s.p.Loss.Dual(s.duals(i), s.p.Labels.Of(i), s.ex[i].r, &s.work)
		}
		return sum
	}
	s.due = s.due[:0]
	for i := range s.n {
		s.due = append(s.due, i)
	}
	s.from = s.n
	before, w, old := slices.Clone(s.a.Data), s.Weights(), terms()
	team := s.workers[1:]
	size := s.rounds.size(len(team), s.n)
	for q, w := range team {
		w.visitRound(min(q*size, s.n), min((q+1)*size, s.n))
	}
	moves, gain := slices.Clone(s.a.Data), terms()-old
	vec.Axpy(-1, before, moves)
	s.join(team)

	d, linear, square := vec.NewMatrix[float64](x.Cols, s.m), 0.0, 0.0 // D = Xᵀ ΔA R
	for i := range s.n {
		move := moves[i*s.a.Stride:][:s.m]
		for l := range s.m {
			u := move[l]
			if s.p.coupled() {
				u = vec.Dot(s.p.Coupling.Row(l), move)
			}
			for j, v := range x.Row(i) {
				d.Row(j)[l] += v * u
			}
		}
	}
	for i := range s.n {
		for l, a := range moves[i*s.a.Stride:][:s.m] {
			for j, v := range x.Row(i) {
				linear, square = linear+a*v*w.At(j, l), square+a*v*d.At(j, l)
			}
		}
	}
	part = (gain - linear) / square
	if part >= .9 {
		part = 1
	}
	part = max(part, 1./float64(len(team)))
	// Sums of 2000 moves of 20 features, of which part is a quotient, differ by what R⁻¹ makes of roundings.
	const near = 1e-8
	after := s.Weights()
	for j := range d.Rows {
		for l, v := range d.Row(j) {
			if off := math.Abs(after.At(j, l) - w.At(j, l) - part*v); off > near*(1+math.Abs(v)) {
				t.Fatalf("%s: W moved by %v, want %v of %v", name, after.At(j, l)-w.At(j, l), part, v)
			}
		}
	}
	for i, v := range moves {
		if off := math.Abs(s.a.Data[i] - before[i] - part*v); off > near*math.Abs(v)+1e-15 {
			t.Fatalf("%s: a moved by %v, want %v of %v", name, s.a.Data[i]-before[i], part, v)
		}
	}
	return part
}

// TestInverseOfForms: R⁻¹ is known up to a condition number of 2^8, in Frobenius norms, and up to 64 labels.
func TestInverseOfForms(t *testing.T) {
	for _, c := range []struct {
		labels int
		least  float64 // of the diagonal of R, whose other numbers are 1
		known  bool
	}{{2, 0x1p-7, true}, {2, 0x1p-9, false}, {2, 0, false}, {0, 0, false}, {64, 1, true}, {65, 1, false}} {
		r := vec.NewMatrix[float64](c.labels, c.labels)
		for l := range c.labels {
			if r.Row(l)[l] = 1; l == 0 {
				r.Row(l)[l] = c.least
			}
		}
		f := forms[float32]{inverse: inverseOfForms[float32](r)}
		if f.known() != c.known {
			t.Errorf("%d labels, %v: R⁻¹ is known: %t, want %t", c.labels, c.least, f.known(), c.known)
		}
		if f.known() && f.inverse.At(0, 0) != float32(1/c.least) {
			t.Errorf("%d labels: %v, want %v", c.labels, f.inverse.At(0, 0), 1/c.least)
		}
	}
}

// TestRoundSizes: rounds of all who share are whole blocks, a quarter of what is left at most, of the least size of a
// round at least, and no larger than the memory for what dual variables were; a worker more would have less.
func TestRoundSizes(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(43, 44)), 2000, 20, 6)
	for _, c := range []struct{ block, least int }{{1, 12}, {8, 16}, {24, 24}, {100, 100}} {
		s := training(t, hinge(t, design.Matrix[float64](x), y, 6, 2, 1e-4),
			Options{Options: solvers.Options{Tol: 1e-9, Workers: 3}, Round: 12, BlockSize: c.block})
		for left := 1; left <= 2000; left++ {
			team := s.rounds.sharing(3, left)
			if want := min(3, left/(4*c.least)); team != want {
				t.Fatalf("%d left, blocks of %d: %d workers, want %d", left, c.block, team, want)
			}
			if team < 2 {
				continue
			}
			size := s.rounds.size(team, left)
			if size%c.block != 0 || size < c.least || 4*team*size > left || 4*team*(size+c.block) <= left ||
				size > s.workers[1].old.Rows {
				t.Fatalf("%d left, blocks of %d: rounds of %d for %d workers", left, c.block, size, team)
			}
		}
	}
}
