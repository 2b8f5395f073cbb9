package main

import (
	"math"
	"slices"
	"time"
)

// batch is the time that one run of a loop should take: long against the clock's resolution and the way to C, short
// against the noise of the machine.
const batch = 300 * time.Microsecond

// calibrate returns the number of calls that take about a batch, at least one.
func calibrate(run func(iters int)) (iters int) {
	for iters = 1; ; iters *= 2 {
		start := time.Now()
		run(iters)
		if t := time.Since(start); t >= batch/4 {
			return max(1, int(float64(iters)*float64(batch)/float64(t)))
		}
	}
}

// fastest runs batches for the length of the window and returns the nanoseconds a call of the fastest one took.
func fastest(run func(iters int), iters int, window time.Duration) float64 {
	best := math.Inf(1)
	for begin := time.Now(); time.Since(begin) < window; {
		start := time.Now()
		run(iters)
		best = min(best, float64(time.Since(start))/float64(iters))
	}
	return best
}

// alternate measures the loops of a trial in turn, rounds times, and returns ns[i][r], the nanoseconds of a call of
// loop i in round r. Each round opens a new trial, in other memory: now and then a short kernel is some 10 ns slower
// for as long as its operands stay where they are, and the median over rounds shall not hang on one place.
func alternate(open func() ([]runner, error), rounds int, window time.Duration) (ns [][]float64, err error) {
	var iters []int
	for round := range rounds {
		runners, err := open()
		if err != nil {
			return nil, err
		}
		if round == 0 {
			ns = make([][]float64, len(runners))
			for _, r := range runners {
				iters = append(iters, calibrate(r.run))
			}
		}
		for i, r := range runners {
			ns[i] = append(ns[i], fastest(r.run, iters[i], window))
		}
	}
	return ns, nil
}

// ratios returns a[r]/b[r].
func ratios(a, b []float64) []float64 {
	q := make([]float64, len(a))
	for r := range a {
		q[r] = a[r] / b[r]
	}
	return q
}

// median returns the middle of x in order, or the mean of the two in the middle, and NaN for an empty x.
func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
