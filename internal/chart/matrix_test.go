package chart

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/chart/svgtest"
)

// Matrices of few and many classes with names of many lengths: every text stands in the picture, and on no other;
// counts are left out where they have no room.
func TestMatrix(t *testing.T) {
	for _, c := range []struct {
		n     int
		name  string
		count int
		shown bool
	}{
		{2, "class %d", 7, true}, {1, "one <&>", 3, true}, {10, "a rather long name of class %d that goes on", 123,
			true},
		{20, "類別 %d", 99, true}, {20, "a rather long name of class %d", 1234567, false}, {0, "", 0, false},
	} {
		m := Matrix{Title: "Confusion: what a long title this is that has to be broken into two lines", X: "predicted",
			Y: "true"}
		for i := range c.n {
			name := c.name
			if strings.Contains(name, "%d") {
				name = fmt.Sprintf(c.name, i)
			}
			m.Names = append(m.Names, name)
			row := make([]int, c.n)
			for j := range row {
				row[j] = c.count
			}
			m.Counts = append(m.Counts, row)
		}
		svg := m.SVG()
		keep(t, fmt.Sprintf("matrix-%d-%d", c.n, c.count), svg)
		if s := Inline(svg, ""); strings.Contains(s, "fill:#") || c.count > 0 &&
			!strings.Contains(s, "fill:var(--c0);fill-opacity:") {
			t.Errorf("%d classes: the page has no say in the colours", c.n)
		}
		p := svgtest.Read(t, string(svg))
		p.Fits(t)
		found := 0
		for _, s := range p.Texts {
			if s.Text == fmt.Sprint(c.count) {
				found++
			}
		}
		if want := map[bool]int{true: c.n * c.n}[c.shown]; found != want {
			t.Errorf("%d classes: %d numbers, want %d", c.n, found, want)
		}
	}
}
