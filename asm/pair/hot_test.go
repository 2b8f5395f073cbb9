package pair

import (
	"fmt"
	"math"
	"testing"
	"time"
)

func BenchmarkHot(b *testing.B) {
	for _, n := range []int{2000, 50000} {
		row, q, f, x := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		for l := range n {
			q[l] = 1
			x[l] = float32(l%7) / 7
			row[l] = float32(l%11) / 11
		}
		inf := float32(math.Inf(1))
		box := Scan[float32]{A: 1, Least: 1e-12, B: 0.1, L0: -0.5, L1: 1, L2: -1, U0: 0.5, U1: 1, U2: inf}
		kinks := Kinks[float32]{A: 1, Least: 1e-12, B: 0.1, L0: -0.5, L1: -1, U0: 0.5, U1: inf, C: 0.5, K: -0.5, L: -1, Second: -0.1}
		per := func(b *testing.B, f func()) {
			for b.Loop() {
			}
			least := time.Duration(1 << 60)
			for range 3000 {
				t := time.Now()
				f()
				least = min(least, time.Since(t))
			}
			b.ReportMetric(float64(least.Nanoseconds())/float64(n)*16, "ns/16")
		}
		b.Run(fmt.Sprint("scan", n), func(b *testing.B) { per(b, func() { ScanF32(&row[0], &q[0], &f[0], &x[0], n, &box) }) })
		b.Run(fmt.Sprint("kinks", n), func(b *testing.B) { per(b, func() { ScanKinksF32(&row[0], &q[0], &f[0], &x[0], n, &kinks) }) })
		b.Run(fmt.Sprint("move", n), func(b *testing.B) { per(b, func() { MoveF32(&f[0], &row[0], &q[0], n, 1e-9) }) })
	}
}
