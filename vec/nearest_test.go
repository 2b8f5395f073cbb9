package vec

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/nearest"
	"github.com/dualgap/dualgap/internal/prove"
)

// nearestTruth compares a query with all rows, in float64.
func nearestTruth[T Float](x Matrix[T], q []T, metric Metric) (rows []int32, dist []float64) {
	wide := func(w []float64, v []T) []float64 {
		for i := range v {
			w[i] = float64(v[i])
		}
		return w
	}
	all, r := make([]float64, x.Rows), make([]float64, len(q))
	q64 := wide(make([]float64, len(q)), q)
	for i := range x.Rows {
		wide(r, x.Row(i))
		switch metric {
		case L2:
			all[i] = SquaredDistance(r, q64)
		case InnerProduct:
			all[i] = -Dot(r, q64)
		case CosineSimilarity:
			all[i] = -Cosine(r, q64)
		}
		if all[i] == all[i] {
			rows = append(rows, int32(i))
		}
	}
	slices.SortStableFunc(rows, func(a, b int32) int { return cmp.Compare(all[a], all[b]) })
	for _, r := range rows {
		d := all[r]
		if metric != L2 {
			d = -d
		}
		dist = append(dist, d)
	}
	return rows, dist
}

// checkNearest compares answers by some numbers of workers with the truth.
func checkNearest[T Float](t *testing.T, what string, x, q Matrix[T], metric Metric, k int, workers ...int) {
	t.Helper()
	s := NewSearcher(x, metric)
	wantIdx, wantDist := make([]int32, 0, q.Rows*k), make([]T, 0, q.Rows*k)
	for i := range q.Rows {
		rows, dist := nearestTruth(x, q.Row(i), metric)
		for j := range k {
			row, d := int32(-1), math.Inf(1)
			if metric != L2 {
				d = -d
			}
			if j < len(rows) {
				row, d = rows[j], dist[j]
			}
			wantIdx, wantDist = append(wantIdx, row), append(wantDist, T(d))
		}
	}
	idx, dist := make([]int32, q.Rows*k), NewMatrix[T](q.Rows, k)
	for _, workers := range append(workers, workers[0]) { // the last call finds memory that another has used
		s.Nearest(idx, dist, q, workers)
		for i, row := range idx {
			if row != wantIdx[i] || dist.Data[i] != wantDist[i] {
				t.Fatalf("%s: %v, k=%d, %d workers: neighbour %d of query %d is row %d at %v, want %d at %v", what,
					metric, k, workers, i%k, i/k, row, dist.Data[i], wantIdx[i], wantDist[i])
			}
		}
	}
}

// nearestSets are rows and queries that are hard in some way.
func nearestSets[T Float](r *rand.Rand) map[string]func(n, m, d int) (x, q Matrix[T]) {
	fill := func(n, d int, f func(i, j int) float64) Matrix[T] {
		x := NewMatrix[T](n, d)
		for i := range n {
			for j := range d {
				x.Row(i)[j] = T(f(i, j))
			}
		}
		return x
	}
	normal := func(int, int) float64 { return r.NormFloat64() }
	both := func(f func(i, j int) float64) func(n, m, d int) (x, q Matrix[T]) {
		return func(n, m, d int) (x, q Matrix[T]) { return fill(n, d, f), fill(m, d, f) }
	}
	some := func(v float64) func(n, m, d int) (x, q Matrix[T]) {
		return both(func(i, j int) float64 {
			if i%7 == 3 && j == i%5 {
				return v
			}
			return r.NormFloat64()
		})
	}
	return map[string]func(n, m, d int) (x, q Matrix[T]){
		"normal":   both(normal),
		"integers": both(func(int, int) float64 { return float64(r.IntN(3)) }), // many ties
		"equal":    both(func(_, j int) float64 { return float64(j) / 3 }),
		"far":      both(func(int, int) float64 { return 1e4 + r.NormFloat64() }), // rows close together
		"zeros":    both(func(i, _ int) float64 { return r.NormFloat64() * float64(i%3) }),
		"tiny":     both(func(int, int) float64 { return r.NormFloat64() * float64(prove.Tiny[T]()) * 100 }),
		"scales":   both(func(i, _ int) float64 { return r.NormFloat64() * math.Pow(10, float64(i%30-15)) }),
		"NaN":      some(math.NaN()),
		"infinite": some(math.Inf(-1)),
		"huge":     some(float64(prove.Max[T]())),
	}
}

