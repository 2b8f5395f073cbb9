package low

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// truth is a row with what its comparison needs, computed element by element.
type truth struct {
	key  *big.Rat // the larger, the nearer: of a cosine the square with its sign
	dist float64
}

// intTruth compares two vectors of integers.
func intTruth[T int8 | uint8](metric vec.Metric) func(x, q []T) truth {
	return func(x, q []T) truth {
		var xq, xx, qq, d int64 // below 2⁶⁰
		for i := range x {
			v, w := int64(x[i]), int64(q[i])
			xq, xx, qq, d = xq+v*w, xx+v*v, qq+w*w, d+(v-w)*(v-w)
		}
		switch metric {
		case vec.L2:
			return truth{big.NewRat(-d, 1), float64(d)}
		case vec.InnerProduct:
			return truth{big.NewRat(xq, 1), float64(xq)}
		}
		if xx == 0 || qq == 0 {
			return truth{new(big.Rat), 0}
		}
		square := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(xq), big.NewInt(xq)),
			new(big.Int).Mul(big.NewInt(xx), big.NewInt(qq)))
		root, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(200).SetRat(square)).Float64()
		if xq < 0 {
			return truth{square.Neg(square), -root}
		}
		return truth{square, root}
	}
}

// bitTruth compares two vectors of bits.
func bitTruth(metric BitMetric) func(x, q []uint64) truth {
	return func(x, q []uint64) truth {
		differ, either := int64(0), int64(0)
		for i := range x {
			differ += int64(bits.OnesCount64(x[i] ^ q[i]))
			either += int64(bits.OnesCount64(x[i] | q[i]))
		}
		key := big.NewRat(-differ, 1)
		if metric == JaccardDistance {
			key.SetFrac64(-differ, max(1, either))
		}
		dist, _ := new(big.Rat).Neg(key).Float64()
		return truth{key, dist}
	}
}

// checkSearch compares answers in each form, by some numbers of workers, with the comparison of all rows. Cosines may
// be rounded three times, all else once.
func checkSearch[T int8 | uint8 | uint64](t *testing.T, what string, s *Searcher[T], q vec.Matrix[T], k int,
	compare func(x, q []T) truth, workers ...int) {
	t.Helper()
	x, none := s.x, s.metric.farthest()
	want, dist := make([]int32, 0, q.Rows*k), make([]float64, 0, q.Rows*k)
	for i := range q.Rows {
		all, rows := make([]truth, x.Rows), make([]int32, x.Rows)
		for j := range rows {
			all[j], rows[j] = compare(x.Row(j), q.Row(i)), int32(j)
		}
		slices.SortStableFunc(rows, func(a, b int32) int { return all[b].key.Cmp(all[a].key) })
		for j := range k {
			if j < x.Rows {
				want, dist = append(want, rows[j]), append(dist, all[rows[j]].dist)
			} else {
				want, dist = append(want, -1), append(dist, none)
			}
		}
	}
	got, to := make([]int32, q.Rows*k), vec.NewMatrix[float64](q.Rows, k)
	prove.Forms(func(form string) {
		for _, workers := range append(workers, workers[0]) { // the last call finds memory that another has used
			s.Nearest(got, to, q, workers)
			for i, row := range got {
				d := to.Data[i]
				if row != want[i] || d != dist[i] && !(s.metric == byCosine && math.Abs(d-dist[i]) <= 0x1p-52) ||
					math.Signbit(d) != math.Signbit(dist[i]) {
					t.Fatalf("%s, %s, k=%d, %d workers: neighbour %d of query %d is row %d at %v, want %d at %v", what,
						form, k, workers, i%k, i/k, row, d, want[i], dist[i])
				}
			}
		}
	})
}

// searchSets fill rows and queries in ways that are hard: ties, extremes, zeros, multiples of few rows.
func searchSets[T int8 | uint8](r *rand.Rand) map[string]func(x vec.Matrix[T]) {
	each := func(f func(i, j int) int) func(x vec.Matrix[T]) {
		return func(x vec.Matrix[T]) {
			for i := range x.Rows {
				for j := range x.Row(i) {
					x.Row(i)[j] = T(f(i, j))
				}
			}
		}
	}
	return map[string]func(x vec.Matrix[T]){
		"any":      each(func(int, int) int { return r.IntN(256) }),
		"small":    each(func(int, int) int { return r.IntN(3) }),
		"equal":    each(func(_, j int) int { return j }),
		"extreme":  each(func(int, int) int { return []int{0x80, 0xff, 0x7f}[r.IntN(3)] }),
		"0x80":     each(func(int, int) int { return 0x80 }),
		"opposite": each(func(i, _ int) int { return []int{0x80, 0x7f}[i%2] }),
		"zeros":    each(func(i, _ int) int { return r.IntN(256) * (i % 2) }),
		"multiple": each(func(i, j int) int { return (1 + i%5) * (j%4 + 2*(i%3)) }),  // with equal cosines
		"opposed":  each(func(i, _ int) int { return (1 + r.IntN(9)) * (1 + i%12) }), // to queries less this
		"sparse":   each(func(int, int) int { return r.IntN(256) * max(0, r.IntN(20)-18) }),
	}
}

