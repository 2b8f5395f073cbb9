package pair

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// partner is a call of a kernel that looks for the partner of an unbounded step.
type partner[R prove.Float] struct {
	row, q        []R
	g             []float64
	a, gk, parted float64
}

func (p *partner[R]) run() answer[float64] {
	var a answer[float64]
	switch row := any(p.row).(type) {
	case []float32:
		a.best, a.gain = PartnerMixed(pointer(row), pointer(any(p.q).([]float32)), pointer(p.g), len(p.g), p.a, p.gk,
			p.parted)
	case []float64:
		a.best, a.gain = PartnerF64(pointer(row), pointer(any(p.q).([]float64)), pointer(p.g), len(p.g), p.a, p.gk,
			p.parted)
	}
	return a
}

// want searches from the other end than the twin.
func (p *partner[R]) want() answer[float64] {
	a := answer[float64]{best: -1}
	for l := len(p.g) - 1; l >= 0; l-- {
		if gain, ok := p.gain(l); ok && gain >= a.gain && gain > 0 {
			a.best, a.gain = l, gain
		}
	}
	return a
}

// gain is what l promises, the quotient of two quadratic forms.
func (p *partner[R]) gain(l int) (gain float64, ok bool) {
	kl, kll, gl := float64(p.row[l]), float64(p.q[l]), p.g[l]
	product := float64(p.a * kll)
	det := product - float64(kl*kl)
	above := float64(float64(p.gk*p.gk)*kll) + float64(float64(gl*gl)*p.a)
	return (above - float64(float64(2*p.gk*gl)*kl)) / det, gl != 0 && det > float64(p.parted*product)
}

// candidates makes up n of them: any numbers, or small integers, of which many have equal gains and many none.
func candidates[R prove.Float](rng *rand.Rand, n int, integers bool) *partner[R] {
	number := rng.NormFloat64
	if integers {
		number = func() float64 { return float64(rng.IntN(5) - 2) }
	}
	p := &partner[R]{make([]R, n), make([]R, n), make([]float64, n), 3 + number(), number(), 0x1p-30}
	for l := range n {
		p.row[l], p.q[l], p.g[l] = R(number()), R(2+number()), number()
		if rng.IntN(4) == 0 {
			p.g[l] = 0
		}
	}
	return p
}

// check compares every tier with what is wanted to the bit, between poison.
func (p *partner[R]) check(t *testing.T, place int, want answer[float64]) {
	t.Helper()
	n := len(p.g)
	var row, q prove.Memory[R]
	var g prove.Memory[float64]
	row.Place(place%16, 1, n, n, func(i int) R { return p.row[i] })
	q.Place(place*3%16, 1, n, n, func(i int) R { return p.q[i] })
	g.Place(place*5%16, 1, n, n, func(i int) float64 { return p.g[i] })
	placed := partner[R]{row.Data, q.Data, g.Data, p.a, p.gk, p.parted}
	prove.Tiers(func(tier cpu.Tier) {
		if got := placed.run(); !got.same(want) {
			t.Fatalf("%v, n = %d: %+v, want %+v, of %+v", tier, n, got, want, *p)
		}
		for name, err := range map[string]error{"row": row.Diff(false), "q": q.Diff(false), "g": g.Diff(false)} {
			if err != nil {
				t.Fatalf("%v, n = %d: %s: %v", tier, n, name, err)
			}
		}
	})
}

// TestPartner: every tier finds what a search from the other end does, to the bit.
func TestPartner(t *testing.T) { prove.Both(t, testPartner[float32], testPartner[float64]) }

func testPartner[R prove.Float](t *testing.T) {
	rng := prove.Rand(9)
	found := 0
	for i, n := range lengths() {
		for j := range 8 {
			p := candidates[R](rng, n, j%2 == 0)
			want := p.want()
			p.check(t, i+j, want)
			if want.best >= 0 {
				found++
			}
		}
	}
	if found < 500 {
		t.Errorf("%d have a partner", found)
	}
}

