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

// BenchmarkLevels: the time of a code of 98 bytes, in L2, where a quarter of the weights has two bytes, or all, beside
// sums of as many table entries.
func BenchmarkLevels(b *testing.B) {
	const size, n = 98, 8192
	const groups = (size + 3) / 4
	r := prove.Rand(1)
	table, codes := bytes(size*256, r, 128), bytes(4*groups*n, r, 256)
	sums, words := make([]int32, Block), make([]uint16, Block)
	weights := mem[int8](bytes(groups*32, r, 256))
	type kernel = func(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)
	levels := func(f kernel, two int) func(block int) {
		return func(block int) {
			f(Block, two, &codes[block*groups*4*Block], weights, 32, &sums[0])
			f(Block, groups, &codes[block*groups*4*Block], weights, 8, &sums[0])
		}
	}
	prove.Forms(func(form string) {
		for _, c := range []struct {
			name string
			run  func(block int)
		}{
			{"Scan8", func(block int) { Scan8(1, size, &table[0], &codes[block*size*Block], &words[0]) }},
			{"Scan4", func(block int) { Scan4(1, size, &table[0], &codes[block*size*Block], &words[0]) }},
			{"Levels8", levels(Levels8, groups/4)},
			{"Levels8/all", levels(Levels8, groups)},
			{"Levels4", levels(Levels4, groups/4)},
			{"Levels4/all", levels(Levels4, groups)},
			{"Nibbles", func(block int) {
				Nibbles(Block, groups, &codes[block*groups*4*Block], &table[0], 32, &sums[0])
			}},
		} {
			b.Run(c.name+"/tier="+form, func(b *testing.B) {
				for b.Loop() {
					for block := range n / Block {
						c.run(block)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/code")
			})
		}
	})
}
