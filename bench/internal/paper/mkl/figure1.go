package mkl

import (
	"context"
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/mkl"
)

// flowersP is the p of Figure 1, which the paper found by cross-validation.
const flowersP = 1.05

// race is a method on its way: seconds of training, and the objective and the test accuracy then.
type race struct {
	name                         string
	at, primal, seconds, overall []float64 // at: seconds of the objectives, seconds: of the accuracies
}

// stops returns the passes of the second stage after which models are tested, up to most.
func stops(most int) (stops []int) {
	for _, v := range []int{0, 1, 2, 5, 10, 20, 50, 100, 200} {
		if v < most {
			stops = append(stops, v)
		}
	}
	return append(stops, most)
}

// figure1 draws the test accuracy and the objective against time: the paper's two stages, Pegasos, and Fit, on kernels
// given as matrices of distances. The paper has Oxford flowers there.
func (c *command) figure1(ctx context.Context) error {
	q, err := c.source.seven(false)
	if err != nil {
		return err
	}
	config := c.config(q, flowersP, c.cost)
	stages, err := c.raceStages(ctx, q, config)
	if err != nil {
		return err
	}
	steps, err := c.racePegasos(ctx, q, config)
	if err != nil {
		return err
	}
	ours, dual, err := c.raceFit(ctx, q, config)
	if err != nil {
		return err
	}
	left := chart.Chart{Title: fmt.Sprintf("Figure 1, left, %s: p = %v, C = %v", q.set, flowersP, c.cost), X: "seconds",
		Y: "test accuracy %", LinearY: true}
	right := chart.Chart{Title: fmt.Sprintf("Figure 1, right, %s: p = %v, C = %v", q.set, flowersP, c.cost),
		X: "seconds",
		Y: "objective"}
	races := []race{stages, steps, ours}
	for _, r := range races {
		left.Lines = append(left.Lines, chart.Line{Name: r.name, X: r.seconds, Y: r.overall})
		right.Lines = append(right.Lines, chart.Line{Name: r.name, X: r.at, Y: r.primal})
	}
	if err := c.Figure("mkl-figure1-accuracy-"+q.file, left); err != nil {
		return err
	}
	if err := c.Figure("mkl-figure1-objective-"+q.file, right); err != nil {
		return err
	}
	if err := c.Print("%s", reached(races, dual)); err != nil {
		return err
	}
	return c.raceClaims(races, dual)
}

// reached tells when each method's objective came near the optimum, which is at least the dual value.
func reached(races []race, dual float64) string {
	text := "seconds until the objective is within"
	for _, r := range races {
		text += fmt.Sprintf("\n  %-26s", r.name)
		for _, within := range []float64{1, .1, .01, .001} {
			when := "never"
			if k := slices.IndexFunc(r.primal, func(v float64) bool { return v <= (1+within)*dual }); k >= 0 {
				when = fmt.Sprintf("%.2f", r.at[k])
			}
			text += fmt.Sprintf("  %v%%: %s", 100*within, when)
		}
	}
	return text
}

// raceStages trains as often as there are stops, since the stages return one model each time.
func (c *command) raceStages(ctx context.Context, q *cues, config mkl.Config) (race, error) {
	r := race{name: "the paper's two stages"}
	for _, passes := range stops(c.passes) {
		history, s, err := c.staged(ctx, q, config, 1, passes)
		if err != nil {
			return r, err
		}
		r.seconds, r.overall = append(r.seconds, s.seconds), append(r.overall, s.overall)
		if passes == c.passes {
			for _, h := range history {
				r.at, r.primal = append(r.at, h.Elapsed.Seconds()), append(r.primal, h.Primal)
			}
		}
	}
	return r, nil
}

func (c *command) racePegasos(ctx context.Context, q *cues, config mkl.Config) (race, error) {
	r := race{name: "Pegasos"}
	problem, err := q.problem()
	if err != nil {
		return r, err
	}
	g := newPegasos(problem, config)
	for pass := range c.passes + 1 {
		c.Bar.Show(float64(pass)/float64(c.passes+1), q.set+", Pegasos")
		if err := g.pass(ctx); err != nil {
			return r, err
		}
		m, err := g.model()
		if err != nil {
			return r, err
		}
		r.at, r.primal = append(r.at, g.elapsed.Seconds()), append(r.primal, g.primal(m, c.workers))
		if slices.Contains(stops(c.passes), pass) {
			s := score{}
			if err := s.measure(m, q.test(), q.testY, q.classes, c.workers); err != nil {
				return r, err
			}
			r.seconds, r.overall = append(r.seconds, g.elapsed.Seconds()), append(r.overall, s.overall)
		}
	}
	return r, nil
}

// raceFit trains to several tolerances, and returns the dual value of the last as well. Its objectives are the
// estimates that come for nothing, and the certificate's.
func (c *command) raceFit(ctx context.Context, q *cues, config mkl.Config) (r race, dual float64, err error) {
	r.name = "Fit"
	problem, err := q.problem()
	if err != nil {
		return r, 0, err
	}
	for _, tol := range []float64{.3, .1, .03, .01, c.tol} {
		if tol < c.tol {
			continue
		}
		config.Tol = tol
		r.at, r.primal = nil, nil
		config.Progress = func(p solvers.Progress) {
			if p.Primal > 0 && p.Elapsed > 0 {
				r.at, r.primal = append(r.at, p.Elapsed.Seconds()), append(r.primal, p.Primal)
			}
		}
		m, err := problem.Fit(ctx, config)
		if err != nil {
			return r, 0, err
		}
		s := score{}
		if err := s.measure(m, q.test(), q.testY, q.classes, c.workers); err != nil {
			return r, 0, err
		}
		r.seconds, r.overall = append(r.seconds, r.at[len(r.at)-1]), append(r.overall, s.overall)
		dual = m.Certificate.Dual
	}
	return r, dual, nil
}
