package pq

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// nearest is the answer of Certify by its definition: all distances in float64, sorted.
func nearest(x vec.Matrix[float32], query []float32, metric Metric, k int, filter func(uint64) bool) []ranked {
	var all ranks
	for i := range x.Rows {
		if id := uint64(i); filter == nil || filter(id) {
			all = append(all, ranked{id, distance(metric, query, x.Row(i)), nil})
		}
	}
	all.sort()
	return all[:min(k, len(all))]
}

// certifies fails unless an answer is the definition's, and proved. It returns the number of originals read.
func certifies(t *testing.T, what string, ix *Index, x vec.Matrix[float32], query []float32, s Search) int {
	t.Helper()
	s.Vector = Rows(x)
	want := ranks(nearest(x.Slice(0, ix.Len(), 0, x.Cols), query, ix.c.Metric, s.K, s.Filter))
	got, proof, err := ix.Certify(nil, query, s)
	if err != nil || !slices.Equal(got, want.append(nil, ix.c.Metric, s.K)) {
		t.Fatalf("%s, K=%d: %v (error %v), want %v", what, s.K, got, err, want)
	}
	kth := math.Inf(1)
	if len(want) == s.K {
		kth = want[s.K-1].d
	}
	if ix.c.Metric != L2 {
		kth = -kth
	}
	if proof.Gap() != 0 || proof.Kth != kth || proof.Read > ix.Len() || proof.Read < len(want) {
		t.Fatalf("%s, K=%d: proof %+v, gap %v, want the k-th at %v", what, s.K, proof, proof.Gap(), kth)
	}
	return proof.Read
}

// TestCertify compares answers with sorting everything, on every tier and for every kind of quantizer. Repeated vectors
// make ties.
func TestCertify(t *testing.T) {
	x := clustered(1500, 20, 51)
	for i := range 40 {
		copy(x.Row(60*(i%20)+i), x.Row(5*i))
	}
	queries := clustered(4, 20, 52)
	copy(queries.Row(0), x.Row(100))
	sizes := []int{0, 1, 255, 256, 257, 1500}
	if testing.Short() {
		sizes = []int{0, 257, 1000}
	}
	for name, q := range shapes(t) {
		prove.Tiers(func(tier cpu.Tier) {
			for _, metric := range []Metric{L2, InnerProduct, CosineSimilarity} {
				ix := boundsOf(t, q, metric, x.Slice(0, 0, 0, 20), nil)
				for _, n := range sizes {
					for ix.Len() < n { // in pieces
						if err := ix.Add(x.Slice(ix.Len(), min(ix.Len()+700, n), 0, 20), 1); err != nil {
							t.Fatal(err)
						}
					}
					for i := range queries.Rows {
						what := fmt.Sprintf("%s on %v, %v, n=%d, query %d", name, tier, metric, n, i)
						for _, k := range []int{1, 10, 300, 2000} {
							if k == 10 || tier != cpu.Generic && !testing.Short() {
								certifies(t, what, ix, x, queries.Row(i), Search{K: k})
							}
						}
						seventh := func(id uint64) bool { return id%7 == 3 }
						certifies(t, what, ix, x, queries.Row(i), Search{K: 7, Filter: seventh})
						none := func(uint64) bool { return false }
						certifies(t, what, ix, x, queries.Row(i), Search{K: 3, Filter: none})
					}
				}
			}
		})
	}
}

// TestCertifyHostile: answers are right for vectors of every kind.
func TestCertifyHostile(t *testing.T) {
	n := 900
	if testing.Short() {
		n = 400
	}
	for _, kind := range slices.Sorted(maps.Keys(hostile)) {
		x, queries := clustered(n, 20, 53), clustered(5, 20, 54)
		hostile[kind](x)
		hostile[kind](queries)
		copy(queries.Row(0), x.Row(0))
		clear(queries.Row(1))
		q := train(t, x, Config{M: 10, Iterations: 2})
		for _, metric := range []Metric{L2, InnerProduct, CosineSimilarity} {
			if metric == CosineSimilarity { // the last of these metrics: zeros have no direction
				directed(x)
				directed(queries)
			}
			ix := boundsOf(t, q, metric, x, nil)
			for i := range queries.Rows {
				certifies(t, fmt.Sprintf("%s, %v, query %d", kind, metric, i), ix, x, queries.Row(i), Search{K: 10})
			}
		}
	}
}

