package report

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/chart"
)

// printedPoints is how many points of a line are printed, at most.
const printedPoints = 8

// Figure prints some points of each line of a figure, and writes the picture and all points into files of that name.
func (r *Report) Figure(name string, c chart.Chart) error {
	if err := r.Print("\n%s: %s against %s", c.Title, c.Y, c.X); err != nil {
		return err
	}
	type line struct {
		Name string    `json:"name"`
		X    []float64 `json:"x"`
		Y    []float64 `json:"y"`
	}
	lines := make([]line, len(c.Lines))
	for l := range lines {
		x, y := c.Points(l)
		lines[l] = line{c.Lines[l].Name, x, y}
		text := pad(lines[l].Name)
		shown := min(len(x), printedPoints)
		for k := range shown {
			j := k
			if shown > 1 {
				j = k * (len(x) - 1) / (shown - 1)
			}
			text += fmt.Sprintf("  %.4g: %.5g", x[j], y[j])
		}
		if err := r.Print("%s", text); err != nil {
			return err
		}
	}
	if err := r.writeJSON(name+".json", struct {
		Title string `json:"title"`
		X     string `json:"x"`
		Y     string `json:"y"`
		Lines []line `json:"lines"`
	}{c.Title, c.X, c.Y, lines}); err != nil {
		return err
	}
	return r.write(name+".svg", c.SVG())
}
