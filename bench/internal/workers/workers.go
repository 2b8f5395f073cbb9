// Package workers measures how much faster products, passes, a decomposition, searches and a training of every family
// are by several workers than by one.
package workers

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"time"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// Base is the name of the benchmarks.
const Base = "Workers"

// job is something that several workers share.
type job struct {
	name string
	open func(part int) (run, error) // on one of part rows or examples
}

// run does the job by a number of workers. It returns the passes of a training, or 0.
type run func(ctx context.Context, workers int) (passes float64, err error)

// Counts returns the numbers of workers that are compared on a machine with cores: the powers of two up to these, and
// these.
func Counts(cores int) (list []int) {
	for n := 1; n < cores; n *= 2 {
		list = append(list, n)
	}
	return append(list, cores)
}

// Measure does each job whose benchmark's name, Workers/job=NAME, matches the filter by 1, 2, 4, ... workers up to all
// cores, in turns, and adds a line for each turn to out. After the lines of a job it calls done. A quick run takes a
// tenth of the data.
func Measure(ctx context.Context, filter *regexp.Regexp, quick bool, b *progress.Bar, out *results.Set,
	done func([]results.Line) error) error {
	turns := turns{counts: Counts(runtime.GOMAXPROCS(0)), rounds: 3, least: 100 * time.Millisecond}
	part := 1
	if quick {
		part, turns.rounds, turns.least = 10, 1, 0
	}
	for i, j := range jobs {
		keys := results.Parts("job", j.name)
		if !filter.MatchString((results.Line{Base: Base, Keys: keys}).Name()) {
			continue
		}
		b.Show(float64(i)/float64(len(jobs)), "workers, "+j.name)
		do, err := j.open(part)
		if err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		lines, err := turns.measure(ctx, do, keys)
		if err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		out.Lines = append(out.Lines, lines...)
		b.Clear()
		if err := done(lines); err != nil {
			return err
		}
	}
	return nil
}

// turns says how numbers of workers take turns.
type turns struct {
	counts []int
	rounds int
	least  time.Duration // of a turn: long against the time that sleeping cores take to wake
}

func (t turns) measure(ctx context.Context, do run, keys []results.Pair) (lines []results.Line, err error) {
	for range t.rounds {
		for _, workers := range t.counts {
			of := append(keys[:len(keys):len(keys)], results.Parts("workers", workers)...)
			l := results.Line{Base: Base, Keys: of}
			passes, start := 0., time.Now()
			for l.Iters == 0 || time.Since(start) < t.least {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				if passes, err = do(ctx, workers); err != nil {
					return nil, err
				}
				l.Iters++
			}
			l.Values = []results.Value{{Number: time.Since(start).Seconds() / float64(l.Iters), Unit: results.Seconds}}
			if passes > 0 {
				l.Values = append(l.Values, results.Value{Number: passes, Unit: "passes"})
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}
