package chart

import (
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a picture of counts in rows and columns of the same names, from the top left: the larger a part of its row
// a count is, the darker its place. Counts are written where all of them have room.
type Matrix struct {
	Title, X, Y string
	Names       []string
	Counts      [][]int
}

// cells is the length of a side, beside the room on each side of a number.
const cells, beside = 244, 2

// SVG returns the picture.
func (m Matrix) SVG() []byte {
	n := max(1, len(m.Names))
	side := vg.Length(cells) / vg.Length(n)
	p := emptyPlot(m.Title, m.X, m.Y)
	names := make([]string, len(m.Names))
	style := p.X.Tick.Label
	style.Font.Size = min(style.Font.Size, .85*side)
	widest := vg.Length(0)
	for c, name := range m.Names {
		names[c] = elide(name, 84, style)
		widest = max(widest, style.Width(names[c]))
	}
	across, down := &p.X, &p.Y
	for a, axis := range []*plot.Axis{across, down} {
		axis.Min, axis.Max = -.5, float64(n)-.5
		axis.Padding, axis.Tick.Length, axis.Tick.Label.Font.Size = 4, 0, style.Font.Size
		axis.LineStyle.Width, axis.Tick.LineStyle.Width = 0, 0
		var ticks plot.ConstantTicks
		for c, name := range names {
			at := c
			if a == 1 {
				at = n - 1 - c // from the top
			}
			ticks = append(ticks, plot.Tick{Value: float64(at), Label: name})
		}
		axis.Tick.Marker = ticks
	}
	below := style.Height("0")
	if widest > side-2*beside {
		across.Tick.Label.Rotation, across.Tick.Label.XAlign, across.Tick.Label.YAlign = math.Pi/2, draw.XRight,
			draw.YCenter
		below = widest
	}
	p.Add(&places{m.Counts, n, style})
	const around = 60 // the title and the axis
	svg := render(p, cells+below+around+vg.Length(strings.Count(p.Title.Text, "\n"))*15, nil)
	return shaded.ReplaceAll(svg, []byte("fill:#0072B2;fill-opacity:"))
}

// shaded is the colour of what is partly transparent, which rounding takes away from the one that Inline knows.
var shaded = regexp.MustCompile(`fill:#[0-9A-F]{6};fill-opacity:`)

// places are the places of a matrix.
type places struct {
	counts [][]int
	n      int
	style  draw.TextStyle
}

// Plot draws the places and their numbers.
func (m *places) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	style := m.style
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	style.Font.Size = min(style.Font.Size, 9.5)
	const smallest = 6
	for style.Font.Size >= smallest && m.widest(style) > trX(1)-trX(0)-2*beside {
		style.Font.Size -= .5
	}
	for row, counts := range m.counts {
		sum := 0
		for _, v := range counts {
			sum += v
		}
		for column, v := range counts {
			at := float64(m.n - 1 - row)
			low, high := vg.Point{X: trX(float64(column) - .5), Y: trY(at - .5)}, vg.Point{X: trX(float64(column) + .5),
				Y: trY(at + .5)}
			square := []vg.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
			c.FillPolygon(shade(v, sum), square)
			c.StrokeLines(draw.LineStyle{Color: pale, Width: .5}, append(square, low))
			if v > 0 && style.Font.Size >= smallest {
				c.FillText(style, vg.Point{X: (low.X + high.X) / 2, Y: (low.Y + high.Y) / 2}, strconv.Itoa(v))
			}
		}
	}
}

// widest returns the width of the widest count.
func (m *places) widest(style draw.TextStyle) vg.Length {
	w := vg.Length(0)
	for _, counts := range m.counts {
		for _, v := range counts {
			w = max(w, style.Width(strconv.Itoa(v)))
		}
	}
	return w
}

// shade is the colour of v of sum. It leaves text that stands on it readable, on light and on dark ground.
func shade(v, sum int) color.Color {
	first := palette[0].(color.NRGBA)
	if v > 0 {
		first.A = uint8(20 + 135*v/sum)
	} else {
		first.A = 0
	}
	return first
}

// elide shortens a text to so much width.
func elide(text string, room vg.Length, style draw.TextStyle) string {
	text = strings.Join(strings.Fields(text), " ") // one line
	if style.Width(text) <= room {
		return text
	}
	for text != "" && style.Width(text+"…") > room {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	return text + "…"
}
