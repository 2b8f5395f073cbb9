// Package chart draws lines over logarithmic or linear axes, as SVG.
package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// Chart is a picture. Points that an axis cannot show, numbers that are not finite and those of at most 0 on a
// logarithmic axis, are left out.
type Chart struct {
	Title, X, Y      string
	LinearX, LinearY bool  // default: logarithmic
	At               []int // abscissas of the lines that have none of their own
	Lines            []Line
}

// Line is a line and its name.
type Line struct {
	Name string
	X    []float64 // abscissas, as many as Y; default: those of the chart
	Y    []float64
}

// colors that remain apart for the colour-blind (Okabe and Ito).
var colors = []string{"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00"}

const width, height, left, right, top, bottom = 640, 440, 80, 20, 40, 60

// Points returns the points of line l, as many as have both coordinates.
func (c Chart) Points(l int) (x, y []float64) {
	x, y = c.Lines[l].X, c.Lines[l].Y
	if x == nil {
		for _, v := range c.At {
			x = append(x, float64(v))
		}
	}
	n := min(len(x), len(y))
	return x[:n], y[:n]
}

// SVG returns the picture.
func (c Chart) SVG() []byte {
	var xs, ys []float64
	for l := range c.Lines {
		x, y := c.Points(l)
		xs, ys = append(xs, x...), append(ys, y...)
	}
	p := picture{x: newAxis(xs, c.LinearX), y: newAxis(ys, c.LinearY)}
	p.grid()
	p.label(width/2, 24, "middle", escape(c.Title))
	p.label((left+width-right)/2, height-14, "middle", escape(c.X))
	const middle = (top + height - bottom) / 2
	fmt.Fprintf(&p, `<text transform="translate(22 %d) rotate(-90)" text-anchor="middle">%s</text>`+"\n", middle, escape(c.Y))
	for l := range c.Lines {
		p.line(c, l)
	}
	tall := height + p.legend(c)
	var all bytes.Buffer
	fmt.Fprintf(&all, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" `, width, tall)
	all.WriteString("font-size=\"13\">\n")
	fmt.Fprintf(&all, `<rect width="%d" height="%d" fill="white"/>`+"\n", width, tall)
	all.Write(p.Bytes())
	all.WriteString("</svg>\n")
	return all.Bytes()
}

// picture is what is drawn so far.
type picture struct {
	bytes.Buffer
	x, y    axis
	covered []point // places along all lines, as far apart everywhere
}

type point struct{ x, y float64 }

func (p *picture) place(x, y float64) point {
	return point{left + p.x.at(x)*(width-left-right), height - bottom - p.y.at(y)*(height-top-bottom)}
}

func (p *picture) label(x, y float64, anchor, text string) {
	fmt.Fprintf(p, `<text x="%.1f" y="%.1f" text-anchor="%s">%s</text>`+"\n", x, y, anchor, text)
}

func (p *picture) grid() {
	line := func(xa, ya, xb, yb float64) {
		fmt.Fprintf(p, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#dddddd"/>`+"\n", xa, ya, xb, yb)
	}
	p.x.ticks(func(at float64, label string) {
		x := left + at*(width-left-right)
		line(x, top, x, height-bottom)
		p.label(x, height-bottom+20, "middle", label)
	})
	p.y.ticks(func(at float64, label string) {
		y := height - bottom - at*(height-top-bottom)
		line(left, y, width-right, y)
		p.label(left-8, y+4, "end", label)
	})
}

// line draws a line and, where they are few, its points.
func (p *picture) line(c Chart, l int) {
	color := colors[l%len(colors)]
	x, y := c.Points(l)
	var drawn []point
	for j, v := range y {
		if p.x.shows(x[j]) && p.y.shows(v) {
			drawn = append(drawn, p.place(x[j], v))
		}
	}
	for j := 1; j < len(drawn); j++ {
		a, b := drawn[j-1], drawn[j]
		steps := 1 + int(math.Hypot(b.x-a.x, b.y-a.y)/4)
		for k := range steps {
			share := float64(k) / float64(steps)
			p.covered = append(p.covered, point{a.x + share*(b.x-a.x), a.y + share*(b.y-a.y)})
		}
	}
	fmt.Fprintf(p, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, color)
	for _, at := range drawn {
		fmt.Fprintf(p, "%.1f,%.1f ", at.x, at.y)
	}
	p.WriteString("\"/>\n")
	if len(drawn) <= 50 {
		for _, at := range drawn {
			fmt.Fprintf(p, `<circle cx="%.1f" cy="%.1f" r="2.5" fill="%s"/>`+"\n", at.x, at.y, color)
		}
	}
}

// legend names the lines in a corner that they leave free, first that at the top on the left; where there is none, below
// everything. It returns how much that is.
func (p *picture) legend(c Chart) (below int) {
	const step = 20
	room, tall := 0.0, float64(step*len(c.Lines))
	for _, line := range c.Lines {
		room = max(room, 46+7.2*float64(utf8.RuneCountInString(line.Name))) // most letters at 13 points are narrower
	}
	free := func(corner point) bool {
		return !slices.ContainsFunc(p.covered, func(at point) bool {
			return at.x >= corner.x-4 && at.x <= corner.x+room && at.y >= corner.y-step && at.y <= corner.y+tall
		})
	}
	const low = left + 16
	high, under := max(low, width-right-room), height-bottom-tall
	corners := []point{{low, top + 20}, {low, under}, {high, top + 20}, {high, under}}
	at := point{low, height + 6}
	if k := slices.IndexFunc(corners, free); k >= 0 {
		at = corners[k]
	} else {
		below = step * len(c.Lines)
	}
	for l, line := range c.Lines {
		y := at.y + float64(step*l)
		fmt.Fprintf(p, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="1.5"/>`+"\n",
			at.x, y, at.x+30, y, colors[l%len(colors)])
		p.label(at.x+38, y+4, "start", escape(line.Name))
	}
	return below
}

func escape(text string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(text))
	return b.String()
}
