package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// search is a cross-validation of one path or of several, and what it has found.
type search[T vec.Float] struct {
	metric     metric
	simplest   bool     // the simplest point within a standard error of the best is chosen
	parameters []string // their names
	points     []point[T]

	cv     solvers.CrossValidation // of each path
	every  time.Duration           // between two states
	states *states
	bar    *bar
	parts  int       // of the examples
	paths  int       // there are
	over   int       // trainings of the paths that are over
	walked int       // paths that are over
	only   *point[T] // that is trained, of all paths; nil: all points
	last   solvers.PathProgress
}

// point is one place of a grid.
type point[T vec.Float] struct {
	values []float64 // of the parameters
	solvers.Validation
	fit fitting[T]

	path, place int // the path that it is on, and its place there
}

// newSearch returns the search that the flags ask for.
func newSearch[T vec.Float](t *Training, e *data.Examples[T], j job[T], states *states, bar *bar) (*search[T], error) {
	m, err := t.metric(j.metrics)
	if err != nil {
		return nil, err
	}
	parts := max(t.Folds, t.CV)
	s := &search[T]{metric: m, simplest: t.OneSE, every: t.Every, states: states, bar: bar, parts: parts,
		paths: max(1, j.paths)}
	s.cv = solvers.CrossValidation{Folds: parts, Groups: e.Groups, Measures: []solvers.Measure{m.Measure},
		FoldsOnly: true}
	if e.Folds != nil {
		if own := slices.Max(e.Folds) + 1; own != parts {
			return nil, usage("%d parts of cross-validation, but the data name %d by --fold-column or --fold-file: "+
				"ask for as many",
				parts, own)
		}
		s.cv.Folds, s.cv.Fold = 0, e.Folds
	}
	if s.every == 0 {
		s.every = 10 * time.Second // a state of measures is small
	}
	return s, nil
}

// run measures every point and returns the search's best, or, with grid false, its only one.
func (s *search[T]) run(ctx context.Context, all shared, j job[T], grid bool) (*point[T], error) {
	if err := s.room(j, all); err != nil {
		return nil, err
	}
	if err := j.search(ctx, all, s, grid); err != nil {
		return nil, err
	}
	if s.simplest {
		return &s.points[solvers.OneStandardError(s.points, 0)], nil
	}
	return &s.points[solvers.Best(s.points, 0)], nil
}

// begin returns what the next path is trained with.
func (s *search[T]) begin(all shared) shared {
	all.cv = s.cv
	all.cv.Trained = func(p solvers.PathProgress) {
		s.last = p
		s.bar.trained(s.over+p.Done, s.paths*p.Trainings)
	}
	if s.only != nil {
		all.cv.Points = []int{s.only.place}
	}
	all.cv.State = s.states.nextPath()
	if s.states.writes() {
		all.checkpoint = solvers.Checkpoint{Every: s.every, Save: s.states.savePath}
	}
	return all
}

// end says that the path is over.
func (s *search[T]) end() {
	s.over += s.last.Trainings
	s.walked++
	s.last = solvers.PathProgress{}
	s.states.keep()
}

// trainings tells how many are over, of how many.
func (s *search[T]) trainings() (done, all int) {
	return s.over + s.last.Done, max(s.over, s.paths*s.last.Trainings)
}

// tell writes the measure of the only point, in the words of LIBLINEAR's train.
func (s *search[T]) tell(w io.Writer) error {
	m := s.points[0].Measures[0]
	less := ""
	if m.Smaller {
		less = "; less is better"
	}
	_, err := fmt.Fprintf(w, "Cross Validation %s = %s (over the parts it varies by %s%s)\n", m.Name,
		s.metric.text(m.Mean, 4), s.metric.text(m.Spread, 2), less)
	return err
}

// table writes all points, with a star at the chosen one. A parameter that is the same in all of them is left out.
func (s *search[T]) table(to io.Writer, chosen *point[T]) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	var shown []int
	for j, name := range s.parameters {
		if slices.ContainsFunc(s.points, func(p point[T]) bool { return p.values[j] != s.points[0].values[j] }) {
			shown = append(shown, j)
			fmt.Fprintf(w, "%s\t", name)
		}
	}
	name := strings.ToLower(s.metric.Name)
	fmt.Fprintf(w, "%s\t+-\t\t\n", name)
	for i := range s.points {
		p := &s.points[i]
		for _, j := range shown {
			fmt.Fprintf(w, "%.4g\t", p.values[j])
		}
		star := ""
		if p == chosen {
			star = "*"
		}
		m := p.Measures[0]
		fmt.Fprintf(w, "%s\t%s\t%s\t\n", s.metric.text(m.Mean, 2), s.metric.text(m.Spread, 2), star)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	what := "the greatest "
	if s.metric.Smaller {
		what = "the least "
	}
	if s.simplest {
		what = "the simplest within a standard error of " + what
	}
	_, err := fmt.Fprintf(to, "* %s%s\n", what, name)
	return err
}
