package main

import (
	"bytes"
	"fmt"
	"math"
)

// chart draws lines over logarithmic axes, as SVG.
type chart struct {
	title, x, y string
	at          []int // abscissas of all lines
	lines       []chartLine
}

type chartLine struct {
	name string
	y    []float64
}

// colors that remain apart for the colour-blind (Okabe and Ito).
var colors = []string{"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"}

const chartWidth, chartHeight, chartLeft, chartRight, chartTop, chartBottom = 640, 440, 80, 20, 40, 60

// svg returns the picture. There is at least one point, and all numbers are positive.
func (c chart) svg() []byte {
	lowY, highY := math.Inf(1), 0.0
	for _, l := range c.lines {
		for _, v := range l.y {
			lowY, highY = min(lowY, v), max(highY, v)
		}
	}
	x0, x1 := decades(float64(c.at[0]), float64(c.at[len(c.at)-1]))
	y0, y1 := decades(lowY, highY)
	px := func(v float64) float64 {
		return chartLeft + (math.Log10(v)-x0)/(x1-x0)*(chartWidth-chartLeft-chartRight)
	}
	py := func(v float64) float64 {
		return chartHeight - chartBottom - (math.Log10(v)-y0)/(y1-y0)*(chartHeight-chartTop-chartBottom)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">`+"\n", chartWidth, chartHeight)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/>`+"\n", chartWidth, chartHeight)
	label := func(x, y float64, anchor, text string) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, text)
	}
	grid := func(xa, ya, xb, yb float64) {
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", xa, ya, xb, yb)
	}
	for e := x0; e <= x1; e++ {
		v := math.Pow(10, e)
		grid(px(v), chartTop, px(v), chartHeight-chartBottom)
		power(&b, px(v), chartHeight-chartBottom+20, "middle", e)
	}
	for e := y0; e <= y1; e++ {
		v := math.Pow(10, e)
		grid(chartLeft, py(v), chartWidth-chartRight, py(v))
		power(&b, chartLeft-8, py(v)+4, "end", e)
	}
	label(chartWidth/2, 24, "middle", c.title)
	label((chartLeft+chartWidth-chartRight)/2, chartHeight-14, "middle", c.x)
	fmt.Fprintf(&b, `<text transform="translate(22 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", (chartTop+chartHeight-chartBottom)/2, c.y)
	for i, l := range c.lines {
		color := colors[i%len(colors)]
		fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, color)
		for j, v := range l.y {
			fmt.Fprintf(&b, "%.1f,%.1f ", px(float64(c.at[j])), py(v))
		}
		b.WriteString("\"/>\n")
		for j, v := range l.y {
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", px(float64(c.at[j])), py(v), color)
		}
		y := float64(chartTop + 20 + 20*i)
		fmt.Fprintf(&b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s" stroke-width="1.5"/>`+"\n", chartLeft+16, y, chartLeft+46, y, color)
		label(chartLeft+54, y+4, "start", l.name)
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
