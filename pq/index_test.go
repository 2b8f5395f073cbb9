package pq

import (
	"cmp"
	"slices"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// sorted is the result of a search by its definition: all distances by Table.Scan, sorted.
func sorted(t testing.TB, q *Quantizer, metric Metric, query []float32, codes []byte, s Search) []Neighbor {
	t.Helper()
	table, dist := q.NewTable(), make([]float32, len(codes)/q.CodeSize())
	if err := table.Set(metric, query); err != nil {
		t.Fatal(err)
	}
	if err := table.Scan(dist, codes); err != nil {
		t.Fatal(err)
	}
	order := func(a, b Neighbor) int {
		byDistance := cmp.Compare(a.Distance, b.Distance)
		if metric == InnerProduct {
			byDistance = -byDistance
		}
		return cmp.Or(byDistance, cmp.Compare(a.ID, b.ID))
	}
	var all []Neighbor
	for i, d := range dist {
		if s.Filter == nil || s.Filter(uint64(i)) {
			all = append(all, Neighbor{uint64(i), d})
		}
	}
	slices.SortFunc(all, order)
	if s.Vector != nil {
		if s.Candidates == 0 {
			s.Candidates = 10 * s.K
		}
		all = all[:min(max(s.Candidates, s.K), len(all))]
		for i, x := range all {
			if metric == L2 {
				all[i].Distance = vec.SquaredDistance32(query, s.Vector(x.ID))
			} else {
				all[i].Distance = vec.Dot32(query, s.Vector(x.ID))
			}
		}
		slices.SortFunc(all, order)
	}
	return all[:min(s.K, len(all))]
}

// TestSearch compares searches with sorting everything, on every tier and for every kind of quantizer. Repeated vectors
// make ties.
func TestSearch(t *testing.T) {
	x := clustered(2500, 20, 11)
	sizes := []int{0, 1, 255, 256, 257, 2500}
	if testing.Short() {
		sizes = []int{0, 257, 1500}
	}
	for i := range 40 {
		copy(x.Row(100*(i%20)+i), x.Row(5*i))
	}
	queries := clustered(6, 20, 12)
	copy(queries.Row(0), x.Row(100))
	for name, q := range shapes(t) {
		codes := encode(t, q, x)
		size := q.CodeSize()
		prove.Tiers(func(tier cpu.Tier) {
			for _, metric := range []Metric{L2, InnerProduct} {
				for _, n := range sizes {
					ix, err := NewIndex(q, metric)
					if err != nil {
						t.Fatal(err)
					}
					for from := 0; from < n; from += 700 { // in pieces
						if err := ix.AddCodes(codes[from*size : min(from+700, n)*size]); err != nil {
							t.Fatal(err)
						}
					}
					if ix.Len() != n {
						t.Fatalf("%d vectors, want %d", ix.Len(), n)
					}
					for i := range queries.Rows {
						for _, s := range []Search{
							{K: 1}, {K: 10}, {K: 300},
							{K: 5, Filter: func(id uint64) bool { return id%7 == 3 }},
							{K: 4, Vector: Rows(x)},
							{K: 10, Vector: Rows(x), Candidates: 25, Filter: func(id uint64) bool { return id%2 == 1 }},
						} {
							if (testing.Short() || tier == cpu.Generic) && i > 0 && s.K != 10 {
								continue
							}
							got, err := ix.Search(nil, queries.Row(i), s)
							want := sorted(t, q, metric, queries.Row(i), codes[:n*size], s)
							if err != nil || !slices.Equal(got, want) {
								t.Fatalf("%s on %v, %v, n=%d, %+v: %v (error %v), want %v", name, tier, metric, n, s,
									got, err, want)
							}
						}
					}
				}
			}
		})
	}
}

// TestSearchBatch: a batch is its searches, by any number of goroutines, also while vectors are added.
func TestSearchBatch(t *testing.T) {
	x := clustered(600, 20, 13)
	q := train(t, x, Config{M: 5})
	ix, err := NewIndex(q, L2)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Add(x, 0); err != nil {
		t.Fatal(err)
	}
	queries := clustered(50, 20, 14)
	for _, workers := range []int{1, 3} {
		all, err := ix.SearchBatch(queries, Search{K: 3}, workers)
		if err != nil || len(all) != 50 {
			t.Fatal(len(all), err)
		}
		for i, got := range all {
			if want, _ := ix.Search(nil, queries.Row(i), Search{K: 3}); !slices.Equal(got, want) {
				t.Errorf("query %d: %v, alone %v", i, got, want)
			}
		}
	}
	var both sync.WaitGroup
	both.Go(func() {
		for range 20 {
			if err := ix.Add(x.Slice(0, 100, 0, 20), 1); err != nil {
				t.Error(err)
			}
		}
	})
	both.Go(func() {
		for range 20 {
			if got, err := ix.SearchBatch(queries, Search{K: 3}, 2); err != nil || len(got[0]) != 3 {
				t.Error(got, err)
			}
		}
	})
	both.Wait()
	code, back, want := make([]byte, 5), make([]float32, 20), make([]float32, 20)
	if err := ix.Code(code, 650); err != nil {
		t.Fatal(err)
	}
	if err := ix.Vector(back, 650); err != nil {
		t.Fatal(err)
	}
	if err := q.DecodeVector(want, code); err != nil || !slices.Equal(back, want) ||
		!slices.Equal(code, encode(t, q, x.Slice(50, 51, 0, 20))) {
		t.Errorf("vector 650 is %v, %v (error %v), want row 50's, %v", code, back, err, want)
	}
}

// TestSearchAllocs: with room for the result a warm search allocates nothing.
func TestSearchAllocs(t *testing.T) {
	x := clustered(2000, 20, 15)
	for _, nbits := range []int{4, 8} {
		ix, err := NewIndex(train(t, x, Config{M: 5, NBits: nbits, Iterations: 2}), L2)
		if err != nil {
			t.Fatal(err)
		}
		if err := ix.Add(x, 0); err != nil {
			t.Fatal(err)
		}
		dst := make([]Neighbor, 0, 10)
		if n := prove.Allocs(50, func() { dst, _ = ix.Search(dst, x.Row(3), Search{K: 10}) }); n != 0 {
			t.Errorf("NBits=%d: %v allocations", nbits, n)
		}
	}
}

// recall is the part of the 10 truly nearest vectors that searches find among theirs.
func recall(t testing.TB, q *Quantizer, base, queries vec.Matrix[float32], candidates int) float64 {
	t.Helper()
	ix, err := NewIndex(q, L2)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Add(base, 0); err != nil {
		t.Fatal(err)
	}
	s := Search{K: 10}
	if candidates > 0 {
		s.Vector, s.Candidates = Rows(base), candidates
	}
	found, err := ix.SearchBatch(queries, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	hits := 0
	dist := make([]Neighbor, base.Rows)
	for i := range queries.Rows {
		for k := range base.Rows {
			dist[k] = Neighbor{uint64(k), vec.SquaredDistance32(queries.Row(i), base.Row(k))}
		}
		slices.SortFunc(dist, func(a, b Neighbor) int {
			return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.ID, b.ID))
		})
		for _, x := range found[i] {
			if slices.ContainsFunc(dist[:10], func(y Neighbor) bool { return x.ID == y.ID }) {
				hits++
			}
		}
	}
	return float64(hits) / float64(10*queries.Rows)
}

