package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/internal/page"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// reliabilitySection draws how often what is predicted with a probability is right, before a calibration and after.
func (r *report) reliabilitySection(m *predictor.Predictor) (s page.Section, ok bool) {
	c := r.Calibration
	if c == nil {
		return s, false
	}
	of, right := "the predicted class", "part that is right"
	switch m.Task() {
	case predictor.Sets:
		of, right = "each label", "part that has the label"
	case predictor.Top:
		of, right = "being positive", "part that is"
	}
	picture := chart.Chart{Title: "Reliability of the probabilities", X: "probability of " + of + ", mean", Y: right,
		LinearX: true, LinearY: true, Unit: true}
	caption := fmt.Sprintf("By the probability of %s: the %s. Below the straight line the model is too sure of "+
		"itself. The mean distance from it is %.4f.", of, right, c.Error)
	if was := c.Uncalibrated; was != nil {
		picture.Lines = append(picture.Lines, was.line("uncalibrated"), c.line("calibrated"))
		caption += fmt.Sprintf(" Of scores as they come it is %.4f.", was.Error)
		s.Tables = []page.Table{c.table("By probability, calibrated", right),
			was.table("By probability, uncalibrated", right)}
	} else {
		picture.Lines = append(picture.Lines, c.line("this model"))
		s.Tables = []page.Table{c.table("By probability", right)}
	}
	picture.Lines = append(picture.Lines, chart.Line{Name: "reliable", X: []float64{0, 1}, Y: []float64{0, 1},
		Bare: true, Like: 7})
	s.ID, s.Title = "reliability", "Reliability"
	s.Figures = []page.Figure{{Title: picture.Title, SVG: picture.SVG(), Caption: caption}}
	return s, true
}

// line has a point for each bin that is not empty.
func (c *calibration) line(name string) chart.Line {
	l := chart.Line{Name: name}
	for _, b := range c.Bins {
		if b.Count > 0 {
			l.X, l.Y = append(l.X, b.Mean), append(l.Y, b.Right)
		}
	}
	return l
}

func (c *calibration) table(title, right string) page.Table {
	t := page.Table{Title: title, Head: []string{"probability", "number", "mean probability", right}}
	for _, b := range c.Bins {
		if b.Count > 0 {
			t.Rows = append(t.Rows, []string{fmt.Sprintf("%.1f to %.1f", b.Low, b.High), fmt.Sprint(b.Count),
				fmt.Sprintf("%.4f", b.Mean), fmt.Sprintf("%.4f", b.Right)})
		}
	}
	return t
}