func TestNearest(t *testing.T) { prove.Both(t, testNearest[float32], testNearest[float64]) }

func testNearest[T Float](t *testing.T) {
	sizes := []struct{ n, m, d, k int }{{0, 2, 3, 2}, {1, 1, 1, 1}, {5, 3, 4, 8}, {200, 3, 17, 1}, {1030, 2, 5, 10},
		{3100, 1, 3, 100}, {2500, 7, 33, 10}}
	prove.Tiers(func(tier cpu.Tier) {
		r := prove.Rand(1)
		for name, set := range nearestSets[T](r) {
			for i, size := range sizes {
				if i > 4 && (prove.Quick() || tier != cpu.Tiers()[0]) {
					continue
				}
				x, q := set(size.n, size.m, size.d)
				for _, metric := range []Metric{L2, InnerProduct, CosineSimilarity} {
					what := fmt.Sprintf("tier %v, %s, %d rows of %d", tier, name, size.n, size.d)
					checkNearest(t, what, x, q, metric, size.k, 1+2*(size.m%2))
				}
			}
		}
	})
}

// TestNearestBlocks: more queries than a block, windows of wider matrices, several workers.
func TestNearestBlocks(t *testing.T) {
	r := prove.Rand(2)
	x, q := NewMatrix[float32](nearestRows+50, 11), NewMatrix[float32](nearestQueries+3, 9)
	for _, m := range []Matrix[float32]{x, q} {
		for i := range m.Data {
			m.Data[i] = float32(r.NormFloat64())
		}
	}
	checkNearest(t, "blocks", x.Slice(1, x.Rows, 1, 9), q.Slice(0, q.Rows, 1, 9), L2, 3, 0, 1, 2, 3)
}

// passes counts the rows that pass a search's thresholds, and those that it compares in float64.
type passes struct {
	nearestTask[float32]
	passed, compared int
	left             []int // of each query, for the last comparison
}

func (p *passes) Above(val []float32, idx []int32, query, from, to int, least float32) int {
	n := p.nearestTask.Above(val, idx, query, from, to, least)
	p.passed += n
	return n
}

func (p *passes) Order(query int, val []float32, idx []int32) int {
	p.compared += len(idx)
	return p.nearestTask.Order(query, val, idx)
}

func (p *passes) Begin(from, to int) *nearest.Task[float32] {
	p.task.Begin(p, 10, nearestRows, to-from)
	return &p.task
}

func (p *passes) Finish(task *nearest.Task[float32], query int) {
	_, idx := task.Left(query)
	p.left = append(p.left, len(idx))
}

func (p *passes) End(*nearest.Task[float32]) {}

// TestNearestPasses: few rows pass the threshold, or a search would take as long as one without; the float64 comparison
// is for fewer, or it would take as long as one without products.
func TestNearestPasses(t *testing.T) {
	const n, m, k = 20000, 20, 10
	r := prove.Rand(3)
	x, q := NewMatrix[float32](n, 64), NewMatrix[float32](m, 64)
	for _, a := range []Matrix[float32]{x, q} {
		for i := range a.Data {
			a.Data[i] = float32(r.NormFloat64())
		}
	}
	s := NewSearcher(x, L2)
	p := new(passes)
	p.begin(s, k, q)
	nearest.Search(p, m, m, len(s.norms), 1)
	// A row is among the k nearest of i with the chance k/i: that makes k (1 + ln n/k) of n, 86 of a query. The
	// threshold is of the block before at best, which is a few times as many.
	if most := 5 * 86 * m; p.passed > most {
		t.Errorf("%d rows pass for %d queries, want at most %d", p.passed, m, most)
	}
	if p.compared != 0 {
		t.Errorf("%d rows are compared in float64 before the end", p.compared)
	}
	for i, left := range p.left {
		if left < k || left > 2*k {
			t.Errorf("query %d: %d rows for the %d nearest", i, left, k)
		}
	}
}

