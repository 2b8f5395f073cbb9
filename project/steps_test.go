package project

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestSteps: projections of small vectors have the committed bits, and so have their multipliers: a tolerance or an
// order of steps that moves by a rounding is seen here.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		projectAll[float32](t, add)
		projectAll[float64](t, add)
	})
}

// kinds draw element i of a vector.
var kinds = map[string]func(rng *rand.Rand, i int) float64{
	"normal":  func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() },
	"equal":   func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(5) - 2) },
	"heavy":   func(rng *rand.Rand, _ int) float64 { return math.Pow(rng.Float64(), -2) - 2 },
	"falling": func(rng *rand.Rand, i int) float64 { return 3 - float64(i)/8 - 1e-6*rng.Float64() },
}

// projectAll has every projection, of every kind of vector and of what is not finite or at the edge of it.
func projectAll[T vec.Float](t *testing.T, add func(name string, h hash.Hash)) {
	for _, p := range projections[T]() {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			h, rng := sha256.New(), rand.New(rand.NewPCG(7, 8))
			for _, d := range []int{1, 2, 3, 5, 15, 16, 17, 24, 40, 65, 129, 300, 700} {
				a := make([]T, d)
				for i := range a {
					a[i] = T(kinds[kind](rng, i))
				}
				projectBy(t, p, a, h)
			}
			add(fmt.Sprintf("%s, %T, %s", p.name, T(0), kind), h)
		}
		h := sha256.New()
		for _, d := range []int{1, 2, 3, 5, 15, 16, 17, 24, 40, 65, 129} {
			projectFillings(p, d, h)
		}
		add(fmt.Sprintf("%s, %T, edges", p.name, T(0)), h)
	}
}

// projectBy projects a by many choices of the scalars.
func projectBy[T vec.Float](t *testing.T, p exported[T], a []T, h hash.Hash) {
	var w Workspace[T]
	d, x := len(a), make([]T, len(a))
	for j := range 24 {
		s := scalars{
			k: max(1, min(d, []int{1, 2, 3, 5, 16, 17, d / 2, d}[j%8])), r: []float64{.1, 1, 30}[j%3],
			rho: []float64{0, 1, .01, 20}[j/2%4], gamma: []float64{.05, 1, 4}[j/3%3],
			l: []float64{-1, 0, -math.MaxFloat32}[j%3], u: []float64{1, .2}[j/3%2],
			q: []float64{1, 1.5, 2, 3, 7, math.Inf(1)}[j%6], rel: Relation(j / 4 % 2),
		}
		if slices.Contains(strings.Fields(p.uses), "l") && s.l == 0 {
			s.r = min(s.r, s.u*float64(d)) // or no point has the sum
		}
		told, err := p.tell(x, a, s, &w)
		fmt.Fprintln(h, told, err)
		if th, ok := told.(Thresholds); ok {
			fmt.Fprintln(h, th.Low(d))
		}
		if err := binary.Write(h, binary.LittleEndian, x); err != nil {
			t.Fatal(err)
		}
	}
}

// projectFillings projects the vectors of d elements that other tests find hard.
func projectFillings[T vec.Float](p exported[T], d int, h hash.Hash) {
	var w Workspace[T]
	all := fillings[T](d)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		a, x, s := make([]T, d), make([]T, d), goodScalars()
		for i := range a {
			a[i] = all[name](i)
		}
		for k := range min(d, 3) {
			s.k = k + 1
			told, err := p.tell(x, a, s, &w)
			fmt.Fprintln(h, name, told, err, x)
		}
	}
}