// directed makes rows of zeros others.
func directed(x vec.Matrix[float32]) {
	for i := range x.Rows {
		if row := x.Row(i); square(row) == 0 {
			row[i%len(row)] = 1
		}
	}
}

// TestCertifySIFT: real descriptors, of whole numbers, with ties.
func TestCertifySIFT(t *testing.T) {
	x := sift(t)
	base, queries := x.Slice(100, x.Rows, 0, 128), x.Slice(0, 100, 0, 128)
	if testing.Short() {
		queries = x.Slice(0, 10, 0, 128)
	}
	for _, c := range []Config{{M: 16}, {M: 32, NBits: 4}, {M: 32, Rotations: 2}} {
		q := train(t, base, c)
		for _, metric := range []Metric{L2, InnerProduct, CosineSimilarity} {
			if metric == CosineSimilarity {
				unit, err := Normalized(base)
				if err != nil {
					t.Fatal(err)
				}
				q = train(t, unit, c)
			}
			ix := boundsOf(t, q, metric, base, nil)
			read := 0
			for i := range queries.Rows {
				read += certifies(t, fmt.Sprintf("%+v, %v", c, metric), ix, base, queries.Row(i), Search{K: 10})
			}
			t.Logf("%+v, %v: %.4f of the originals read", c, metric, float64(read)/float64(queries.Rows*base.Rows))
		}
	}
}

// TestCertifyBudget: a gap is true. Whatever the budget, no vector outside the answer is nearer than the proof says,
// unless it was read, and the k-th of the answer is off by at most the gap.
func TestCertifyBudget(t *testing.T) {
	x, queries := clustered(3000, 20, 55), clustered(20, 20, 56)
	q := train(t, x, Config{M: 5})
	for _, metric := range []Metric{L2, InnerProduct, CosineSimilarity} {
		ix := boundsOf(t, q, metric, x, nil)
		last := math.Inf(1)
		for _, budget := range []int{10, 11, 20, 50, 100, 400, 3000, 0} {
			gaps := 0.0
			for i := range queries.Rows {
				var read []int
				got, proof, err := ix.Certify(nil, queries.Row(i), Search{K: 10, Budget: budget,
					Vector: func(id uint64) []float32 { read = append(read, int(id)); return x.Row(int(id)) }})
				if err != nil || len(got) != 10 || proof.Read != len(read) || budget > 0 && len(read) > budget {
					t.Fatalf("budget %d: %v, %+v, %d read, error %v", budget, got, proof, len(read), err)
				}
				sign := 1.0
				if metric != L2 {
					sign = -1
				}
				slices.Sort(read)
				if len(slices.Compact(slices.Clone(read))) != len(read) {
					t.Fatalf("budget %d: read some vector twice: %v", budget, read)
				}
				for id := range x.Rows {
					_, seen := slices.BinarySearch(read, id)
					if d := distance(metric, queries.Row(i), x.Row(id)); !seen && d < sign*proof.Outside {
						t.Fatalf("budget %d: vector %d at %v was not read, proof %+v", budget, id, d, proof)
					}
				}
				want := nearest(x, queries.Row(i), metric, 10, nil)
				if off := sign*proof.Kth - want[9].d; off < 0 || off > proof.Gap() {
					t.Fatalf("budget %d: the 10th is off by %v, the gap is %v", budget, off, proof.Gap())
				}
				gaps += proof.Gap()
			}
			if gaps > last || budget == 0 && gaps != 0 {
				t.Errorf("%v, budget %d: gaps of %v in all, with less %v", metric, budget, gaps, last)
			}
			last = gaps
		}
		if last != 0 {
			t.Errorf("%v: gaps of %v without a budget", metric, last)
		}
	}
}

