package kernels

import (
	"math"
	"sync"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/vec"
)

// runner is one implementation of a kernel.
type runner[T vec.Float] struct {
	name string
	tier cpu.Tier // in use while it runs
	loop cases.Loop[T]
}

func (r runner[T]) run(p *cases.Operands[T], iters int) {
	defer cpu.Set(cpu.Set(r.tier))
	r.loop(p, iters)
}

const rounds = 5

// batch returns how long to run between two readings of the clock: long against its resolution, which is coarse on some
// systems, and else short against the noise of the machine.
var batch = sync.OnceValue(func() time.Duration {
	step := time.Second
	for range 5 {
		start := time.Now()
		for time.Since(start) == 0 {
		}
		step = min(step, time.Since(start))
	}
	return max(100*time.Microsecond, 20*step)
})

// turn is the fastest batch of a runner in one of its turns.
type turn struct {
	ns    float64 // of a call
	iters int     // calls in the batch
}

// alternate lets the runners take turns, a window long each, and returns the turns of each.
func alternate[T vec.Float](runners []runner[T], p *cases.Operands[T], window time.Duration) [][rounds]turn {
	turns, iters := make([][rounds]turn, len(runners)), make([]int, len(runners))
	for i := range runners {
		iters[i] = 1
	}
	for round := range rounds {
		for i, r := range runners {
			best := turn{ns: math.Inf(1)}
			for begin := time.Now(); time.Since(begin) < window || math.IsInf(best.ns, 1); {
				start := time.Now()
				r.run(p, iters[i])
				if t := time.Since(start); t >= batch()/2 {
					if ns := float64(t) / float64(iters[i]); ns < best.ns {
						best = turn{ns, iters[i]}
					}
				} else {
					iters[i] *= 2
				}
			}
			turns[i][round] = best
		}
	}
	return turns
}
