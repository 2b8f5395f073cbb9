package project

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// refusal runs f and returns the text of the ShapeError that it panicked with, or of the error that it returned.
func refusal(f func() error) (text string) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case vec.ShapeError:
			r.ShapeError()
			text = r.Error()
		default:
			panic(r)
		}
	}()
	if err := f(); err != nil {
		return err.Error()
	}
	return ""
}

// ramp is a vector with as many positive elements as not.
func ramp[T vec.Float](d int) []T {
	a := make([]T, d)
	for i := range a {
		a[i] = T(i%5) - 2
	}
	return a
}

// TestLengths: a dst that is shorter or longer than a is refused by name, with both lengths, before anything is
// written.
func TestLengths(t *testing.T) { each(t, testLengths[float32], testLengths[float64]) }

func testLengths[T vec.Float](t *testing.T) {
	for _, p := range projections[T]() {
		for _, d := range []int{3, 40, 300} {
			for _, n := range []int{0, 1, d - 1, d + 1, 2 * d} {
				for _, w := range []*Workspace[T]{nil, new(Workspace[T])} {
					a, dst := ramp[T](d), slices.Repeat([]T{prove.Poison[T]()}, n)
					text := refusal(func() error { return p.call(dst, a, goodScalars(), w) })
					if want := "project: " + p.name + ": " + fmt.Sprintf(p.sizes, n, d); text != want {
						t.Errorf("%s: panic %q, want %q", p.name, text, want)
					}
					if !untouched(dst) {
						t.Errorf("%s: %d elements for %d: dst has changed", p.name, n, d)
					}
				}
			}
		}
	}
}

// TestScalars: numbers that fit no problem are refused by name, before anything is written.
func TestScalars(t *testing.T) { each(t, testScalars[float32], testScalars[float64]) }

func testScalars[T vec.Float](t *testing.T) {
	for _, p := range projections[T]() {
		for _, b := range p.bad {
			for _, w := range []*Workspace[T]{nil, new(Workspace[T])} {
				s, dst := goodScalars(), slices.Repeat([]T{prove.Poison[T]()}, 3)
				b.set(&s)
				text := refusal(func() error { return p.call(dst, ramp[T](3), s, w) })
				if !strings.HasPrefix(text, "project: "+p.name+": ") || !strings.Contains(text, b.want) {
					t.Errorf("%s: panic %q, want %q", p.name, text, b.want)
				}
				if !untouched(dst) {
					t.Errorf("%s, %q: dst has changed", p.name, b.want)
				}
			}
		}
	}
}

func untouched[T vec.Float](dst []T) bool {
	return !slices.ContainsFunc(dst, func(v T) bool { return prove.Bits(v) != prove.Bits(prove.Poison[T]()) })
}

// TestWrites: whatever the numbers, every element of dst is set, nothing around it is written, a stays, and in place
// the result is the same. An error leaves dst alone.
func TestWrites(t *testing.T) { each(t, testWrites[float32], testWrites[float64]) }

func testWrites[T vec.Float](t *testing.T) {
	dims := []int{0, 1, 2, 3, 7, 15, 16, 17, 23, 24, 40, 64, 65, 128, 129, 250, 600}
	if testing.Short() {
		dims = []int{0, 1, 3, 16, 24, 65, 129, 600}
	}
	prove.Tiers(func(tier cpu.Tier) {
		var w Workspace[T]
		var in, out prove.Memory[T]
		for at, d := range dims {
			all := fillings[T](d)
			for i, name := range slices.Sorted(maps.Keys(all)) {
				in.Place(d%16, 1, d, d, all[name])
				for j, p := range projections[T]() {
					if !prove.Visits(at+i, j, 4) {
						continue
					}
					if strings.Contains(p.name, "Entropy") && tier != cpu.Generic {
						continue // slow, and without kernels
					}
					for _, v := range variants[T](d) {
						if v.of != "" && !slices.Contains(strings.Fields(p.uses), v.of) {
							continue
						}
						s := goodScalars()
						s.k = min(s.k, d)
						v.set(&s)
						what := fmt.Sprintf("%v, %s, %s, %s, d = %d", tier, p.name, name, v.name, d)
						out.Place((d+5)%16, 1, d, d, func(int) T { return prove.Poison[T]() })
						text := refusal(func() error { return p.call(out.Data, in.Data, s, &w) })
						if err := in.Diff(false); err != nil {
							t.Fatalf("%s: a: %v", what, err)
						}
						if text != "" {
							if !strings.HasPrefix(text, "project: "+p.name+": ") || !untouched(out.Data) {
								t.Fatalf("%s: %s, dst = %v", what, text, out.Data)
							}
							continue
						}
						for i, v := range out.Data {
							if prove.Bits(v) == prove.Bits(prove.Poison[T]()) {
								t.Fatalf("%s: element %d is not set", what, i)
							}
						}
						copy(out.Want(), out.Data)
						if err := out.Diff(false); err != nil {
							t.Fatalf("%s: dst: %v", what, err)
						}
						want := slices.Clone(out.Data)
						copy(out.Data, in.Data)
						p.call(out.Data, out.Data, s, &w)
						copy(out.Want(), want)
						if err := out.Diff(false); err != nil {
							t.Fatalf("%s, in place: %v", what, err)
						}
					}
				}
			}
		}
	})
}