// TestCertifyWhileAdding: answers are the nearest of those that some moment of the call held (the race detector
// watches).
func TestCertifyWhileAdding(t *testing.T) {
	x := clustered(3000, 20, 57)
	ix := boundsOf(t, train(t, x, Config{M: 5, Iterations: 1}), L2, x.Slice(0, 300, 0, 20), nil)
	var all sync.WaitGroup
	all.Go(func() {
		for ix.Len() < x.Rows {
			if err := ix.Add(x.Slice(ix.Len(), min(ix.Len()+37, x.Rows), 0, 20), 1); err != nil {
				t.Error(err)
			}
		}
	})
	for w := range 2 {
		all.Go(func() {
			for i := range 60 {
				query := x.Row(50*i + w)
				before := ix.Len()
				got, proof, err := ix.Certify(nil, query, Search{K: 5, Vector: Rows(x)})
				after := ix.Len()
				if err != nil || proof.Gap() != 0 {
					t.Errorf("error %v, proof %+v", err, proof)
				}
				right := false
				for n := before; n <= after && !right; n++ {
					want := ranks(nearest(x.Slice(0, n, 0, 20), query, L2, 5, nil))
					right = slices.Equal(got, want.append(nil, L2, 5))
				}
				if !right {
					t.Errorf("%v is no answer for %d to %d vectors", got, before, after)
				}
			}
		})
	}
	all.Wait()
}

// TestCertifyAllocs: with room for the answer a warm Certify allocates nothing, and neither does a Search with bounds.
func TestCertifyAllocs(t *testing.T) {
	x := clustered(2000, 20, 58)
	for name, q := range shapes(t) {
		ix := boundsOf(t, q, L2, x, nil)
		dst := make([]Neighbor, 0, 10)
		s := Search{K: 10, Vector: Rows(x)}
		if n := prove.Allocs(50, func() { dst, _, _ = ix.Certify(dst, x.Row(3), s) }); n != 0 {
			t.Errorf("%s: Certify: %v allocations", name, n)
		}
		if n := prove.Allocs(50, func() { dst, _ = ix.Search(dst, x.Row(3), Search{K: 10}) }); n != 0 {
			t.Errorf("%s: Search: %v allocations", name, n)
		}
	}
}

// TestProjected: a search with bounds ranks by projected estimates, the K least of all.
func TestProjected(t *testing.T) {
	x, queries := clustered(1500, 20, 59), clustered(5, 20, 60)
	for name, q := range shapes(t) {
		for _, metric := range []Metric{L2, InnerProduct} {
			ix := boundsOf(t, q, metric, x, nil)
			c, y := ix.held.Load().frame.centre(), make([]float32, 20)
			for i := range queries.Rows {
				var all ranks
				for id := range x.Rows {
					if err := ix.Vector(y, uint64(id)); err != nil {
						t.Fatal(err)
					}
					var qq, rr, ry, yy, qy, qc float64
					for j := range y {
						c := float64(c[j])
						q, r, y := float64(queries.Row(i)[j]), float64(x.Row(id)[j])-c, float64(y[j])-c
						qc += q * c
						if metric == L2 {
							q -= c
						}
						qq, rr, ry, yy, qy = qq+q*q, rr+r*r, ry+r*y, yy+y*y, qy+q*y
					}
					d := -qc - qy*ry/yy
					if metric == L2 {
						d = qq + rr - 2*qy*ry/yy
					}
					all = append(all, ranked{uint64(id), d, nil})
				}
				all.sort()
				for _, k := range []int{1, 10, 100} {
					got, err := ix.Search(nil, queries.Row(i), Search{K: k})
					if err != nil || len(got) != k {
						t.Fatalf("%s: found %d, error %v", name, len(got), err)
					}
					for j, x := range got {
						want := all[j].d
						if metric == InnerProduct {
							want = -want
						}
						if math.Abs(float64(x.Distance)-want) > 1e-4*(1+math.Abs(want)) {
							t.Fatalf("%s, %v: number %d of %d is %v, want %v at %v", name, metric, j, k, x, all[j].id,
								want)
						}
					}
				}
			}
		}
	}
}

func widened(x []float32) []float64 {
	y := make([]float64, len(x))
	vec.Convert(y, x)
	return y
}

// TestDistance holds the distances of Certify to exact arithmetic.
func TestDistance(t *testing.T) {
	x := clustered(40, 33, 61)
	for i := range 39 {
		a, b := x.Row(i), x.Row(i+1)
		for _, metric := range []Metric{L2, InnerProduct, CosineSimilarity} {
			sum, size := new(big.Float).SetPrec(300), 0.0
			for t := range a {
				p, q := big.NewFloat(float64(a[t])).SetPrec(300), big.NewFloat(float64(b[t])).SetPrec(300)
				if metric == L2 {
					p.Sub(p, q)
					q = p
				}
				p = new(big.Float).SetPrec(300).Mul(p, q)
				term, _ := p.Float64()
				size += math.Abs(term)
				sum.Add(sum, p)
			}
			want, _ := sum.Float64()
			if metric != L2 {
				want = -want
			}
			if metric == CosineSimilarity {
				norms := vec.Norm(widened(a)) * vec.Norm(widened(b))
				want, size = want/norms, size/norms
			}
			if got := distance(metric, a, b); math.Abs(got-want) > 40*0x1p-53*size {
				t.Errorf("%v: %v, want %v", metric, got, want)
			}
		}
	}
}

