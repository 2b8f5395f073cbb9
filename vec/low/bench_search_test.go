package low

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// BenchmarkNearest has the names of vec's, whose float32 it is to be compared with.
func BenchmarkNearest(b *testing.B) {
	r := prove.Rand(15)
	for _, size := range []struct{ n, d int }{{60000, 784}, {100000, 128}} {
		x := drawRows[int8](size.n, size.d, 0, r)
		for _, metric := range []vec.Metric{vec.L2, vec.CosineSimilarity} {
			name := fmt.Sprintf("type=i8/metric=%v/n=%d/d=%d", metric, size.n, size.d)
			benchmarkNearest(b, name, NewSearcher(x, metric), drawRows[int8](1000, size.d, 0, r), 1, 1000)
		}
	}
	x, q := vec.NewMatrix[uint64](1000000, 4), vec.NewMatrix[uint64](100, 4)
	for _, a := range []vec.Matrix[uint64]{x, q} {
		for i := range a.Data {
			a.Data[i] = r.Uint64()
		}
	}
	for metric := range JaccardDistance + 1 {
		benchmarkNearest(b, fmt.Sprintf("type=bits/metric=%v/n=1000000/d=256", metric), NewBitSearcher(x, metric), q,
			1, 100)
	}
}

func benchmarkNearest[T int8 | uint8 | uint64](b *testing.B, name string, s *Searcher[T], queries vec.Matrix[T],
	numbers ...int) {
	for _, m := range numbers {
		q := queries.Slice(0, m, 0, queries.Cols)
		idx, dist := make([]int32, 10*m), vec.NewMatrix[float64](m, 10)
		b.Run(fmt.Sprintf("%s/m=%d/k=10/impl=dualgap", name, m), func(b *testing.B) {
			for b.Loop() {
				s.Nearest(idx, dist, q, 1)
			}
		})
		products := vec.NewMatrix[int32](searchQueries, searchRows)
		b.Run(fmt.Sprintf("%s/m=%d/k=10/impl=products", name, m), func(b *testing.B) {
			for b.Loop() {
				for from := 0; from < m; from += searchQueries {
					part := q.Slice(from, min(from+searchQueries, m), 0, q.Cols)
					for i := 0; i < s.x.Rows; i += searchRows {
						rows := s.x.Slice(i, min(i+searchRows, s.x.Rows), 0, s.x.Cols)
						s.products(products.Slice(0, part.Rows, 0, rows.Rows), part, rows)
					}
				}
			}
		})
	}
}