// fillings are vectors of d elements of many kinds.
func fillings[T vec.Float](d int) map[string]func(int) T {
	r := prove.Rand(uint64(d))
	normal := func(int) T { return T(r.NormFloat64()) }
	with := func(v float64) func(int) T {
		return func(i int) T {
			if i == d/2 || i == 3*d/4 {
				return T(v)
			}
			return normal(i)
		}
	}
	return map[string]func(int) T{
		"normal":   normal,
		"negative": func(i int) T { return -1 - max(normal(i), -normal(i)) },
		"zero":     func(int) T { return 0 },
		"equal":    func(int) T { return 0.75 },
		"few":      func(i int) T { return T(max(0, 3-i)) },
		"growing":  func(i int) T { return T(math.Pow(2, float64(i%60))) },
		"largest":  func(int) T { return prove.Max[T]() },
		"extreme":  func(i int) T { return prove.Max[T]() * T(1-2*(i%2)) },
		"tiny":     func(i int) T { return prove.Tiny[T]() * T(i%3) },
		"-Inf":     with(math.Inf(-1)),
		"+Inf":     with(math.Inf(1)),
		"NaN":      with(math.NaN()),
	}
}

// variant is a change of the scalars to an edge of what is allowed, for functions that use what it changes; some refuse
// it.
type variant struct {
	name, of string
	set      func(s *scalars)
}

func variants[T vec.Float](d int) []variant {
	most, inf := float64(prove.Max[T]()), math.Inf(1)
	return []variant{
		{"as they are", "", func(s *scalars) {}},
		{"k = 1", "k", func(s *scalars) { s.k = min(1, d) }},
		{"k = d", "k", func(s *scalars) { s.k = d }},
		{"k = 17", "k", func(s *scalars) { s.k = min(17, d) }},
		{"k = d/3", "k", func(s *scalars) { s.k = max(1, d/3) }},
		{"r = 0", "r", func(s *scalars) { s.r = 0 }},
		{"r tiny", "r", func(s *scalars) { s.r = float64(prove.Tiny[T]()) }},
		{"r largest", "r", func(s *scalars) { s.r = most }},
		{"r = Inf", "r", func(s *scalars) { s.r = inf }},
		{"rho = 0", "rho", func(s *scalars) { s.rho = 0 }},
		{"rho largest", "rho", func(s *scalars) { s.rho = most }},
		{"gamma small", "gamma", func(s *scalars) { s.gamma = 1e-3 }},
		{"gamma large", "gamma", func(s *scalars) { s.gamma = 1e6 }},
		{"gamma largest", "gamma", func(s *scalars) { s.gamma, s.r = most, 0.5 }},
		{"at most", "rel", func(s *scalars) { s.rel = AtMost }},
		{"at most 0", "rel", func(s *scalars) { s.rel, s.r = AtMost, 0 }},
		{"l = 0", "l", func(s *scalars) { s.l = 0 }},
		{"u small", "l", func(s *scalars) { s.l, s.u = 0, 1.5/float64(max(1, d)) }},
		{"u = Inf", "l", func(s *scalars) { s.l, s.u = 0, inf }},
		{"l = -Inf", "l", func(s *scalars) { s.l = -inf }},
		{"l = u", "l", func(s *scalars) { s.l, s.u, s.r = 0, 0, 0 }},
		{"q = 1", "q", func(s *scalars) { s.q = 1 }},
		{"q = 1.5", "q", func(s *scalars) { s.q = 1.5 }},
		{"q = 3", "q", func(s *scalars) { s.q = 3 }},
		{"q = Inf", "q", func(s *scalars) { s.q = inf }},
	}
}

// TestResidualLengths: so do residuals refuse an x, or bounds and weights, of another length.
func TestResidualLengths(t *testing.T) {
	a, th := ramp[float64](3), Thresholds{}
	for name, residual := range map[string]func(a, x []float64){
		"ResidualTopKSimplex":      func(a, x []float64) { ResidualTopKSimplex(a, x, 1, 1, 1, th) },
		"ResidualTopKSimplexBeta":  func(a, x []float64) { ResidualTopKSimplexBeta(a, x, 1, 1, 1, th) },
		"ResidualPermutahedron":    func(a, x []float64) { ResidualPermutahedron(a, x, []float64{1}, 1, 1, th) },
		"ResidualSimplex":          func(a, x []float64) { ResidualSimplex(a, x, Equal, 1, th) },
		"ResidualKnapsack":         func(a, x []float64) { ResidualKnapsack(a, x, 0, 1, Equal, 1, th) },
		"ResidualWeightedKnapsack": func(a, x []float64) { ResidualWeightedKnapsack(a, a, a, a, x, Equal, 1, th) },
		"ResidualL1Ball":           func(a, x []float64) { ResidualL1Ball(a, x, 1, th) },
		"ResidualL2Ball":           func(a, x []float64) { ResidualL2Ball(a, x, 1, 0) },
	} {
		for _, n := range []int{0, 2, 4} {
			text := refusal(func() error { residual(a, make([]float64, n)); return nil })
			if want := fmt.Sprintf("project: %s: x has %d elements, a has 3", name, n); text != want {
				t.Errorf("%s: panic %q, want %q", name, text, want)
			}
		}
	}
	for i := range 3 {
		for _, n := range []int{2, 4} {
			items := [3][]float64{a, a, a}
			items[i] = ramp[float64](n)
			text := refusal(func() error {
				ResidualWeightedKnapsack(a, items[0], items[1], items[2], a, Equal, 1, th)
				return nil
			})
			if want := "project: ResidualWeightedKnapsack: a has 3 elements, b "; !strings.HasPrefix(text, want) {
				t.Errorf("panic %q, want %q", text, want)
			}
		}
	}
}
