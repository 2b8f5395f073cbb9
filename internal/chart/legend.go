package chart

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is a name and what it stands for, a line, dots or both.
type entry struct {
	name       string
	line, dots plot.Thumbnailer
}

// legend is rows of names, from left to right as many as have room.
type legend struct {
	entries []entry
	at      []vg.Point // upper left corners, from the top of the legend downwards
	tall    vg.Length
	style   draw.TextStyle
}

const thumb, gap = 20, 14 // widths of what stands before a name and of the space behind it

// newLegend places the names; there is none of lines without a name.
func newLegend(names []entry, style draw.TextStyle) *legend {
	style.XAlign, style.YAlign = draw.XLeft, draw.YTop
	l := &legend{style: style}
	var at vg.Point
	row := vg.Length(0) // the height of the row at hand
	for _, e := range names {
		if e.name == "" {
			continue
		}
		e.name = wrap(e.name, width-2*margin-thumb-4, style)
		need := thumb + 4 + style.Width(e.name)
		if at.X > 0 && at.X+need > width-2*margin {
			at, row = vg.Point{Y: at.Y + row}, 0
		}
		l.entries, l.at = append(l.entries, e), append(l.at, at)
		row = max(row, vg.Length(1+strings.Count(e.name, "\n"))*15)
		at.X += need + gap
	}
	if l.entries != nil {
		l.tall = at.Y + row + margin
	}
	return l
}

// draw draws the legend at the bottom of c.
func (l *legend) draw(c draw.Canvas) {
	for k, e := range l.entries {
		x, y := margin+l.at[k].X, l.tall-l.at[k].Y
		place := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: x, Y: y - 13},
			Max: vg.Point{X: x + thumb, Y: y - 1}}}
		for _, t := range []plot.Thumbnailer{e.line, e.dots} {
			if t != nil {
				t.Thumbnail(&place)
			}
		}
		c.FillText(l.style, vg.Point{X: x + thumb + 4, Y: y}, e.name)
	}
}

// wrap breaks a text between words into lines of at most so much width, as far as its words have room.
func wrap(text string, room vg.Length, style draw.TextStyle) string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := ""
		for _, word := range strings.Fields(paragraph) {
			if longer := line + " " + word; line != "" && style.Width(longer) <= room {
				line = longer
				continue
			}
			if line != "" {
				lines = append(lines, line)
			}
			line = word
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
