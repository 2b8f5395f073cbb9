package kernels

import (
	"context"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// Stream measures how many bytes a second move from and to each level, on the tier in use: by sums, which read, and by
// Scale and Axpy, which write as well. Of a level the operands fill a half, memory's are eight times the last cache, at
// most 256 MB. The name of such a benchmark is Stream.
func Stream(ctx context.Context, caches [3]int, quick bool, b *progress.Bar, out *results.Set) error {
	window := 20 * time.Millisecond
	sizes := []int{half(caches[0], 32<<10), half(caches[1], 1<<20), half(caches[2], 32<<20), 0}
	sizes[3] = min(max(16*sizes[2], 64<<20), 256<<20)
	if quick {
		window, sizes = window/20, sizes[:2]
	}
	for level, bytes := range sizes {
		for _, name := range []string{"Sum", "Scale", "Axpy"} {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.Show(float64(level)/float64(len(sizes)), "bandwidth, "+Levels[level])
			c := cases.Case{Name: name, N: bytes / 4}
			if name == "Axpy" {
				c.N /= 2
			}
			loop := []runner[float32]{{cpu.Level.String(), cpu.Level, cases.Find[float32](name).Ours}}
			for _, turn := range alternate(loop, cases.NewOperands[float32](c, cases.Layout{}), window)[0] {
				out.Lines = append(out.Lines, results.Line{
					Base: "Stream", Keys: results.Parts("by", name, "level", Levels[level], "bytes", bytes, "impl",
						cpu.Level), Iters: turn.iters,
					Values: []results.Value{{Number: turn.ns * 1e-9, Unit: results.Seconds},
						{Number: float64(c.Bytes(4)) / turn.ns, Unit: "GB/s"}},
				})
			}
		}
	}
	b.Clear()
	return nil
}

func half(size, common int) int {
	if size <= 0 {
		size = common
	}
	return size / 2
}