func TestCertifyErrors(t *testing.T) {
	x := clustered(300, 6, 62)
	q := train(t, x, Config{M: 3, Iterations: 1})
	plain, err := NewIndex(q, L2)
	if err != nil {
		t.Fatal(err)
	}
	ix, nan := boundsOf(t, q, L2, x, nil), slices.Clone(x.Row(0))
	nan[3] = float32(math.NaN())
	cosine := boundsOf(t, q, CosineSimilarity, x, nil)
	config := func(c IndexConfig) error { _, err := NewIndexOf(q, c); return err }
	certify := func(ix *Index, query []float32, s Search) error { _, _, err := ix.Certify(nil, query, s); return err }
	_, nobody := NewIndexOf((*Quantizer)(nil), IndexConfig{})
	for _, c := range []struct {
		err  error
		want string
	}{
		{certify(plain, x.Row(0), Search{K: 1, Vector: Rows(x)}), "needs an index with IndexConfig.Bounds"},
		{certify(ix, x.Row(0), Search{K: 1}), "needs the originals: Search.Vector or"},
		{certify(ix, x.Row(0), Search{Vector: Rows(x)}), "K=0"},
		{certify(ix, x.Row(0), Search{K: 5, Budget: 4, Vector: Rows(x)}), "Budget=4, Probes=0, want K >= 1"},
		{certify(ix, x.Row(0), Search{K: 5, Budget: -1, Vector: Rows(x)}), "Budget=-1"},
		{certify(ix, x.Row(0)[1:], Search{K: 5, Vector: Rows(x)}), "a query of 5 dimensions, want d=6"},
		{certify(ix, nan, Search{K: 5, Vector: Rows(x)}), "dimension 3 of the query is NaN"},
		{certify(ix, x.Row(0), Search{K: 5, Vector: func(uint64) []float32 { return nan }}), "the distance to vector"},
		{certify(ix, x.Row(0), Search{K: 5, Vector: func(uint64) []float32 { return nan[:2] }}), "returned 2 numbers"},
		{certify(ix, slices.Repeat([]float32{3e38}, 6), Search{K: 5, Vector: Rows(x)}), "overflow float32"},
		{ix.AddCodes(make([]byte, 3)), "codes alone have no bounds"},
		{certify(ix, x.Row(0), Search{K: 5, Probes: -1, Vector: Rows(x)}), "Probes=-1"},
		{cosine.Add(vec.NewMatrix[float32](2, 6), 1), "row 0 is 0, which has no direction"},
		{certify(cosine, make([]float32, 6), Search{K: 5, Vector: Rows(x)}), "the query is 0, which has no direction"},
		{ix.Add(vec.MatrixOf(1, 6, nan), 1), "row 0, column 3 is NaN"},
		{config(IndexConfig{Metric: 5}), "there is no search by Metric(5)"},
		{config(IndexConfig{Bounds: true, Centre: nan}), "Centre holds NaN at 3"},
		{config(IndexConfig{Bounds: true, Centre: nan[1:]}), "Centre has 5 numbers, want d=6"},
		{config(IndexConfig{Centre: x.Row(0)}), "of use with Bounds only"},
		{nobody, "the quantizer is nil"},
	} {
		if !says(c.err, c.want) || errors.Is(c.err, ErrCorrupt) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
	_, _, err = ix.CertifyBatch(vec.MatrixOf(1, 6, nan), Search{K: 1, Vector: Rows(x)}, 1)
	if !says(err, "query 0: dimension 3") {
		t.Errorf("a batch: error %v", err)
	}
	if ix.Len() != 300 || !ix.Bounds() || plain.Bounds() || ix.Codec() != Codec(q) {
		t.Errorf("%d vectors, bounds %v and %v, codec %v", ix.Len(), ix.Bounds(), plain.Bounds(), ix.Codec())
	}
}
