package pq

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// hostile are vectors that make trouble: each kind is what some transformation makes of clustered ones.
var hostile = map[string]func(x vec.Matrix[float32]){
	"clustered": func(vec.Matrix[float32]) {},
	"huge":      func(x vec.Matrix[float32]) { scale(x.Data, 1e17) },
	"tiny":      func(x vec.Matrix[float32]) { scale(x.Data, 1e-18) },
	"least":     func(x vec.Matrix[float32]) { scale(x.Data, 1e-38); x.Data[3] = math.SmallestNonzeroFloat32 },
	"far off": func(x vec.Matrix[float32]) {
		for i := range x.Data {
			x.Data[i] += 1e5
		}
	},
	"all scales": func(x vec.Matrix[float32]) {
		for i := range x.Rows {
			scale(x.Row(i), float32(math.Pow(10, float64(i%36-18))))
		}
	},
	"equal": func(x vec.Matrix[float32]) {
		for i := range x.Rows {
			copy(x.Row(i), x.Row(0))
		}
	},
	"twice": func(x vec.Matrix[float32]) {
		for i := 1; i < x.Rows; i += 2 {
			copy(x.Row(i), x.Row(i-1))
		}
	},
	"zeros": func(x vec.Matrix[float32]) {
		for i := range x.Rows {
			if i%3 != 0 {
				clear(x.Row(i))
			}
		}
	},
	"one far": func(x vec.Matrix[float32]) { scale(x.Row(1), 3e17); scale(x.Row(300%x.Rows), 1e10) },
	"one coordinate": func(x vec.Matrix[float32]) {
		for i := range x.Rows {
			clear(x.Row(i)[1:])
		}
	},
	"whole": func(x vec.Matrix[float32]) {
		for i, v := range x.Data {
			x.Data[i] = float32(math.Round(float64(v)))
		}
	},
}

