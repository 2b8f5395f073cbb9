package pq

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// BenchmarkAssign: of M dsub = 128 dimensions one subspace; kvec/s counts whole vectors of 128.
func BenchmarkAssign(b *testing.B) {
	const ksub, blocks, d = 256, 16, 128
	r := prove.Rand(1)
	for _, dsub := range []int{4, 8, 16} {
		prove.Tiers(func(tier cpu.Tier) {
			b.Run(fmt.Sprintf("dsub=%d/tier=%v", dsub, tier), func(b *testing.B) {
				draw := prove.Draw[float32]("uniform", r)
				xt, ct := floats(blocks*Lanes*dsub, draw), floats(ksub*dsub, draw)
				var codes [blocks * Lanes]byte
				var dist [blocks * Lanes]float32
				for b.Loop() {
					Assign(blocks, dsub, ksub, &xt[0], &ct[0], &codes[0], 1, &dist[0])
				}
				ns := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				b.ReportMetric(float64(blocks*Lanes*dsub)/d/ns*1e6, "kvec/s")
			})
		})
	}
}

// BenchmarkScans: lookups/ns with the codes of 16384 vectors, in L2.
func BenchmarkScans(b *testing.B) {
	const m, n = 16, 16384
	r := prove.Rand(1)
	table, codes := bytes(m*256, r, 128), bytes(m*n, r, 256)
	floatTable := floats(m*256, prove.Draw[float32]("uniform", r))
	sums, dist, hits := make([]uint16, n), make([]float32, n), make([]uint32, n)
	prove.Tiers(func(tier cpu.Tier) {
		for _, c := range []struct {
			name    string
			lookups int
			run     func()
		}{
			{"Scan", m * n, func() { Scan(n, m, &floatTable[0], &codes[0], &dist[0]) }},
			{"Scan8", m * n, func() { Scan8(n/Block, m, &table[0], &codes[0], &sums[0]) }},
			{"Scan4", 2 * m * n, func() { Scan4(n/Block, m, &table[0], &codes[0], &sums[0]) }},
			{"Below", n, func() { Below(n, &sums[0], 10, &hits[0]) }},
			{"Pack", n, func() { Pack(n/Lanes/8, 8, &dist[0], 8, &dist[0]) }},
		} {
			b.Run(fmt.Sprintf("%s/m=%d/tier=%v", c.name, m, tier), func(b *testing.B) {
				for b.Loop() {
					c.run()
				}
				b.ReportMetric(float64(c.lookups)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "/ns")
			})
		}
	})
}
