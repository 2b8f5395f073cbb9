package chart

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/chart/svgtest"
)

// keep writes a picture into the folder DUALGAP_PICTURES, to be looked at.
func keep(t *testing.T, name string, svg []byte) {
	t.Helper()
	if dir := os.Getenv("DUALGAP_PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), svg, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func has(p svgtest.Picture, text string) bool {
	for _, s := range p.Texts {
		if strings.Contains(s.Text, text) {
			return true
		}
	}
	return false
}

// Axes of few and many decades, names of many lengths: every text stands in the picture, and on no other.
func TestTextsFit(t *testing.T) {
	long := "a title that is much longer than the picture is wide, so that it has to be broken into lines somewhere " +
		"between its words"
	for _, c := range []struct {
		name string
		x, y []float64
		lin  bool
	}{
		{"decades", []float64{1, 10, 1e6}, []float64{1e-9, 1e-3, 1}, false},
		{"hundred", []float64{1e-300, 1, 1e150}, []float64{1e-150, 1, math.MaxFloat64}, false},
		{"short", []float64{3, 3.1}, []float64{.5, .51}, false},
		{"one", []float64{7}, []float64{7}, false},
		{"none", nil, nil, false},
		{"linear", []float64{0, 50, 100}, []float64{-1, 0, 1}, true},
		{"small", []float64{1e-9, 2e-9}, []float64{123456, 123457}, true},
		{"equal", []float64{0, 0}, []float64{5, 5}, true},
		{"nothing", nil, nil, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			pic := Chart{Title: long, X: "seconds", Y: "relative duality gap", LinearX: c.lin, LinearY: c.lin}
			for _, name := range []string{"ours", "a rival & <its> name", "", "one more", "a fifth", "a sixth",
				"a seventh", "an eighth: " + long} {
				pic.Lines = append(pic.Lines, Line{Name: name, X: c.x, Y: c.y})
			}
			svg := pic.SVG()
			keep(t, c.name, svg)
			p := svgtest.Read(t, string(svg))
			p.Fits(t)
			if !has(p, "a rival & <its> name") || p.Height <= height {
				t.Errorf("%v by %v, %v", p.Width, p.Height, p.Texts)
			}
		})
	}
}

// What an axis cannot show is left out: the other points are drawn, with marks.
func TestPoints(t *testing.T) {
	for _, linear := range []bool{false, true} {
		c := Chart{Title: "a < b & c", X: "r", Y: "loss", LinearX: linear, LinearY: linear, At: []int{0, 1, 10},
			Lines: []Line{
				{Name: "shared", Y: []float64{1, 2, math.NaN()}, Step: true},
				{Name: "its own", X: []float64{-1, .5, 1, math.Inf(1)}, Y: []float64{3, -2, 1, 1}, Dots: true},
			}}
		x, _ := c.Points(0)
		marks := strings.Count(string(c.SVG()), "A2.75,2.75") / 2 // a circle is two arcs
		want := 1 + 1                                             // (1, 2), and the mark of the legend
		if linear {
			want++
		}
		if len(x) != 3 || marks != want {
			t.Errorf("linear %v: %d circles, want %d", linear, marks, want)
		}
	}
}

func TestAxis(t *testing.T) {
	labels := func(low, high float64) (s string) {
		for _, t := range decades(low, high) {
			if t.Label != "" {
				s += t.Label + " "
			}
		}
		return s
	}
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{1, 100, "1 2 5 10 20 50 100 "}, {.001, 1, "0.001 0.01 0.1 1 "}, {1e-5, 1e-4, "1e-5 2e-5 5e-5 1e-4 "},
		{1e-18, 1, "1e-18 1e-15 1e-12 1e-9 1e-6 0.001 1 "},
	} {
		if got := labels(c.low, c.high); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
	for _, c := range [][4]float64{{3, 3.1, 2, 5}, {1, 1, 1, 2}, {5, 5, 5, 10}, {10, 20, 10, 20}, {.9, 30, .5, 50}} {
		if a, b := around(c[0], c[1]); math.Abs(a-c[2]) > 1e-9 && c[0] != .9 || math.Abs(b-c[3]) > 1e-9 && c[0] != .9 ||
			a > c[0] || b < c[1] {
			t.Errorf("%v: %v to %v", c, a, b)
		}
	}
	for v, want := range map[float64]string{0: "0", .5: "0.5", 12: "12", 1e5: "1e5", -2.5e-7: "-2.5e-7", 1e-3: "0.001",
		99999: "99999", 1e10: "1e10", 1e20: "1e20"} {
		if got := label(v); got != want {
			t.Errorf("%v is written %q", v, got)
		}
	}
}

func TestBars(t *testing.T) {
	b := Bars{Title: "Times as fast as plain Go", X: "times", Rows: []string{"Dot", "SquaredDistance",
		"a kernel with a name that is much too long"}, Series: []Series{
		{"avx512", []float64{12.3, .05, math.NaN()}}, {"avx2", []float64{8, 1}}, {"generic", []float64{1, 123, 3, 4}},
	}}
	svg := b.SVG()
	keep(t, "bars", svg)
	p := svgtest.Read(t, string(svg))
	p.Fits(t)
	for _, want := range []string{"SquaredDistance", "a kernel with a name t", "12", "123", "0.050", "avx2"} {
		if !has(p, want) {
			t.Errorf("no %q in %+v", want, p.Texts)
		}
	}
	svgtest.Read(t, string(Bars{}.SVG())).Fits(t)
}

// In a page a picture has the page's colours, and neither a size of its own nor an address.
func TestInline(t *testing.T) {
	c := Chart{Title: "T", Lines: []Line{{Name: "a", X: []float64{1, 2}, Y: []float64{3, 4}}}}
	s := Inline(c.SVG(), `5$1 "q" <b>`)
	svgtest.Read(t, s).Fits(t)
	for _, bad := range []string{"http", "<?xml", "#0072B2", "#FFFFFF", "#1A1A1A", "pt\"", "<b>"} {
		if strings.Contains(s, bad) {
			t.Errorf("holds %s", bad)
		}
	}
	for _, want := range []string{"var(--ink)", "var(--grid)", "var(--c0)", `aria-label="5$1 `, "Liberation Sans"} {
		if !strings.Contains(s, want) {
			t.Errorf("lacks %s", want)
		}
	}
}
