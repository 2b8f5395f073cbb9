package pq

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

func minNS(f func()) float64 {
	best := 1e18
	for range 300 {
		t := time.Now()
		n := 0
		for {
			f()
			n++
			if time.Since(t) > 100*time.Microsecond {
				break
			}
		}
		best = min(best, float64(time.Since(t).Nanoseconds())/float64(n))
	}
	return best
}

func TestMin(t *testing.T) {
	if os.Getenv("MIN") == "" {
		t.Skip()
	}
	r := prove.Rand(1)
	draw := prove.Draw[float32]("uniform", r)
	const ksub, blocks, d = 256, 16, 128
	const m, n = 16, 16384
	table, codes := bytes(m*256, r, 128), bytes(m*n, r, 256)
	floatTable := floats(m*256, draw)
	sums, dist, hits := make([]uint16, n), make([]float32, n), make([]uint32, n)
	x, y := make([]float32, 256*128), make([]float32, 256*128)
	prove.Tiers(func(tier cpu.Tier) {
		if tier == cpu.Generic {
			return
		}
		for _, dsub := range []int{4, 8, 16, 32} {
			xt, ct := floats(blocks*Lanes*dsub, draw), floats(ksub*dsub, draw)
			var codes [blocks * Lanes]byte
			var dist [blocks * Lanes]float32
			ns := minNS(func() { Assign(blocks, dsub, ksub, &xt[0], &ct[0], &codes[0], 1, &dist[0]) })
			fmt.Printf("%v assign dsub=%d %.0f kvec/s (%.0f cyc/block-centroid*8)\n", tier, dsub, float64(blocks*Lanes*dsub)/d/ns*1e6, ns*3.7/blocks/(ksub/8))
			q := xt[:dsub]
			ns = minNS(func() { TableL2(dsub, ksub, &q[0], &ct[0], &dist[0]) })
			fmt.Printf("%v table dsub=%d  %.1f ns\n", tier, dsub, ns)
			ns = minNS(func() { Pack(16, dsub, &x[0], 128, &y[0]) })
			fmt.Printf("%v pack dsub=%d  %.3f ns/number\n", tier, dsub, ns/256/float64(dsub))
		}
		for _, c := range []struct {
			name    string
			lookups int
			run     func()
		}{
			{"Scan", m * n, func() { Scan(n, m, &floatTable[0], &codes[0], &dist[0]) }},
			{"Scan8", m * n, func() { Scan8(n/Block, m, &table[0], &codes[0], &sums[0]) }},
			{"Scan4", 2 * m * n, func() { Scan4(n/Block, m, &table[0], &codes[0], &sums[0]) }},
			{"Below", n, func() { Below(n, &sums[0], 10, &hits[0]) }},
		} {
			fmt.Printf("%v %s %.1f /ns\n", tier, c.name, float64(c.lookups)/minNS(c.run))
		}
	})
}
