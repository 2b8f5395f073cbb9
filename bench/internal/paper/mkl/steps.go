package mkl

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/papers/obscure"
	"github.com/dualgap/dualgap/vec"
)

// stepFeatures is the number of random features of an example for each kernel, stepRuns how often each pass is timed.
const stepFeatures, stepRuns = 10, 8

// steps prints the time of a step of the paper's stages against the numbers of kernels and of classes, on random
// kernels and random classes: nothing can be learned there, so that nearly every step moves, whatever the number of
// classes.
func (c *command) steps(ctx context.Context) error {
	fs, ms := []int{4, 12, 39}, []int{10, 102}
	t, err := c.Begin(report.Table{
		Name: "mkl-steps", Rows: "kernels, classes",
		Title: fmt.Sprintf("A step of the paper's stages, %d examples, one pass of each: microseconds, the least "+
			"of %d\n"+
			"alternated runs; how many of its steps moved, in stage 1 and in both", c.examples, stepRuns),
		Columns: []report.Column{{Name: "stage 1", Digits: 2}, {Name: "stage 2", Digits: 2}, {Name: "moved in 1"},
			{Name: "in both"}},
	})
	if err != nil {
		return err
	}
	found, err := c.timings(ctx, fs, ms)
	if err != nil {
		return err
	}
	for _, f := range fs {
		for _, m := range ms {
			v := found[[2]int{f, m}]
			if err := t.Row(fmt.Sprintf("F = %d, M = %d", f, m), report.Number(v.micros[0]), report.Number(v.micros[1]),
				report.Number(float64(v.moves[0])), report.Number(float64(v.moves[1]))); err != nil {
				return err
			}
		}
	}
	if err := t.End(); err != nil {
		return err
	}
	return c.stepTargets(fs, found)
}

// timing is the least time of a step of each stage in microseconds, and how many steps have moved by its end.
type timing struct {
	micros [2]float64
	moves  [2]int
}

// timings returns the timings for each number of kernels and of classes.
func (c *command) timings(ctx context.Context, fs, ms []int) (map[[2]int]timing, error) {
	random := rand.New(rand.NewPCG(c.seed, 4))
	all, err := randomKernels(fs[len(fs)-1], c.examples, random)
	if err != nil {
		return nil, err
	}
	found := make(map[[2]int]timing)
	for range stepRuns {
		for _, f := range fs {
			for _, m := range ms {
				c.Bar.Show(0, fmt.Sprintf("steps, %d kernels, %d classes", f, m))
				b, err := bundle.New(0, all[:f]...)
				if err != nil {
					return nil, err
				}
				micros, moves, err := c.timeSteps(ctx, b, m)
				if err != nil {
					return nil, err
				}
				at := [2]int{f, m}
				if old, ok := found[at]; ok {
					for k := range micros {
						micros[k] = math.Min(micros[k], old.micros[k])
					}
				}
				found[at] = timing{micros, moves}
			}
		}
	}
	return found, nil
}

// stepTargets prints what is asked of the times.
func (c *command) stepTargets(fs []int, found map[[2]int]timing) error {
	for k := range 2 {
		at := func(f, m int) float64 { return found[[2]int{f, m}].micros[k] }
		if err := c.Target(at(39, 10) <= 39./4*at(4, 10), fmt.Sprintf("stage %d at most linear in F", k+1),
			"%.2f times from F = 4 to 12, %.2f to 39",
			at(12, 10)/at(4, 10), at(39, 10)/at(4, 10)); err != nil {
			return err
		}
		worst := 0.0
		for _, f := range fs {
			worst = max(worst, at(f, 102)/at(f, 10))
		}
		if err := c.Target(worst <= 1.3, fmt.Sprintf("stage %d at most 1.3 times from M = 10 to 102", k+1),
			"%.2f times",
			worst); err != nil {
			return err
		}
	}
	return nil
}

// timeSteps returns the time of a step of each stage, and how many steps have moved by its end.
func (c *command) timeSteps(ctx context.Context, b *bundle.Bundle[float32], classes int) (micros [2]float64,
	moves [2]int, err error) {
	random := rand.New(rand.NewPCG(c.seed, uint64(classes)))
	y := make([]int, b.Len())
	for i := range y {
		y[i] = random.IntN(classes)
	}
	for k := range 2 {
		r, err := obscure.Solve(ctx, obscure.Problem[float32]{Bundle: b, Y: y, Classes: classes, P: 1.1, C: c.cost},
			obscure.Options{Batch: k, Seed: c.seed, Workers: 1})
		if err != nil {
			return micros, moves, err
		}
		elapsed := r.Steps[k+1].Elapsed - r.Steps[k].Elapsed
		micros[k] = float64(elapsed.Microseconds()) / float64(len(y))
		moves[k] = r.Steps[k+1].Count
	}
	return micros, moves, nil
}

// randomKernels returns Gaussian kernels of random points.
func randomKernels(count, n int, random *rand.Rand) (groups []bundle.Group[float32], err error) {
	x, d := vec.NewMatrix[float32](n, stepFeatures), vec.NewMatrix[float32](n, n)
	for range count {
		for i := range x.Data {
			x.Data[i] = float32(random.NormFloat64())
		}
		vec.SquaredDistances(d, x, x)
		k, err := kernel.FromDistances(d, 1./(2*stepFeatures))
		if err != nil {
			return nil, err
		}
		groups = append(groups, bundle.Group[float32]{Matrix: k})
	}
	return groups, nil
}
