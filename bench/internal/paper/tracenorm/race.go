package tracenorm

import (
	"context"
	"fmt"
	"math"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/papers"
	"github.com/dualgap/dualgap/solvers/papers/rankone"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// The problem of the race, on pixels as they are.
const raceLambda1, raceLambda2 = .01, 1e-3

// goal is what a training of the race is to reach, with the bars of ours: passes, and how many times FISTA's speed.
type goal struct{ tol, passes, speed float64 }

var goals = []goal{{1e-3, 30, 2.7}, {1e-5, 45, 3.5}}

// digits returns the images of the race and of the path: the first 8000 test images of MNIST, or what is embedded.
func (c *command) digits() (part, int, string, error) {
	if c.data == "" {
		s := c.small()
		return s.train, s.classes, s.name, nil
	}
	p, classes, err := mnist(c.data)
	return p, classes, "MNIST", err
}

// race trains to certified gaps, and by FISTA to the same errors of the objective and to the same gaps, in turn, on one
// core; times are the least of all rounds. The paper's rank-one descent joins in once.
func (c *command) race(ctx context.Context) error {
	p, classes, name, err := c.digits()
	if err != nil {
		return err
	}
	problem := tracenorm.Problem[float32]{X: p.x, Y: p.y}
	config := tracenorm.Config{Lambda1: raceLambda1, Lambda2: raceLambda2, Raw: true, Classes: classes, Workers: 1,
		Seed: c.seed}
	c.Bar.Show(0, "race, the optimum")
	optimum, err := c.optimum(ctx, p, config)
	if err != nil {
		return err
	}
	ours, passes := make([][]step, len(goals)), make([]float64, len(goals))
	times := make([][3]float64, len(goals)) // Fit, FISTA to the error, FISTA to the gap
	for k := range times {
		times[k] = [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	}
	var rival []step
	for round := range c.rounds {
		c.Bar.Show(float64(round)/float64(c.rounds), "race")
		for k, g := range goals {
			config.Tol = g.tol
			steps, done, err := fit(ctx, problem, config)
			if err != nil {
				return err
			}
			if seconds := steps[len(steps)-1].seconds; seconds < times[k][0] {
				times[k][0], ours[k], passes[k] = seconds, steps, done.Passes
			}
		}
		f := fista{part: p, classes: classes, lambda1: raceLambda1, lambda2: raceLambda2}
		if err := f.run(ctx, optimum, goals[len(goals)-1].tol, c.iterations); err != nil {
			return err
		}
		for k, g := range goals {
			times[k][1] = min(times[k][1], f.at(g.tol, optimum, false).seconds)
			times[k][2] = min(times[k][2], f.at(g.tol, optimum, true).seconds)
		}
		rival = f.steps
	}
	paper, told, err := c.descents(ctx, problem, config, optimum)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("%s, n = %d, lambda1 = %v, lambda2 = %v, one core", name, len(p.y), raceLambda1, raceLambda2)
	if err := c.raceTable(title, times, passes, rival, optimum, told); err != nil {
		return err
	}
	lines := append(curves("Fit", ours[len(ours)-1], optimum), curves("FISTA", rival, optimum)...)
	return c.Figure("tracenorm-race", chart.Chart{Title: "Race, " + title, X: "seconds",
		Y: "relative error, relative gap", Lines: append(lines, paper...)})
}

// optimum returns the least objective, from a training in float64 to a gap of 1e-8.
func (c *command) optimum(ctx context.Context, p part, config tracenorm.Config) (float64, error) {
	config.Tol = 1e-8
	r, err := tracenorm.Fit(ctx, design.Float64(p.x), p.y, config)
	if err != nil {
		return 0, err
	}
	return r.Certificate.Primal, converged(r.Outcome)
}

// fit trains and returns its history; what came of samples of the examples is left out.
func fit(ctx context.Context, p tracenorm.Problem[float32], config tracenorm.Config) (steps []step,
	done solvers.Outcome, err error) {
	config.Progress = func(s solvers.Progress) {
		if s.Dual != 0 {
			steps = append(steps, step{seconds: s.Elapsed.Seconds(), primal: s.Primal, dual: s.Dual})
		}
	}
	r, err := p.Fit(ctx, config)
	if err != nil {
		return nil, done, err
	}
	return steps, r.Outcome, converged(r.Outcome)
}

// epsilons are what the paper's rank-one descent runs with: the paper's, with which it soon stops by itself, and one
// with which it goes on to its last step.
var epsilons = []float64{.035, .001}

// descents runs the paper's method with each of the epsilons and returns the curves, and how far each run came.
func (c *command) descents(ctx context.Context, p tracenorm.Problem[float32], config tracenorm.Config,
	optimum float64) (lines []chart.Line, told []string, err error) {
	for k, epsilon := range epsilons {
		c.Bar.Show(float64(k)/float64(len(epsilons)), "race, rank-one descent")
		r, err := rankone.Solve(ctx, rankone.Problem[float32]{X: p.X, Y: p.Y, Classes: config.Classes,
			Lambda1: config.Lambda1, Lambda2: config.Lambda2}, rankone.Options{
			Options: papers.Options{Steps: c.descent, Every: 5}, Epsilon: epsilon, Workers: config.Workers})
		if err != nil {
			return nil, nil, err
		}
		var steps []step
		for _, s := range r.Steps {
			steps = append(steps, step{s.Passes, s.Elapsed.Seconds(), s.Primal, s.Dual})
		}
		lines = append(lines, curves(fmt.Sprintf("rank-one descent, epsilon %v", epsilon), steps, optimum)...)
		last, end := r.Last(), "after its last iteration"
		if r.Status == solvers.Converged {
			end = "where its conditions hold"
		}
		told = append(told, fmt.Sprintf("The paper's rank-one descent with epsilon %v, %s: %d iterations, %.0f "+
			"passes, %.2f s, %d atoms, rank %d, error %.1e, gap %.1e.", epsilon, end, last.Steps, last.Passes,
			last.Elapsed.Seconds(), last.Count, len(r.Spectrum), (last.Primal-optimum)/optimum, last.RelativeGap()))
	}
	return lines, told, nil
}

// at returns the first step whose objective is within tol of the optimum, relatively, or whose gap is tol.
func (f *fista) at(tol, optimum float64, certified bool) step {
	for _, s := range f.steps {
		if !certified && s.primal-optimum <= tol*optimum || certified && s.gap() <= tol {
			return s
		}
	}
	return step{passes: math.Inf(1), seconds: math.Inf(1)}
}

func (c *command) raceTable(title string, times [][3]float64, passes []float64, rival []step, optimum float64,
	told []string) error {
	t, err := c.Begin(report.Table{
		Name: "tracenorm-race-table", Title: "Race of solvers on " + title, Rows: "solver and goal",
		About: "Passes are scores and gradient of all examples, scores alone a half; Fit's seconds are with all " +
			"it does.",
		Columns: []report.Column{{Name: "passes", Digits: 1}, {Name: "seconds", Digits: 4}, {Name: "times ours",
			Digits: 2}},
	})
	if err != nil {
		return err
	}
	var notes []string
	f := fista{steps: rival}
	for k, g := range goals {
		ours := times[k][0]
		row := func(name string, passes, seconds float64) error {
			return t.Row(fmt.Sprintf("%s %.0e", name, g.tol), report.Number(passes), report.Number(seconds),
				report.Number(seconds/ours))
		}
		if err := row("Fit, certified", passes[k], ours); err != nil {
			return err
		}
		if err := row("FISTA, error", f.at(g.tol, optimum, false).passes, times[k][1]); err != nil {
			return err
		}
		if err := row("FISTA, gap", f.at(g.tol, optimum, true).passes, times[k][2]); err != nil {
			return err
		}
		if speed := times[k][1] / ours; c.data != "" { // the bars are of MNIST
			notes = append(notes,
				fmt.Sprintf("Certified %.0e after %.1f passes, at most %v wanted: %s; %.2f times FISTA's speed, %v "+
					"wanted: %s.",
					g.tol, passes[k], g.passes, report.Verdict(passes[k] <= g.passes), speed, g.speed,
					report.Verdict(speed >= g.speed)))
		}
	}
	return t.End(append(notes, told...)...)
}

// curves are the errors and the gaps of a training against time.
func curves(name string, steps []step, optimum float64) []chart.Line {
	lines := []chart.Line{{Name: name + ", error"}, {Name: name + ", gap"}}
	for _, s := range steps {
		for l, v := range []float64{(s.primal - optimum) / optimum, s.gap()} {
			lines[l].X, lines[l].Y = append(lines[l].X, s.seconds), append(lines[l].Y, v)
		}
	}
	return lines
}

func converged(o solvers.Outcome) error {
	if o.Status != solvers.Converged {
		return fmt.Errorf("%v", o)
	}
	return nil
}