func TestSearcher(t *testing.T) {
	t.Run("int8", testSearcher[int8])
	t.Run("uint8", testSearcher[uint8])
}

func testSearcher[T int8 | uint8](t *testing.T) {
	sizes := []struct{ n, m, d, k int }{{0, 2, 3, 2}, {1, 1, 1, 1}, {5, 3, 4, 8}, {7, 2, 0, 3}, {200, 3, 17, 1},
		{131, 9, 65, 7}, {1030, 2, 5, 10}, {2100, 1, 3, 100}, {1100, 10, 130, 10}}
	r := prove.Rand(8)
	for name, set := range searchSets[T](r) {
		for i, size := range sizes {
			if i > 5 && (prove.Quick() || testing.Short()) {
				continue
			}
			x := vec.Matrix[T]{Rows: size.n, Cols: size.d, Stride: size.d + 3, Data: make([]T, size.n*(size.d+3))}
			q := vec.NewMatrix[T](size.m, size.d)
			set(x)
			set(q)
			for j := range q.Data {
				if name == "opposed" {
					q.Data[j] = -q.Data[j]
				}
			}
			for _, metric := range []vec.Metric{vec.L2, vec.InnerProduct, vec.CosineSimilarity} {
				what := fmt.Sprintf("%s, %v, %d rows of %d", name, metric, size.n, size.d)
				checkSearch(t, what, NewSearcher(x, metric), q, size.k, intTruth[T](metric), 1, 3)
			}
		}
	}
}

// TestSearcherLong: sums of the longest rows fill 32 bits.
func TestSearcherLong(t *testing.T) {
	t.Run("int8", func(t *testing.T) { testSearcherLong[int8](t, 44000, 87381, 87382, mostInt8) })
	t.Run("uint8", func(t *testing.T) { testSearcherLong[uint8](t, 22000, 22100, mostUint8) })
}

func testSearcherLong[T int8 | uint8](t *testing.T, lengths ...int) {
	r := prove.Rand(9)
	if prove.Quick() {
		lengths = lengths[:1]
	}
	for _, d := range lengths {
		for _, name := range []string{"extreme", "0x80", "opposite", "zeros"} {
			x, q := vec.NewMatrix[T](19, d), vec.NewMatrix[T](9, d)
			searchSets[T](r)[name](x)
			searchSets[T](r)[name](q)
			for _, metric := range []vec.Metric{vec.L2, vec.InnerProduct, vec.CosineSimilarity} {
				what := fmt.Sprintf("%s, %v, rows of %d", name, metric, d)
				checkSearch(t, what, NewSearcher(x, metric), q.Slice(0, 2, 0, d), 3, intTruth[T](metric), 1)
			}
		}
	}
}

// TestSearcherBlocks: more queries than a block, windows of wider matrices, several workers.
func TestSearcherBlocks(t *testing.T) {
	r := prove.Rand(10)
	x, q := drawRows[int8](searchRows+50, 9, 2, r), drawRows[int8](searchQueries+3, 9, 5, r)
	checkSearch(t, "blocks", NewSearcher(x, vec.L2), q, 3, intTruth[int8](vec.L2), 0, 1, 2, 3)
}

func TestBitSearcher(t *testing.T) {
	r := prove.Rand(11)
	fills := map[string]func(i int) uint64{
		"any":    func(int) uint64 { return r.Uint64() },
		"few":    func(int) uint64 { return 1 << r.IntN(64) & r.Uint64() },
		"ties":   func(int) uint64 { return r.Uint64N(4) },
		"zeros":  func(int) uint64 { return 0 },
		"ones":   func(int) uint64 { return math.MaxUint64 },
		"either": func(i int) uint64 { return uint64(i%2) * math.MaxUint64 },
		"counts": func(int) uint64 { return 1<<r.IntN(64) - 1 },
	}
	for name, f := range fills {
		for _, size := range []struct{ n, m, d, k int }{{0, 2, 1, 2}, {6, 2, 0, 3}, {1, 1, 1, 1}, {5, 3, 2, 8},
			{300, 3, 3, 10}, {1100, 9, 1, 20}, {1100, 1, 9, 2}} {
			x := vec.Matrix[uint64]{Rows: size.n, Cols: size.d, Stride: size.d + 1,
				Data: make([]uint64, size.n*(size.d+1))}
			q := vec.NewMatrix[uint64](size.m, size.d)
			for i := range x.Data {
				x.Data[i] = f(i / x.Stride)
			}
			for i := range q.Data {
				q.Data[i] = f(i / size.d)
			}
			for _, metric := range []BitMetric{HammingDistance, JaccardDistance} {
				what := fmt.Sprintf("%s, %v, %d rows of %d words", name, metric, size.n, size.d)
				checkSearch(t, what, NewBitSearcher(x, metric), q, size.k, bitTruth(metric), 1, 2)
			}
		}
	}
}

