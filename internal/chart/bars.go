package chart

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is a picture of groups of bars, from left to right, with their numbers behind them.
type Bars struct {
	Title, X string
	Rows     []string // names of the groups, from the top
	Series   []Series // a bar in each group
}

// Series is a name and a number for each group; NaN where there is none.
type Series struct {
	Name   string
	Values []float64
}

// SVG returns the picture.
func (b Bars) SVG() []byte {
	p := newPlot(b.Title, b.X, "")
	rows, longest := slices.Clone(b.Rows), 0.0
	for k, name := range rows {
		rows[k] = elide(name, 140, p.Y.Tick.Label)
	}
	slices.Reverse(rows)
	if len(rows) > 0 {
		p.NominalY(rows...)
	}
	p.Y.Width, p.Y.Tick.Length = 0, 0
	p.Y.Min, p.Y.Max = -.5, float64(max(len(rows), 1))-.5
	names := make([]entry, len(b.Series))
	for s, series := range b.Series {
		group := &bars{series: s, of: len(b.Series), values: series.Values, rows: len(rows), style: p.X.Tick.Label}
		for _, v := range series.Values {
			if shows(v, true) {
				longest = max(longest, v)
			}
		}
		p.Add(group)
		names[s] = entry{name: series.Name, line: group}
	}
	if longest == 0 {
		longest = 1
	}
	p.X.Min, p.X.Max = 0, 1.12*longest // room for the last number
	p.X.Tick.Marker = plot.TickerFunc(func(low,
		high float64) []plot.Tick {
		return plain(plot.DefaultTicks{}.Ticks(low, high))
	})
	const around = 80 // the title and the axis
	return render(p, vg.Length(len(rows))*(barWidth*vg.Length(len(b.Series))+8)+around, names)
}

const barWidth = 11

// bars is a series among others.
type bars struct {
	series, of int
	values     []float64
	rows       int
	style      draw.TextStyle
}

// Plot draws the bars: the groups stand at the whole numbers, the first at the top.
func (b *bars) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	style := b.style
	style.Font.Size, style.XAlign, style.YAlign = 9.5, draw.XLeft, draw.YCenter
	for row, v := range b.values {
		if !shows(v, true) || row >= b.rows {
			continue
		}
		tall := .84 / float64(b.of)
		top := float64(b.rows-1-row) + .42 - float64(b.series)*tall
		x, high, low := trX(max(v, 0)), trY(top), trY(top-tall)
		c.FillPolygon(palette[b.series%len(palette)], []vg.Point{{X: trX(0), Y: low}, {X: x, Y: low}, {X: x, Y: high},
			{X: trX(0), Y: high}})
		c.FillText(style, vg.Point{X: x + 2, Y: (low + high) / 2}, strconv.FormatFloat(v, 'f', digits(v), 64))
	}
}

// digits returns the decimals that leave two or three significant digits.
func digits(v float64) int {
	if v <= 0 {
		return 0
	}
	return max(0, 1-int(math.Floor(math.Log10(v))))
}

// Thumbnail draws a small bar.
func (b *bars) Thumbnail(c *draw.Canvas) {
	c.FillPolygon(palette[b.series%len(palette)], []vg.Point{
		{X: c.Min.X, Y: c.Min.Y + 2}, {X: c.Max.X, Y: c.Min.Y + 2}, {X: c.Max.X, Y: c.Max.Y - 2},
		{X: c.Min.X, Y: c.Max.Y - 2},
	})
}
