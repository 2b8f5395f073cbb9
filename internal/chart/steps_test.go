package chart

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestSteps: pictures have the committed bytes. Who changes them on purpose looks at them first: see keep.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		draw := func(name string, svg []byte) {
			h := sha256.New()
			h.Write(svg)
			fmt.Fprint(h, Inline(svg, name))
			add(name, h)
		}
		x, y := []float64{1, 3, 20, 1e3, math.NaN(), 4e3}, []float64{.5, .1, 1e-3, 0, 7, 1e-7}
		for lines := range 4 {
			for _, linear := range []bool{false, true} {
				c := Chart{Title: "Gaps", X: "seconds", Y: "relative duality gap", LinearX: linear, LinearY: linear}
				for l := range 3 * lines {
					c.Lines = append(c.Lines, Line{Name: fmt.Sprint("line ", l), X: x[:6-l%4], Y: y[l%4:]})
				}
				draw(fmt.Sprintf("chart of %d, linear %v", 3*lines, linear), c.SVG())
			}
			b := Bars{Title: "Times as fast", X: "times"}
			for r := range 2 * lines {
				b.Rows = append(b.Rows, fmt.Sprint("a kernel of number ", r))
			}
			for s := range lines {
				b.Series = append(b.Series, Series{fmt.Sprint("tier ", s), x[s : 2*lines-s]})
			}
			draw(fmt.Sprintf("bars of %d", lines), b.SVG())
			m := Matrix{Title: "Confusion", X: "predicted", Y: "true"}
			for i := range 7 * lines {
				m.Names, m.Counts = append(m.Names, fmt.Sprint("class ", i)), append(m.Counts, make([]int, 7*lines))
				for j := range m.Counts[i] {
					m.Counts[i][j] = i * j * j
				}
			}
			draw(fmt.Sprintf("matrix of %d", 7*lines), m.SVG())
		}
	})
}