// TestExceed: all places above the floor are found, and those that are not are few.
func TestExceed(t *testing.T) {
	r := prove.Rand(12)
	for _, bounds := range [][2]int64{{0, 5}, {-3, 3}, {-1 << 29, 1 << 29}, {-1 << 30, 1<<30 - 2},
		{-1 << 30, 1<<30 - 1}, {-1 << 30, 1 << 30}, {0, math.MaxInt32}, {math.MinInt32 + 1, math.MaxInt32},
		{math.MinInt32, math.MaxInt32}, {math.MinInt32 - 1<<20, math.MaxInt32}} {
		low, high := bounds[0], bounds[1]
		for n := range 40 {
			p, half, idx := make([]int32, n), make([]int32, n), make([]int32, n)
			for i := range p {
				half[i] = int32(r.Int64N(1 << 20))
				if high < 1<<20 {
					half[i] = 0
				}
				d := []int64{low, high, low + r.Int64N(high-low+1)}[r.IntN(3)]
				p[i] = int32(max(math.MinInt32, min(math.MaxInt32, d+int64(half[i]))))
			}
			for _, floor := range []float64{math.Inf(-1), float64(low) - 100, float64(low - 1), float64(low), -1, 0, 1,
				float64(low + r.Int64N(high-low+1)), float64(high - 1), float64(high), 1e300} {
				found, at := idx[:exceed(idx, p, half, floor, low, high)], 0
				for i := range p {
					d := int64(p[i]) - int64(half[i])
					here := at < len(found) && int(found[at]) == i
					if here != (float64(d) > floor) {
						t.Fatalf("%d..%d, floor %v: difference %d, found %v", low, high, floor, d, here)
					}
					if here {
						at++
					}
				}
			}
		}
	}
}

// TestExceedLine: all places above the line are found, and no others but for those that are very near.
func TestExceedLine(t *testing.T) {
	r := prove.Rand(16)
	for try := range 2000 {
		n, size, largest := r.IntN(150), 1+r.IntN(1<<(1+try%30)), math.Ldexp(r.Float64(), try%18)
		slope, floor := math.Ldexp(r.NormFloat64(), try%12), r.NormFloat64()*float64(size)
		p, scales, idx := make([]int32, n), make([]float32, n), make([]int32, n)
		line := func(i int) float64 { return slope*float64(scales[i]) + floor }
		for i := range p {
			scales[i] = float32(r.Float64() * largest)
			p[i] = int32(r.IntN(2*size+1) - size)
			if near := line(i) + float64(r.IntN(5)-2); math.Abs(near) < float64(size) && r.IntN(2) == 0 {
				p[i] = int32(near)
			}
		}
		most := float64(size) + math.Abs(slope)*float64(float32(largest))
		found, at := idx[:exceedLine(idx, p, scales, slope, floor, most)], 0
		for i := range p {
			here := at < len(found) && int(found[at]) == i
			if here {
				at++
			}
			d := float64(p[i]) - line(i)
			if d > 0x1p-48*most && !here || here && d < -0x1p-20*(most+math.Abs(floor)) {
				t.Fatalf("%d is %v above %v %v + %v, found %v", p[i], d, slope, scales[i], floor, here)
			}
		}
		if n := exceedLine(idx, p, scales, 0, math.Inf(-1), most); n != len(p) {
			t.Fatalf("%d places of %d without a threshold", n, len(p))
		}
	}
}

