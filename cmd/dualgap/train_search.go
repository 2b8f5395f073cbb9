package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dualgap/dualgap/vec"
)

// search is what cross-validation finds.
type search[T vec.Float] struct {
	measure    string   // what is measured on the examples left out, a share
	parameters []string // their names
	points     []point[T]
	best       int
}

// point is one place of a grid.
type point[T vec.Float] struct {
	values       []float64 // of the parameters
	mean, spread float64   // of the measure over the folds
	end          func() (*trained[T], error)
}

// add appends a point. Of equally good ones the first is the best.
func (s *search[T]) add(p point[T]) {
	if s.points = append(s.points, p); p.mean > s.points[s.best].mean {
		s.best = len(s.points) - 1
	}
}

// tell writes the measure of the only point, in the words of LIBLINEAR's train.
func (s *search[T]) tell(w io.Writer) error {
	p := s.points[0]
	_, err := fmt.Fprintf(w, "Cross Validation %s = %.4f%% (over the parts it varies by %.2f%%)\n", s.measure, 100*p.mean, 100*p.spread)
	return err
}

// table writes all points, with a star at the best. A parameter that is the same in all of them is left out.
func (s *search[T]) table(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	var shown []int
	for j, name := range s.parameters {
		if slices.ContainsFunc(s.points, func(p point[T]) bool { return p.values[j] != s.points[0].values[j] }) {
			shown = append(shown, j)
			fmt.Fprintf(w, "%s\t", name)
		}
	}
	fmt.Fprintf(w, "%s\t+-\t\t\n", strings.ToLower(s.measure))
	for i, p := range s.points {
		for _, j := range shown {
			fmt.Fprintf(w, "%.4g\t", p.values[j])
		}
		star := ""
		if i == s.best {
			star = "*"
		}
		fmt.Fprintf(w, "%.2f%%\t%.2f%%\t%s\t\n", 100*p.mean, 100*p.spread, star)
	}
	return w.Flush()
}
