// Package chart draws lines over logarithmic axes, as SVG.
package chart

import (
	"bytes"
	"fmt"
	"math"
)

// Chart is a picture. All numbers are positive, and there is at least one point.
type Chart struct {
	Title, X, Y string
	At          []int // abscissas of all lines
	Lines       []Line
}

// Line is a line and its name.
type Line struct {
	Name string
	Y    []float64
}

// colors that remain apart for the colour-blind (Okabe and Ito).
var colors = []string{"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"}

const width, height, left, right, top, bottom = 640, 440, 80, 20, 40, 60

// SVG returns the picture.
func (c Chart) SVG() []byte {
	lowY, highY := math.Inf(1), 0.0
	for _, l := range c.Lines {
		for _, v := range l.Y {
			lowY, highY = min(lowY, v), max(highY, v)
		}
	}
	x0, x1 := decades(float64(c.At[0]), float64(c.At[len(c.At)-1]))
	y0, y1 := decades(lowY, highY)
	px := func(v float64) float64 {
		return left + (math.Log10(v)-x0)/(x1-x0)*(width-left-right)
	}
	py := func(v float64) float64 {
		return height - bottom - (math.Log10(v)-y0)/(y1-y0)*(height-top-bottom)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">`+"\n", width, height)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, height)
	label := func(x, y float64, anchor, text string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, text)
	}
	grid := func(xa, ya, xb, yb float64) {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", xa, ya, xb, yb)
	}
	for e := x0; e <= x1; e++ {
		v := math.Pow(10, e)
		grid(px(v), top, px(v), height-bottom)
		power(&b, px(v), height-bottom+20, "middle", e)
	}
	for e := y0; e <= y1; e++ {
		v := math.Pow(10, e)
		grid(left, py(v), width-right, py(v))
		power(&b, left-8, py(v)+4, "end", e)
	}
	label(width/2, 24, "middle", c.Title)
	label((left+width-right)/2, height-14, "middle", c.X)
	fmt.Fprintf(&b, `<text transform="translate(22 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (top+height-bottom)/2, c.Y)
	for i, l := range c.Lines {
		color := colors[i%len(colors)]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, color)
		for j, v := range l.Y {
			fmt.Fprintf(&b, "%.1f,%.1f ", px(float64(c.At[j])), py(v))
		}
		b.WriteString("\"/>\n")
		for j, v := range l.Y {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", px(float64(c.At[j])), py(v), color)
		}
		y := float64(top + 20 + 20*i)
		fmt.Fprintf(&b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s" stroke-width="1.5"/>`+"\n", left+16, y, left+46, y, color)
		label(left+54, y+4, "start", l.Name)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// power writes 10 to the power e.
func power(b *bytes.Buffer, x, y float64, anchor string, e float64) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s">10<tspan dy="-5" font-size="9">%.0f</tspan></text>`+"\n", x, y, anchor, e)
}

// decades returns the powers of ten around an interval, at least one apart.
func decades(low, high float64) (a, b float64) {
	a, b = math.Floor(math.Log10(low)+1e-9), math.Ceil(math.Log10(high)-1e-9)
	return a, max(b, a+1)
}
