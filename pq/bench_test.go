package pq

import (
	"fmt"
	"testing"
)

// The shapes of the benchmarks: d = 128 dimensions.

func BenchmarkEncode(b *testing.B) {
	x := clustered(4096, 128, 1)
	for _, m := range []int{8, 16, 32} {
		q := train(b, x, Config{M: m, Iterations: 1})
		codes := make([]byte, x.Rows*q.CodeSize())
		b.Run(fmt.Sprintf("M=%d/n=%d", m, x.Rows), func(b *testing.B) {
			for b.Loop() {
				if err := q.Encode(codes, x, 1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(x.Rows)*float64(b.N)/b.Elapsed().Seconds()/1e3, "kvec/s")
		})
		b.Run(fmt.Sprintf("M=%d/n=1", m), func(b *testing.B) {
			for b.Loop() {
				if err := q.EncodeVector(codes[:q.CodeSize()], x.Row(0)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTrain(b *testing.B) {
	x := clustered(20000, 128, 1)
	for _, m := range []int{8, 16, 32} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("M=%d/n=%d/workers=%d", m, x.Rows, workers), func(b *testing.B) {
				for b.Loop() {
					train(b, x, Config{M: m, Iterations: 5, Workers: workers})
				}
			})
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	x := clustered(4096, 128, 1)
	for _, m := range []int{8, 16, 32} {
		q := train(b, x, Config{M: m, Iterations: 1})
		codes := encode(b, q, x)
		b.Run(fmt.Sprintf("M=%d/n=%d", m, x.Rows), func(b *testing.B) {
			for b.Loop() {
				if err := q.Decode(x, codes, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSearch: the 10 nearest of 65536, by codes.
func BenchmarkSearch(b *testing.B) {
	x := clustered(65536, 128, 1)
	for _, c := range []Config{{M: 16}, {M: 32}, {M: 16, NBits: 4}, {M: 32, NBits: 4}, {M: 64, NBits: 4}} {
		q := train(b, x.Slice(0, 2000, 0, 128), c)
		ix, err := NewIndex(q, L2)
		if err != nil {
			b.Fatal(err)
		}
		if err := ix.Add(x, 0); err != nil {
			b.Fatal(err)
		}
		var dst []Neighbor
		b.Run(fmt.Sprintf("M=%d/nbits=%d/n=%d", c.M, q.NBits(), x.Rows), func(b *testing.B) {
			i := 0
			for b.Loop() {
				if dst, err = ix.Search(dst, x.Row(i), Search{K: 10}); err != nil {
					b.Fatal(err)
				}
				i = (i + 1) % 1000
			}
			b.ReportMetric(float64(c.M*x.Rows)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "lookups/ns")
		})
	}
}

func BenchmarkTable(b *testing.B) {
	x := clustered(300, 128, 1)
	for _, m := range []int{8, 16, 32} {
		q := train(b, x, Config{M: m, Iterations: 1})
		t := q.NewTable()
		var f fastTable
		b.Run(fmt.Sprintf("M=%d/float", m), func(b *testing.B) {
			for b.Loop() {
				t.Set(L2, x.Row(0))
			}
		})
		b.Run(fmt.Sprintf("M=%d/bytes", m), func(b *testing.B) {
			for b.Loop() {
				f.set(t, nearby)
			}
		})
	}
}
