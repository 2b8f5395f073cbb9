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

// drawn are vectors of steps: of which kind element i is.
var drawn = map[string]func(rng *rand.Rand, i int) float64{
	"normal":  func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() },
	"equal":   func(rng *rand.Rand, _ int) float64 { return float64(rng.IntN(5) - 2) },
	"heavy":   func(rng *rand.Rand, _ int) float64 { return math.Pow(rng.Float64(), -2) - 2 },
	"falling": func(rng *rand.Rand, i int) float64 { return 3 - float64(i)/8 - 1e-6*rng.Float64() },
}

func projectAll[T vec.Float](t *testing.T, add func(name string, h hash.Hash)) {
	dims := []int{1, 2, 3, 5, 15, 16, 17, 24, 40, 65, 129, 300, 700}
	for _, p := range projections[T]() {
		takes := strings.Fields(p.uses)
		for _, kind := range []string{"equal", "falling", "heavy", "normal"} {
			h, rng := sha256.New(), rand.New(rand.NewPCG(7, 8))
			for _, d := range dims {
				var w Workspace[T]
				a, x := make([]T, d), make([]T, d)
				for i := range a {
					a[i] = T(drawn[kind](rng, i))
				}
				for j := range 24 {
					s := scalars{
						k: min(d, []int{1, 2, 3, 5, 16, 17, d / 2, d}[j%8]), r: []float64{.1, 1, 30}[j%3],
						rho: []float64{0, 1, .01, 20}[j/2%4], gamma: []float64{.05, 1, 4}[j/3%3],
						l: []float64{-1, 0, -math.MaxFloat32}[j%3], u: []float64{1, .2}[j/3%2],
						q: []float64{1, 1.5, 2, 3, 7, math.Inf(1)}[j%6], rel: Relation(j / 4 % 2),
					}
					s.k = max(1, s.k)
					if slices.Contains(takes, "l") && s.l == 0 {
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
			add(fmt.Sprintf("%s, %T, %s", p.name, T(0), kind), h)
		}
		h := sha256.New()
		for _, d := range dims[:len(dims)-2] {
			var w Workspace[T]
			all := fillings[T](d)
			for _, name := range slices.Sorted(maps.Keys(all)) {
				a, x, s := make([]T, d), make([]T, d), goodScalars()
				for i := range a {
					a[i] = all[name](i)
				}
				for s.k = range min(d, 3) {
					s.k++
					told, err := p.tell(x, a, s, &w)
					fmt.Fprintln(h, name, told, err, x)
				}
			}
		}
		add(fmt.Sprintf("%s, %T, edges", p.name, T(0)), h)
	}
}
