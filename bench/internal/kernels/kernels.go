// Package kernels measures the kernels on every tier that this CPU runs, against plain Go and gonum, and the bandwidth
// of its caches and of memory.
package kernels

import (
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/vec"
)

// Names of implementations that are no tier of ours.
const (
	Plain = "go"    // a loop in Go
	Gonum = "gonum" // one routine of gonum
)

// Measure measures the cases whose benchmark's name without its last part, the implementation, matches the filter, on
// one thread, and adds them to out; after the results of one kernel and precision it calls done. A quick run leaves out
// large cases.
func Measure(ctx context.Context, filter *regexp.Regexp, quick bool, b *progress.Bar, out *results.Set,
	done func([]results.Line) error) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // gonum's products take all threads
	list, window := cases.Measured(), 4*time.Millisecond
	if quick {
		list, window = slices.DeleteFunc(list, slow), window/10
	}
	for t, typ := range []string{"f32", "f64"} {
		for i, c := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !filter.MatchString(c.Benchmark(typ)) {
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

func both(c cases.Case, typ string, window time.Duration) ([]results.Line, error) {
	if typ == "f32" {
		return measure(c, typ, 4, cases.Find[float32](c.Name), window)
	}
	return measure(c, typ, 8, cases.Find[float64](c.Name), window)
}

// measure compares the results of all implementations of c, and then their times: a line for each turn of each.
func measure[T vec.Float](c cases.Case, typ string, element int, k cases.Kernel[T],
	window time.Duration) ([]results.Line, error) {
	runners := runnersOf(k)
	p := cases.NewOperands[T](c, cases.Layout{})
	if k.Plain != nil {
		want := cases.Expect(c, cases.Layout{}, k.Plain)
		for _, r := range runners {
			if err := p.Try(r.run, want); err != nil {
				return nil, fmt.Errorf("%s %v, %s: %s: %w", c.Name, c, typ, r.name, err)
			}
		}
		p.Fill()
	}
	var lines []results.Line
	for r, turns := range alternate(runners, p, window) {
		for _, turn := range turns {
			l := results.Line{Base: c.Name, Iters: turn.iters, Values: []results.Value{
				{Number: turn.ns * 1e-9, Unit: results.Seconds}, {Number: float64(c.Bytes(element)) / turn.ns,
					Unit: "GB/s"},
			}}
			l.Keys = append(results.Parts(c.Keys(typ)...), results.Pair{Key: "impl", Value: runners[r].name})
			if c.Flops() > 0 {
				l.Values = append(l.Values, results.Value{Number: float64(c.Flops()) / turn.ns, Unit: "GFLOP/s"})
			}
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// runnersOf returns ours on every tier, plain Go and gonum.
func runnersOf[T vec.Float](k cases.Kernel[T]) (runners []runner[T]) {
	for _, tier := range cpu.Tiers() {
		if tier > cpu.Level { // DUALGAP_TIER asks for a lower one
			continue
		}
		runners = append(runners, runner[T]{tier.String(), tier, k.Ours})
		if k.PureGo {
			break
		}
	}
	for _, rival := range []runner[T]{{Plain, cpu.Level, k.Plain}, {Gonum, cpu.Level, k.Gonum}} {
		if rival.loop != nil {
			runners = append(runners, rival)
		}
	}
	return runners
}

// slow tells whether c takes long: trial runs leave it out.
func slow(c cases.Case) bool { return max(c.M, 1)*c.N > 1e6 || c.Name == "Gemm" && c.N > 64 }

// Of returns the case that a benchmark measures.
func Of(l results.Line) cases.Case {
	return cases.Case{Name: l.Base, M: l.Int("m"), N: l.Int("n"), K: l.Int("k")}
}