// boundsOf returns an index with bounds of the rows of x.
func boundsOf(t testing.TB, codec Codec, metric Metric, x vec.Matrix[float32], centre []float32) *Index {
	t.Helper()
	ix, err := NewIndexOf(codec, IndexConfig{Metric: metric, Bounds: true, Centre: centre})
	if err == nil {
		err = ix.Add(x, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ix
}

// holds fails if a bound of a query and a vector of the index is wrong: if the vector's distance, computed in float64
// from the original, is beyond the bounds from below and above; if a limit at just this distance drops the vector, or
// one at the estimate drops its code; or if the first block's start is no distance that K of its codes reach. It
// returns the number of pairs.
func holds(t *testing.T, what string, ix *Index, x, queries vec.Matrix[float32]) (pairs int) {
	t.Helper()
	of, p := ix.held.Load(), ix.codec.newProbe()
	sums, hits := make([]uint16, kernel.Block), make([]uint32, kernel.Block)
	dist, low, high := make([]float32, hitBatch), make([]float32, hitBatch), make([]float32, hitBatch)
	passes := func(b *block, n int, limit float64, proof bool, i int) bool {
		p.limit(limit, proof)
		return slices.Contains(hits[:p.near(hits, []*block{b}, n, sums)], uint32(i))
	}
	for k := range queries.Rows {
		q := queries.Row(k)
		if err := p.set(ix.c.Metric, q, of.frame); err != nil {
			t.Fatalf("%s: query %v: %v", what, q, err)
		}
		for from := 0; from < of.n; from += kernel.Block {
			b, n := of.blocks[from/kernel.Block], min(kernel.Block, of.n-from)
			p.scan(sums, b)
			estimates := make([]float32, 0, n)
			for i := range n {
				hits[0] = uint32(i)
				p.score(dist[:1], low[:1], high[:1], []*block{b}, hits[:1])
				estimate := float64(dist[0])
				estimates = append(estimates, dist[0])
				d := distance(ix.c.Metric, q, x.Row(from+i))
				if !(float64(low[0]) <= d) {
					t.Fatalf("%s: query %d, vector %d: the distance is %g, its bound %g", what, k, from+i, d, low[0])
				}
				if !(float64(high[0]) >= d) {
					t.Fatalf("%s: query %d, vector %d: the distance is %g, its bound %g", what, k, from+i, d, high[0])
				}
				if !passes(b, n, d, true, i) {
					t.Fatalf("%s: query %d, vector %d: the scan drops it at its distance %g", what, k, from+i, d)
				}
				if !passes(b, n, estimate, false, i) {
					t.Fatalf("%s: query %d, vector %d: the scan drops it at its estimate %g", what, k, from+i, estimate)
				}
				pairs++
			}
			slices.Sort(estimates)
			for _, k := range []int{1, 10, fewNeighbors} {
				if k <= n && p.start(b, sums[:n], k) < float64(estimates[k-1]) {
					t.Fatalf("%s: %g is the start for %d, want at least %g", what, p.start(b, sums[:n], k), k,
						estimates[k-1])
				}
			}
		}
	}
	return pairs
}

// TestBounds: no pair is outside its interval, for every kind of quantizer and of vectors; at least 10 million of them
// in the long form.
func TestBounds(t *testing.T) {
	n, m := 1500, 12
	if testing.Short() {
		n, m = 300, 6
	}
	pairs := 0
	for _, kind := range slices.Sorted(maps.Keys(hostile)) {
		x, queries := clustered(n, 20, 41), clustered(m, 20, 42)
		hostile[kind](x)
		hostile[kind](queries)
		copy(queries.Row(0), x.Row(0))
		copy(queries.Row(1), x.Row(n/2))
		clear(queries.Row(2))
		for name, q := range shapes(t) {
			if kind != "clustered" && kind != "one far" { // codes that are of use
				q = train(t, x, Config{M: q.m, NBits: q.nbits, Uneven: true, Iterations: 1,
					Rotations: min(1, len(q.rotation))})
			}
			for _, metric := range []Metric{L2, InnerProduct} {
				for _, centre := range [][]float32{nil, make([]float32, 20), x.Row(1)} {
					if pairs%2 == 0 && testing.Short() && centre != nil {
						continue
					}
					ix := boundsOf(t, q, metric, x, centre)
					pairs += holds(t, fmt.Sprintf("%s, %s, %v", kind, name, metric), ix, x, queries)
				}
			}
		}
	}
	if t.Logf("%d pairs", pairs); !testing.Short() && pairs < 10_000_000 {
		t.Errorf("%d pairs, want 10 million", pairs)
	}
}

// TestBoundsTiers: bounds hold on every tier.
func TestBoundsTiers(t *testing.T) {
	x, queries := clustered(400, 20, 43), clustered(3, 20, 44)
	for name, q := range shapes(t) {
		for _, metric := range []Metric{L2, InnerProduct} {
			prove.Tiers(func(tier cpu.Tier) {
				holds(t, fmt.Sprintf("%s on %v", name, tier), boundsOf(t, q, metric, x, nil), x, queries)
			})
		}
	}
}

// TestBoundsOfNothing: codes that stand for the centre, so that y is 0, and a rotation that is none, as a file may
// have it.
func TestBoundsOfNothing(t *testing.T) {
	x, queries := clustered(300, 6, 45), clustered(4, 6, 46)
	for name, centroids := range map[string]func() []float32{
		"0":     func() []float32 { return make([]float32, 6*16) },
		"1e-30": func() []float32 { c := make([]float32, 6*16); fill(c, 1e-30); return c },
		"1e-17": func() []float32 { c := make([]float32, 6*16); fill(c, 1e-17); return c },
	} {
		for _, r := range [][]float32{nil, make([]float32, 36), slices.Repeat([]float32{1}, 36)} {
			q, err := build(6, 3, 4, centroids(), r)
			if err != nil {
				t.Fatal(err)
			}
			for _, metric := range []Metric{L2, InnerProduct} {
				holds(t, name, boundsOf(t, q, metric, x, make([]float32, 6)), x, queries)
			}
		}
	}
	r := make([]float32, 400)
	for i := range r {
		r[i] = float32(i*i%17) - 8
	}
	z := clustered(300, 20, 47)
	q, err := build(20, 5, 8, train(t, z, Config{M: 5, Iterations: 1}).centroids, r)
	if err != nil {
		t.Fatal(err)
	}
	for _, metric := range []Metric{L2, InnerProduct} {
		holds(t, "no rotation", boundsOf(t, q, metric, z, nil), z, z.Slice(0, 5, 0, 20))
	}
}

// TestBoundsTight: bounds are of use, so that tests of their truth say something: of SIFT descriptors few have a bound
// below the distance of the tenth.
func TestBoundsTight(t *testing.T) {
	x := sift(t)
	base, queries := x.Slice(50, x.Rows, 0, 128), x.Slice(0, 50, 0, 128)
	for _, c := range []struct {
		Config
		most float64
	}{{Config{M: 32}, 0.1}, {Config{M: 64}, 0.04}, {Config{M: 128}, 0.03}} {
		ix := boundsOf(t, train(t, base, c.Config), L2, base, nil)
		_, proofs, err := ix.CertifyBatch(queries, Search{K: 10, Vector: Rows(base)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for _, p := range proofs {
			read += p.Read
		}
		part := float64(read) / float64(base.Rows*queries.Rows)
		if t.Logf("M=%d: %.4f of the originals read", c.M, part); part > c.most {
			t.Errorf("M=%d: %.4f of the originals read, want at most %.2f", c.M, part, c.most)
		}
	}
}

// TestSoundFloats: floats from a file are finite and at least 0, each of them; the first may be the NaN that stands for
// none, of any other bits it may not.
func TestSoundFloats(t *testing.T) {
	sound := func() []float32 { return []float32{1, 0, 2, math.MaxFloat32, 3} }
	none := sound()
	if none[keptAlong] = float32(math.NaN()); !soundFloats(sound()) || !soundFloats(none) || !soundFloats(nil) {
		t.Error("sound floats are refused")
	}
	for k := range sound() {
		for _, v := range []float32{-1, float32(math.Inf(1)), float32(math.Inf(-1)), math.Float32frombits(0x7fc00123),
			math.Float32frombits(0xffc00000)} {
			floats := sound()
			if floats[k] = v; soundFloats(floats) {
				t.Errorf("float %d is %v, of bits %#x, and not refused", k, v, math.Float32bits(v))
			}
		}
		floats := sound()
		if floats[k] = float32(math.NaN()); k != keptAlong && soundFloats(floats) {
			t.Errorf("float %d is NaN, and not refused", k)
		}
	}
}