// TestPartnerPlaces: the best is found wherever it is, and of two the first; one that cannot move, or is parallel to k,
// is none.
func TestPartnerPlaces(t *testing.T) {
	prove.Both(t, testPartnerPlaces[float32], testPartnerPlaces[float64])
}

func testPartnerPlaces[R prove.Float](t *testing.T) {
	for n := 1; n <= 70; n++ {
		p := &partner[R]{make([]R, n), make([]R, n), make([]float64, n), 1, 1, 0x1p-30}
		for l := range n {
			p.q[l], p.row[l], p.g[l] = 1, 1, 3 // det = 0
			if l%2 == 0 {
				p.row[l], p.g[l] = .5, 0
			}
		}
		prove.Tiers(func(tier cpu.Tier) {
			if got := p.run(); got != (answer[float64]{best: -1}) {
				t.Fatalf("%v, n = %d: %+v where there is none", tier, n, got)
			}
			for at := range n {
				for other := at; other < n; other++ {
					kept := *p
					rows, g := [2]R{p.row[at], p.row[other]}, [2]float64{p.g[at], p.g[other]}
					for _, l := range []int{at, other} {
						p.row[l], p.g[l] = 0, -2 // gain 1 + 4
					}
					if got := p.run(); got != (answer[float64]{best: at, gain: 5}) {
						t.Fatalf("%v, n = %d: %+v, want %d", tier, n, got, at)
					}
					*p = kept
					p.row[at], p.row[other], p.g[at], p.g[other] = rows[0], rows[1], g[0], g[1]
				}
			}
		})
	}
}

// TestPartnerSpecial: every tier has the bits of the twin where numbers are not, or overflow or underflow, and NaN
// makes no partner.
func TestPartnerSpecial(t *testing.T) {
	prove.Both(t, testPartnerSpecial[float32], testPartnerSpecial[float64])
}

func testPartnerSpecial[R prove.Float](t *testing.T) {
	rng := prove.Rand(10)
	for n := 1; n <= 70; n++ {
		for range 20 {
			p := candidates[R](rng, n, rng.IntN(2) == 0)
			for range 1 + rng.IntN(4) {
				l, v := rng.IntN(n), special[rng.IntN(len(special))]
				switch rng.IntN(3) {
				case 0:
					p.row[l] = R(v)
				case 1:
					p.q[l] = R(v)
				case 2:
					p.g[l] = v
				}
			}
			p.check(t, n, twin(p.run))
			p.row[rng.IntN(n)] = R(math.NaN())
			prove.Tiers(func(tier cpu.Tier) {
				if got := p.run(); got.gain != got.gain || got.best >= 0 && p.row[got.best] != p.row[got.best] {
					t.Fatalf("%v, n = %d: %+v", tier, n, got)
				}
			})
		}
	}
}

// FuzzPartner compares tiers with the twin on numbers made of any bits.
func FuzzPartner(f *testing.F) {
	f.Add(uint64(1), uint8(21), uint64(0x3ff0000000000000), uint8(3))
	f.Add(uint64(2), uint8(100), uint64(0x7ff0000000000001), uint8(77))
	f.Fuzz(func(t *testing.T, seed uint64, n uint8, bits uint64, at uint8) {
		if n > 0 {
			fuzzPartner[float32](t, seed, int(n), bits, int(at))
			fuzzPartner[float64](t, seed, int(n), bits, int(at))
		}
	})
}

func fuzzPartner[R prove.Float](t *testing.T, seed uint64, n int, bits uint64, at int) {
	p := candidates[R](prove.Rand(seed), n, seed%2 == 0)
	switch at % 4 {
	case 0:
		p.row[at%n] = prove.FromBits[R](bits)
	case 1:
		p.q[at%n] = prove.FromBits[R](bits)
	case 2:
		p.g[at%n] = math.Float64frombits(bits)
	default:
		p.gk = math.Float64frombits(bits)
	}
	p.check(t, at, twin(p.run))
}
