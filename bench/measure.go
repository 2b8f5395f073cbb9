package main

import (
	"math"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/vec"
)

// A loop calls a kernel iters times on the same operands.
type loop[T vec.Float] func(p *operands[T], iters int)

// runner is one implementation of a kernel.
type runner[T vec.Float] struct {
	name string
	tier cpu.Tier // in use while it runs
	loop loop[T]
}

func (r runner[T]) run(p *operands[T], iters int) {
	defer cpu.Set(cpu.Set(r.tier))
	r.loop(p, iters)
}

const (
	rounds = 5
	batch  = 100 * time.Microsecond // of one reading of the clock: long against its resolution, short against noise
)

// alternate lets the runners take turns, a window long each, and returns the nanoseconds of a call in the fastest batch of each.
func alternate[T vec.Float](runners []runner[T], p *operands[T], window time.Duration) []float64 {
	ns, iters := make([]float64, len(runners)), make([]int, len(runners))
	for i, r := range runners {
		ns[i], iters[i] = math.Inf(1), calibrate(r, p)
	}
	for range rounds {
		for i, r := range runners {
			for begin := time.Now(); ; {
				start := time.Now()
				r.run(p, iters[i])
				end := time.Now()
				ns[i] = min(ns[i], float64(end.Sub(start))/float64(iters[i]))
				if end.Sub(begin) >= window {
					break
				}
			}
		}
	}
	return ns
}

// calibrate returns the number of calls that take about a batch, at least one.
func calibrate[T vec.Float](r runner[T], p *operands[T]) int {
	for iters := 1; ; iters *= 2 {
		start := time.Now()
		r.run(p, iters)
		if t := time.Since(start); t >= batch/4 {
			return max(1, int(float64(iters)*float64(batch)/float64(t)))
		}
	}
}
