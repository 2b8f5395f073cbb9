package tracenorm

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
)

// figure1 draws the spectra of the weights that one-vs-rest and the trace norm learn, relative to the largest singular
// value.
func (c *command) figure1(ctx context.Context) error {
	sets, err := c.sets()
	if err != nil {
		return err
	}
	for _, s := range sets {
		got, err := c.all(ctx, s)
		if err != nil {
			return err
		}
		t, err := c.Begin(report.Table{
			Name: "tracenorm-figure1-" + s.file + "-table", Rows: "method",
			Title: fmt.Sprintf("Figure 1, %s, %d classes: singular values of W that hold so much of the sum of their "+
				"squares",
				s.name, s.classes),
			Columns: []report.Column{{Name: "50%"}, {Name: "90%"}, {Name: "99%"}, {Name: "rank"}, {Name: "largest",
				Digits: 2}},
		})
		if err != nil {
			return err
		}
		picture := chart.Chart{
			Title: fmt.Sprintf("Figure 1, %s, %d classes", s.name, s.classes), X: "number",
			Y: "singular value, relative to the largest", LinearX: true,
		}
		for k, m := range methods[:logistic] {
			values := got.models[k].spectrum
			if len(values) == 0 {
				return fmt.Errorf("%s, %s: weights of 0", s.name, m.name)
			}
			line := chart.Line{Name: m.name}
			for j, v := range values {
				line.X, line.Y = append(line.X, float64(j+1)), append(line.Y, v/values[0])
			}
			picture.Lines = append(picture.Lines, line)
			if err := t.Row(m.name, report.Number(holding(values, .5)), report.Number(holding(values, .9)),
				report.Number(holding(values, .99)),
				report.Number(rank(values)), report.Number(values[0])); err != nil {
				return err
			}
		}
		const told = "The paper: the first singular values of one-vs-rest are large, the next ones much smaller " +
			"and alike."
		if err := t.End(told); err != nil {
			return err
		}
		if err := c.Figure("tracenorm-figure1-"+s.file, picture); err != nil {
			return err
		}
		if err := c.spectrumClaims(got.models[rest].spectrum, got.models[trace].spectrum); err != nil {
			return err
		}
	}
	return nil
}

// spectrumClaims prints what two spectra say of what the paper claims of Figure 1.
func (c *command) spectrumClaims(theirs, ours []float64) error {
	most := holding(theirs, .9)
	if err := c.Claim(3*most <= float64(len(theirs)), "Figure 1", "most of the energy of one-vs-rest's weights "+
		"is in the "+
		"first singular values, 90% in a third of them", "90%% in %.0f of %d", most, len(theirs)); err != nil {
		return err
	}
	return c.Claim(holding(ours, .9) < most, "section 2", "the trace norm concentrates the energy further",
		"90%% in %.0f, one-vs-rest's in %.0f", holding(ours, .9), most)
}

// holding returns how many of the values, which descend, hold a share of the sum of their squares.
func holding(values []float64, share float64) float64 {
	all, sum := 0.0, 0.0
	for _, v := range values {
		all += v * v
	}
	for j, v := range values {
		if sum += v * v; sum >= share*all {
			return float64(j + 1)
		}
	}
	return float64(len(values))
}

// rank returns how many values are more than what float32 rounds.
func rank(values []float64) float64 {
	count := 0
	for _, v := range values {
		if v > 1e-6*values[0] {
			count++
		}
	}
	return float64(count)
}