// TestRecall prints the table of recall@10 on SIFT descriptors, 200 of them queries and the others the base, and
// holds it to what must be so: more bytes find more, a rotation does no harm worth naming, and re-ranking finds more
// than codes alone.
func TestRecall(t *testing.T) {
	if testing.Short() || cpu.Level == cpu.Generic {
		t.Skip("trains six quantizers: long in pure Go")
	}
	const iterations, rotations = 25, 10
	x := sift(t)
	queries, base := x.Slice(0, 200, 0, 128), x.Slice(200, x.Rows, 0, 128)
	last := 0.0
	for _, m := range []int{8, 16, 32} {
		plain := train(t, base, Config{M: m, Iterations: iterations})
		rotated := train(t, base, Config{M: m, Iterations: iterations, Rotations: rotations})
		codes, refined := recall(t, plain, base, queries, 0), recall(t, plain, base, queries, 100)
		codesOPQ, refinedOPQ := recall(t, rotated, base, queries, 0), recall(t, rotated, base, queries, 100)
		t.Logf("M=%-2d  codes %.3f, re-ranked %.3f; with a rotation %.3f, %.3f", m, codes, refined, codesOPQ,
			refinedOPQ)
		if codes <= last || refined <= codes || refinedOPQ <= codesOPQ || codesOPQ < codes-0.03 {
			t.Errorf("M=%d: not in order", m)
		}
		last = codes
	}
}

// TestSearchTies: tables whose entries are all the same, in one subspace or everywhere, so that bytes tell little or
// nothing.
func TestSearchTies(t *testing.T) {
	const n = 900
	x := clustered(n, 6, 33)
	for _, nbits := range []int{4, 8} {
		for name, change := range map[string]func(centroids []float32, query []float32){
			"query 0":          func(_, query []float32) { clear(query) },
			"centroids 0":      func(centroids, _ []float32) { clear(centroids) },
			"centroids equal":  func(centroids, _ []float32) { fill(centroids, -1.7) },
			"a subspace equal": func(centroids, _ []float32) { fill(centroids[:2<<nbits], 3.3) },
			"one differs":      func(centroids, _ []float32) { fill(centroids, 0.1); centroids[7] = 0.3 },
			"hardly differ": func(centroids, query []float32) {
				for i := range centroids {
					centroids[i] = 1 + float32(i%3)/(1<<23)
				}
				fill(query, 1)
			},
			"tiny":  func(centroids, query []float32) { scale(centroids, 1e-20); scale(query, 1e-20) },
			"least": func(centroids, query []float32) { scale(centroids, 1e-30); scale(query, 1e-14) },
		} {
			plain := train(t, x, Config{M: 3, NBits: nbits, Iterations: 1})
			centroids, query := slices.Clone(plain.centroids), slices.Clone(x.Row(5))
			change(centroids, query)
			q, err := New(6, 3, nbits, centroids, nil)
			if err != nil {
				t.Fatal(err)
			}
			codes := encode(t, plain, x)
			prove.Tiers(func(tier cpu.Tier) {
				for _, metric := range []Metric{L2, InnerProduct} {
					ix, err := NewIndex(q, metric)
					if err == nil {
						err = ix.AddCodes(codes)
					}
					if err != nil {
						t.Fatal(err)
					}
					for _, k := range []int{1, 10, 64, 65, 400, n + 1} {
						want := sorted(t, q, metric, query, codes, Search{K: k})
						if got, err := ix.Search(nil, query, Search{K: k}); err != nil || !slices.Equal(got, want) {
							t.Errorf("%s, %d bits on %v, %v, K=%d: %v (error %v), want %v", name, nbits, tier, metric,
								k, got, err, want)
						}
					}
				}
			})
		}
	}
}

func fill(x []float32, v float32) {
	for i := range x {
		x[i] = v
	}
}