// TestFloor: all products whose ranks are above least are above the floor or the line, and few others are.
func TestFloor(t *testing.T) {
	r := prove.Rand(14)
	for m := range byJaccard + 1 {
		product := func(size, query int64) int64 {
			if m == byHamming || m == byJaccard {
				return -r.Int64N(size + query)
			}
			return r.Int64N(2*min(size, query)) - min(size, query)
		}
		above := func(v, size, query int64, least float64) float64 {
			if m.lined() {
				slope, floor := m.line(least, query)
				return float64(v) - slope*m.scale(size) - floor
			}
			if m == byL2 {
				v -= size / 2
			}
			return float64(v) - m.floor(least)
		}
		for range 2000 {
			size, other, query := 1+r.Int64N(200), 1+r.Int64N(200), 1+r.Int64N(200)
			v := product(size, query)
			least := m.rank(v, size, query)
			if d := above(v, size, query, least); d > 1 {
				t.Fatalf("metric %d: product %d of sizes %d and %d is %v above its floor", m, v, size, query, d)
			}
			for near := range int64(9) {
				w := v + near - 4
				if near == 0 {
					w = product(other, query)
				}
				if (m == byHamming || m == byJaccard) && w > 0 {
					continue
				}
				if m.rank(w, other, query) > least && !(above(w, other, query, least) > -1e-9) {
					t.Fatalf("metric %d: product %d of sizes %d and %d has a rank above %v, but is not above its floor",
						m, w, other, query, least)
				}
			}
		}
	}
}

func TestSearcherPanics(t *testing.T) {
	x, w, wide := vec.NewMatrix[int8](3, 2), vec.NewMatrix[uint64](3, 2), vec.NewMatrix[uint64](1, mostRatio+1)
	s := NewSearcher(x, vec.L2)
	d := vec.NewMatrix[float64]
	for want, f := range map[string]func(){
		"low: NewSearcher: there is no Metric(3)":       func() { NewSearcher(x, 3) },
		"low: NewBitSearcher: there is no BitMetric(2)": func() { NewBitSearcher(w, 2) },
		"low: NewSearcher: stride 1 is less than 2 columns": func() {
			NewSearcher(vec.Matrix[int8]{Rows: 3, Cols: 2, Data: x.Data, Stride: 1}, vec.L2)
		},
		"low: NewSearcher: 33026 columns, want at most 33025, whose sums fit 32 bits": func() {
			NewSearcher(vec.NewMatrix[uint8](1, 33026), vec.L2)
		},
		"low: NewBitSearcher: 1048577 columns, want at most 1048576": func() {
			NewBitSearcher(wide, HammingDistance)
		},
		"low: Searcher.Nearest: 2 indices and dist 2x1 for queries 2x3 and rows of 2 elements": func() {
			s.Nearest(make([]int32, 2), d(2, 1), vec.NewMatrix[int8](2, 3), 1)
		},
		"low: Searcher.Nearest: 2 indices and dist 1x1 for queries 2x2 and rows of 2 elements": func() {
			s.Nearest(make([]int32, 2), d(1, 1), vec.NewMatrix[int8](2, 2), 1)
		},
		"low: Searcher.Nearest: 3 indices and dist 2x1 for queries 2x2 and rows of 2 elements": func() {
			s.Nearest(make([]int32, 3), d(2, 1), vec.NewMatrix[int8](2, 2), 1)
		},
		"low: Searcher.Nearest: -1 workers, want at least 0": func() {
			s.Nearest(make([]int32, 2), d(2, 1), vec.NewMatrix[int8](2, 2), -1)
		},
	} {
		if got := refused(t, f); got != want {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
	s.Nearest(nil, d(2, 0), vec.NewMatrix[int8](2, 2), 1) // none is wanted
	if HammingDistance.String() != "HammingDistance" || JaccardDistance.String() != "JaccardDistance" {
		t.Error("metrics have other names")
	}
}

func TestSearcherAllocs(t *testing.T) {
	r := prove.Rand(13)
	const rows = searchRows + 76
	x, q := drawRows[int8](rows, 20, 0, r), drawRows[int8](searchQueries+7, 20, 0, r)
	u, w := drawRows[uint8](rows, 20, 0, r), vec.NewMatrix[uint64](rows, 2)
	for i := range w.Data {
		w.Data[i] = r.Uint64()
	}
	for metric := range vec.CosineSimilarity + 1 {
		searchAllocs(t, NewSearcher(x, metric), q)
		searchAllocs(t, NewSearcher(u, metric), u.Slice(0, q.Rows, 0, 20))
	}
	for metric := range JaccardDistance + 1 {
		searchAllocs(t, NewBitSearcher(w, metric), w.Slice(0, q.Rows, 0, 2))
	}
}

func searchAllocs[T int8 | uint8 | uint64](t *testing.T, s *Searcher[T], q vec.Matrix[T]) {
	t.Helper()
	idx, dist := make([]int32, 3*q.Rows), vec.NewMatrix[float64](q.Rows, 3)
	for _, m := range []int{1, 2, q.Rows} {
		part, to := q.Slice(0, m, 0, q.Cols), dist.Slice(0, m, 0, 3)
		if n := prove.Allocs(2, func() { s.Nearest(idx[:3*m], to, part, 1) }); n != 0 {
			t.Errorf("%T, metric %d, %d queries: %v allocations", q.Data, s.metric, m, n)
		}
	}
}
