// Package kernels measures the kernels on every tier that this CPU runs, against plain Go and gonum, and the bandwidth of
// its caches and of memory.
package kernels

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/vec"
)

// Names of implementations that are no tier of ours.
const (
	Plain = "go"    // a loop in Go
	Gonum = "gonum" // one routine of gonum
)

// Measure measures the cases whose benchmark's name without its last part, the implementation, matches the filter, on one
// thread, and adds them to out; after those of one kernel and precision it calls done. A quick run leaves out large cases.
func Measure(ctx context.Context, filter *regexp.Regexp, quick bool, b *progress.Bar, out *results.Set, done func([]results.Line) error) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // gonum's products take all threads
	list, window := Cases(), 4*time.Millisecond
	if quick {
		list, window = slices.DeleteFunc(list, Case.slow), window/10
	}
	for t, typ := range []string{"f32", "f64"} {
		for i, c := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !filter.MatchString((results.Line{Base: c.Name, Keys: c.keys(typ)}).Name()) {
				continue
			}
			b.Show(float64(t*len(list)+i)/float64(2*len(list)), fmt.Sprintf("kernels, %s %v %s", c.Name, c, typ))
			lines, err := both(c, typ, window)
			if err != nil {
				return err
			}
			out.Lines = append(out.Lines, lines...)
			b.Clear()
			if err := done(lines); err != nil {
				return err
			}
		}
	}
	return nil
}

func both(c Case, typ string, window time.Duration) ([]results.Line, error) {
	if typ == "f32" {
		return measure(c, typ, 4, gonum32, window)
	}
	return measure(c, typ, 8, gonum64, window)
}

// measure compares the results of all implementations of c, and then their times: a line for each turn of each.
func measure[T vec.Float](c Case, typ string, element int, gonum map[string]loop[T], window time.Duration) ([]results.Line, error) {
	var runners []runner[T]
	for _, tier := range cpu.Tiers() {
		if tier > cpu.Level { // DUALGAP_TIER asks for a lower one
			continue
		}
		runners = append(runners, runner[T]{tier.String(), tier, ours[T]()[c.Name]})
		if c.Name == topKSimplex { // which is pure Go itself
			break
		}
	}
	for _, rival := range []runner[T]{{Plain, cpu.Level, plain[T]()[c.Name]}, {Gonum, cpu.Level, gonum[c.Name]}} {
		if rival.loop != nil {
			runners = append(runners, rival)
		}
	}
	if err := agree(c, runners); err != nil {
		return nil, fmt.Errorf("%s %v, %s: %w", c.Name, c, typ, err)
	}
	var lines []results.Line
	for r, turns := range alternate(runners, newOperands[T](c), window) {
		for _, turn := range turns {
			l := results.Line{Base: c.Name, Iters: turn.iters, Values: []results.Value{
				{Number: turn.ns * 1e-9, Unit: results.Seconds}, {Number: float64(c.Bytes(element)) / turn.ns, Unit: "GB/s"},
			}}
			l.Keys = append(c.keys(typ), results.Pair{Key: "impl", Value: runners[r].name})
			if c.Flops() > 0 {
				l.Values = append(l.Values, results.Value{Number: float64(c.Flops()) / turn.ns, Unit: "GFLOP/s"})
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}
