package pq

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// scalars are the kinds of scalar codes that every test goes through.
var scalars = map[string]ScalarConfig{
	"PCA 4 bits":      {},
	"PCA 8 bits":      {Bits: 8},
	"PCA 5 x 8":       {Dims: 5, Bits: 8, Tails: 8},
	"PCA 7 x 4":       {Dims: 7, Bits: 4},
	"PCA 11 x 2":      {Dims: 11, Bits: 2, Tails: 1},
	"PCA 19 x 1":      {Dims: 19, Bits: 1},
	"PCA 1 x 8":       {Dims: 1, Bits: 8, Tails: 3},
	"Hadamard 1 bit":  {Turn: Hadamard, Bits: 1},
	"Hadamard 2 bits": {Turn: Hadamard, Bits: 2, Seed: 1},
	"Hadamard 4 bits": {Turn: Hadamard},
	"Hadamard 8 bits": {Turn: Hadamard, Bits: 8},
}

// trainScalar is TrainScalar, which must succeed.
func trainScalar(t testing.TB, x vec.Matrix[float32], c ScalarConfig) *Scalar {
	t.Helper()
	s, err := TrainScalar(context.Background(), x, c)
	if err != nil {
		t.Fatalf("TrainScalar(%dx%d, %+v): %v", x.Rows, x.Cols, c, err)
	}
	return s
}

// TestScalarBounds: no pair is outside its interval, for every kind of scalar codes and of vectors; at least 10 million
// of them in the long form.
func TestScalarBounds(t *testing.T) {
	n, m := 1200, 12
	if testing.Short() {
		n, m = 300, 6
	}
	pairs := 0
	for i, kind := range slices.Sorted(maps.Keys(hostile)) {
		x, queries := clustered(n, 20, 71), clustered(m, 20, 72)
		hostile[kind](x)
		hostile[kind](queries)
		copy(queries.Row(0), x.Row(0))
		copy(queries.Row(1), x.Row(n/2))
		clear(queries.Row(2))
		for j, name := range slices.Sorted(maps.Keys(scalars)) {
			s := trainScalar(t, x, scalars[name])
			for k, metric := range []Metric{L2, InnerProduct} {
				for l, centre := range [][]float32{nil, make([]float32, 20), x.Row(1)} {
					if testing.Short() && (i+j+k+l)%6 != 0 {
						continue
					}
					ix := boundsOf(t, s, metric, x, centre)
					pairs += holds(t, fmt.Sprintf("%s, %s, %v, centre %d", kind, name, metric, l), ix, x, queries)
				}
			}
		}
	}
	if t.Logf("%d pairs", pairs); !testing.Short() && pairs < 10_000_000 {
		t.Errorf("%d pairs, want 10 million", pairs)
	}
}

// TestScalarBoundsTiers: bounds hold on every tier, with and without extensions.
func TestScalarBoundsTiers(t *testing.T) {
	x, queries := clustered(300, 20, 73), clustered(2, 20, 74)
	for name, c := range scalars {
		s := trainScalar(t, x, c)
		for _, metric := range []Metric{L2, InnerProduct} {
			prove.Forms(func(form string) {
				holds(t, fmt.Sprintf("%s on %s", name, form), boundsOf(t, s, metric, x, nil), x, queries)
			})
		}
	}
}

// TestScalarCertify compares answers with sorting everything, on every tier and for every kind of scalar codes.
func TestScalarCertify(t *testing.T) {
	x, queries := clustered(1100, 20, 75), clustered(4, 20, 76)
	for i := range 40 {
		copy(x.Row(50*(i%20)+i), x.Row(5*i))
	}
	copy(queries.Row(0), x.Row(100))
	for name, c := range scalars {
		s := trainScalar(t, x, c)
		prove.Tiers(func(tier cpu.Tier) {
			for _, metric := range []Metric{L2, InnerProduct} {
				ix := boundsOf(t, s, metric, x.Slice(0, 0, 0, 20), nil)
				for _, n := range []int{0, 1, 257, 1100} {
					if err := ix.Add(x.Slice(ix.Len(), n, 0, 20), 1); err != nil {
						t.Fatal(err)
					}
					for i := range queries.Rows {
						what := fmt.Sprintf("%s on %v, %v, n=%d, query %d", name, tier, metric, n, i)
						for _, k := range []int{1, 10, 300} {
							certifies(t, what, ix, x, queries.Row(i), Search{K: k})
						}
						some := func(id uint64) bool { return id%7 == 3 }
						certifies(t, what, ix, x, queries.Row(i), Search{K: 7, Filter: some})
					}
				}
			}
		})
	}
}

// TestScalarCertifyHostile: answers are right for vectors of every kind.
func TestScalarCertifyHostile(t *testing.T) {
	for _, kind := range slices.Sorted(maps.Keys(hostile)) {
		x, queries := clustered(500, 20, 77), clustered(5, 20, 78)
		hostile[kind](x)
		hostile[kind](queries)
		copy(queries.Row(0), x.Row(0))
		clear(queries.Row(1))
		for name, c := range scalars {
			s := trainScalar(t, x, c)
			for _, metric := range []Metric{L2, InnerProduct} {
				ix := boundsOf(t, s, metric, x, nil)
				for i := range queries.Rows {
					what := fmt.Sprintf("%s, %s, %v, query %d", kind, name, metric, i)
					certifies(t, what, ix, x, queries.Row(i), Search{K: 10})
				}
			}
		}
	}
}
