package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
)

func TestDecades(t *testing.T) {
	for _, c := range [][4]float64{{10, 1e6, 1, 6}, {2e-5, 3e-2, -5, -1}, {5, 5, 0, 1}, {1, 1, 0, 1}} {
		if a, b := decades(c[0], c[1]); a != c[2] || b != c[3] {
			t.Errorf("%v: %v to %v", c, a, b)
		}
	}
}

func TestRound(t *testing.T) {
	for _, c := range [][5]float64{{-1, 1, -1, 1, .5}, {0, 6, 0, 6, 1}, {.13, .27, .12, .28, .05}, {3, 3, 3, 3, 0}, {0, 0, 0, 0, 0}, {-7e5, 1.3e6, -1e6, 1.5e6, 5e5}} {
		a, b, step := round(c[0], c[1])
		if !(a <= c[0] && b >= c[1] && b > a && step > 0 && (b-a)/step < 8.5) {
			t.Errorf("%v: %v to %v by %v", c, a, b, step)
		}
		if c[4] != 0 && math.Abs(step-c[4]) > 1e-12*c[4] {
			t.Errorf("%v: steps of %v", c, step)
		}
	}
}

// elements returns how often each element occurs in an XML text, and the text of all.
func elements(t *testing.T, svg []byte) (count map[string]int, text string) {
	t.Helper()
	count = map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, text
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			count[e.Name.Local]++
		case xml.CharData:
			text += string(e)
		}
	}
}

func TestSVG(t *testing.T) {
	for _, linear := range []bool{false, true} {
		c := Chart{Title: "a < b & c", X: "r", Y: "loss", LinearX: linear, LinearY: linear, At: []int{0, 1, 10}, Lines: []Line{
			{Name: "shared", Y: []float64{1, 2, math.NaN()}},
			{Name: "its own", X: []float64{-1, .5, 1, math.Inf(1)}, Y: []float64{3, -2, 1, 1}},
		}}
		count, text := elements(t, c.SVG())
		points := 2 // (1, 2) and (1, 1)
		if linear {
			points = 5
		}
		if count["polyline"] != 2 || count["circle"] != points || !strings.Contains(text, "a < b & c") {
			t.Errorf("linear %v: %v, %q", linear, count, text)
		}
	}
	for _, c := range []Chart{{}, {LinearX: true, LinearY: true}, {Lines: []Line{{Name: "none"}}}} {
		if count, _ := elements(t, c.SVG()); count["svg"] != 1 || count["circle"] != 0 {
			t.Errorf("%+v: %v", c, count)
		}
	}
}

// A place on a linear axis grows with the number, and ends are where they should be.
func TestAxis(t *testing.T) {
	a := newAxis([]float64{-1, 1, math.Inf(1)}, true)
	if a.at(-1) != 0 || a.at(1) != 1 || a.at(0) != .5 {
		t.Errorf("%+v: %v %v %v", a, a.at(-1), a.at(0), a.at(1))
	}
	if a = newAxis([]float64{0, -3, 10, 1000}, false); a.at(10) != 0 || a.at(1000) != 1 || a.at(100) != .5 {
		t.Errorf("%+v: %v %v %v", a, a.at(10), a.at(100), a.at(1000))
	}
	labels := ""
	newAxis([]float64{-1, 1}, true).ticks(func(_ float64, label string) { labels += label + " " })
	if labels != "-1 -0.5 0 0.5 1 " {
		t.Errorf("labels %q", labels)
	}
}

// TestLegend: wherever a vertical line stands among two humps, the names are beside it, or below everything.
func TestLegend(t *testing.T) {
	var x, low, high []float64
	for k := range 101 {
		v := float64(k) / 100
		x = append(x, v)
		low, high = append(low, math.Exp(-50*(v-.3)*(v-.3))), append(high, .6*math.Exp(-50*(v-.7)*(v-.7)))
	}
	const name = "top 5%: 63% of the positive"
	below := 0
	for k := range 21 {
		at := float64(k) / 20
		c := Chart{LinearX: true, LinearY: true, Lines: []Line{
			{Name: "negative", X: x, Y: low}, {Name: "positive", X: x, Y: high},
			{Name: name, X: []float64{at, at}, Y: []float64{0, 1}},
		}}
		svg := string(c.SVG())
		place := float64(left) + at*(width-left-right)
		var from, y, tall float64
		for line := range strings.Lines(svg) {
			if strings.Contains(line, name) {
				if _, err := fmt.Sscanf(line, `<text x="%f" y="%f"`, &from, &y); err != nil {
					t.Fatal(line, err)
				}
			}
		}
		if _, err := fmt.Sscanf(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="%f"`, &tall); err != nil {
			t.Fatal(err)
		}
		beside := from-38 > place || place > from+190
		if from < left || y > tall || !beside && y < height {
			t.Errorf("a line at %.0f, names from %.0f, %.0f of %.0f", place, from, y, tall)
		}
		below += int(y / height)
	}
	if below == 0 || below == 21 {
		t.Errorf("names are below %d times of 21", below)
	}
}