func TestNearestAllocs(t *testing.T) {
	prove.Both(t, nearestAllocs[float32], nearestAllocs[float64])
}

func nearestAllocs[T Float](t *testing.T) {
	r := prove.Rand(5)
	x, q := NewMatrix[T](nearestRows+76, 4), NewMatrix[T](nearestQueries+7, 4)
	for _, a := range []Matrix[T]{x, q} {
		for i := range a.Data {
			a.Data[i] = T(r.NormFloat64())
		}
	}
	idx, dist := make([]int32, 3*q.Rows), NewMatrix[T](q.Rows, 3)
	for metric := range Metric(len(metrics)) {
		s := NewSearcher(x, metric)
		for _, m := range []int{1, 2, q.Rows} {
			part, to := q.Slice(0, m, 0, 4), dist.Slice(0, m, 0, 3)
			if n := prove.Allocs(2, func() { s.Nearest(idx[:3*m], to, part, 1) }); n != 0 {
				t.Errorf("%v, %d queries: %v allocations", metric, m, n)
			}
		}
	}
}

func TestNearestShapes(t *testing.T) {
	x := NewMatrix[float32](3, 2)
	for name, f := range map[string]func(){
		"queries": func() {
			NewSearcher(x, L2).Nearest(make([]int32, 2), NewMatrix[float32](2, 1), NewMatrix[float32](2, 3), 1)
		},
		"dist": func() {
			NewSearcher(x, L2).Nearest(make([]int32, 2), NewMatrix[float32](1, 1), NewMatrix[float32](2, 2), 1)
		},
		"indices": func() {
			NewSearcher(x, L2).Nearest(make([]int32, 3), NewMatrix[float32](2, 1), NewMatrix[float32](2, 2), 1)
		},
		"workers": func() {
			NewSearcher(x, L2).Nearest(make([]int32, 2), NewMatrix[float32](2, 1), NewMatrix[float32](2, 2), -1)
		},
		"metric": func() { NewSearcher(x, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if _, ok := recover().(ShapeError); !ok {
					t.Error("no panic with a ShapeError")
				}
			}()
			f()
		})
	}
	NewSearcher(x, L2).Nearest(nil, NewMatrix[float32](2, 0), NewMatrix[float32](2, 2), 1) // none is wanted
	if got := Metric(9).String(); got != "Metric(9)" || L2.String() != "L2" {
		t.Errorf("metric 9 is %q", got)
	}
}

func BenchmarkNearest(b *testing.B) {
	for _, size := range []struct{ n, d int }{{60000, 784}, {100000, 128}} {
		for _, m := range []int{1, 1000} {
			r := prove.Rand(4)
			x, q := NewMatrix[float32](size.n, size.d), NewMatrix[float32](m, size.d)
			for _, a := range []Matrix[float32]{x, q} {
				for i := range a.Data {
					a.Data[i] = r.Float32()
				}
			}
			s := NewSearcher(x, L2)
			idx, dist := make([]int32, 10*m), NewMatrix[float32](m, 10)
			name := fmt.Sprintf("type=f32/n=%d/d=%d/m=%d/k=10", size.n, size.d, m)
			b.Run(name+"/impl=dualgap", func(b *testing.B) {
				for b.Loop() {
					s.Nearest(idx, dist, q, 1)
				}
			})
			c := NewMatrix[float32](min(m, 1000), 1024)
			b.Run(name+"/impl=products", func(b *testing.B) {
				for b.Loop() {
					for i := 0; i < x.Rows; i += 1024 {
						rows := x.Slice(i, min(i+1024, x.Rows), 0, x.Cols)
						Gemm(NoTrans, Transposed, 1, q, rows, 0, c.Slice(0, m, 0, rows.Rows))
					}
				}
			})
		}
	}
}
