package pair

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// projection is a call of ProjectF64.
type projection struct{ g, x, end []float64 }

func (p projection) run(dst []float64) (at int, most float64) {
	return ProjectF64(pointer(dst), pointer(p.g), pointer(p.x), pointer(p.end), len(p.g))
}

// held reports whether a variable cannot go where g points: the condition as the paper has it.
func held(x, g, end float64) bool {
	return x == 0 && (g > 0) != (end > 0) || x == end && (g > 0) == (end > 0) || g == 0
}

// want is the answer for finite numbers, from the other end than the twin.
func (p projection) want() (dst []float64, at int, most float64) {
	dst, at = make([]float64, len(p.g)), -1
	for l := len(p.g) - 1; l >= 0; l-- {
		if held(p.x[l], p.g[l], p.end[l]) {
			continue
		}
		dst[l] = p.g[l]
		if size := math.Abs(p.g[l]); size >= most {
			at, most = l, size
		}
	}
	return dst, at, most
}

// project makes up n variables, half of them at an end of their interval: any numbers, or small integers.
func project(rng *rand.Rand, n int, integers bool) projection {
	p := projection{make([]float64, n), make([]float64, n), make([]float64, n)}
	for l := range n {
		p.g[l], p.end[l] = rng.NormFloat64(), rng.NormFloat64()
		if integers {
			p.g[l], p.end[l] = float64(rng.IntN(7)-3), float64(rng.IntN(3)-1)
		}
		p.x[l] = p.end[l] * []float64{0, rng.Float64(), rng.Float64(), 1}[rng.IntN(4)]
	}
	return p
}

// check compares every tier with what is wanted, between poison.
func (p projection) check(t *testing.T, place int, want []float64, at int, most float64) {
	t.Helper()
	n := len(p.g)
	var g, x, end, dst prove.Memory[float64]
	g.Place(place%16, 1, n, n, func(i int) float64 { return p.g[i] })
	x.Place(place*3%16, 1, n, n, func(i int) float64 { return p.x[i] })
	end.Place(place*5%16, 1, n, n, func(i int) float64 { return p.end[i] })
	placed := projection{g.Data, x.Data, end.Data}
	prove.Tiers(func(tier cpu.Tier) {
		dst.Place(place*7%16, 1, n, n, func(int) float64 { return 7 })
		copy(dst.Want(), want)
		i, size := placed.run(dst.Data)
		if i != at || size != most {
			t.Fatalf("%v, n = %d: %v at %d, want %v at %d, of %+v", tier, n, size, i, most, at, p)
		}
		for name, err := range map[string]error{"g": g.Diff(false), "x": x.Diff(false), "end": end.Diff(false),
			"dst": dst.Diff(true)} {
			if err != nil {
				t.Fatalf("%v, n = %d: %s: %v", tier, n, name, err)
			}
		}
	})
}

// TestProject: every tier has the projected gradient by its definition, and its largest number, the first of equals.
func TestProject(t *testing.T) {
	rng := prove.Rand(7)
	for i, n := range lengths() {
		for j := range 8 {
			p := project(rng, n, j%2 == 0)
			want, at, most := p.want()
			p.check(t, i+j, want, at, most)
		}
	}
}

// TestProjectPlaces: the largest is found wherever it is, and of two the first, of either sign.
func TestProjectPlaces(t *testing.T) {
	for n := 1; n <= 70; n++ {
		p := projection{make([]float64, n), make([]float64, n), make([]float64, n)}
		for l := range n {
			p.g[l], p.x[l], p.end[l] = float64(1-2*(l%2)), .5, 1
		}
		dst := make([]float64, n)
		prove.Tiers(func(tier cpu.Tier) {
			for at := range n {
				for other := at; other < n; other++ {
					p.g[at], p.g[other] = p.g[at]*4, -4
					p.x[(at+1)%n] = .25
					if i, most := p.run(dst); i != at || most != 4 && at != other {
						t.Fatalf("%v, n = %d: %v at %d, want 4 at %d, of %+v", tier, n, most, i, at, p)
					}
					p.g[at], p.g[other] = float64(1-2*(at%2)), float64(1-2*(other%2))
				}
			}
		})
	}
}

// TestProjectSpecial: every tier answers as the twin where numbers are not, or overflow or underflow.
func TestProjectSpecial(t *testing.T) {
	rng := prove.Rand(8)
	for n := 1; n <= 70; n++ {
		for range 20 {
			p := project(rng, n, rng.IntN(2) == 0)
			for range 1 + rng.IntN(4) {
				*[]*float64{&p.g[rng.IntN(n)], &p.x[rng.IntN(n)], &p.end[rng.IntN(n)]}[rng.IntN(3)] =
					special[rng.IntN(len(special))]
			}
			want := make([]float64, n)
			at, most := 0, 0.0
			prove.Tiers(func(tier cpu.Tier) {
				if tier == cpu.Generic {
					at, most = p.run(want)
				}
			})
			p.check(t, n, want, at, most)
		}
	}
}

var special = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, 0x1p-1074, 0,
	math.Copysign(0, -1)}

// FuzzProject compares tiers with the twin on numbers made of any bits.
func FuzzProject(f *testing.F) {
	f.Add(uint64(1), uint8(21), uint64(0x7ff0000000000001), uint8(3))
	f.Add(uint64(2), uint8(100), uint64(0x8000000000000000), uint8(77))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, bits uint64, at uint8) {
		if n == 0 {
			return
		}
		p := project(prove.Rand(seed), int(n), seed%2 == 0)
		*[]*float64{&p.g[at%n], &p.x[at%n], &p.end[at%n]}[at%3] = math.Float64frombits(bits)
		want := make([]float64, n)
		i, most := 0, 0.0
		prove.Tiers(func(tier cpu.Tier) {
			if tier == cpu.Generic {
				i, most = p.run(want)
			}
		})
		p.check(t, int(at), want, i, most)
	})
}
