// Package chart draws lines and bars as SVG, by gonum/plot: small enough to be read on a phone, with colours that
// remain apart for the colour-blind, and with the names of the lines below the axes, where no line passes.
package chart

import (
	"bytes"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Chart is a picture. Points that an axis cannot show, numbers that are not finite and numbers of at most 0 on a
// logarithmic axis, are left out.
type Chart struct {
	Title, X, Y      string
	LinearX, LinearY bool  // default: logarithmic
	Unit             bool  // both axes reach from 0 to 1 at least
	At               []int // abscissas of the lines that have none of their own
	Lines            []Line
}

// Line is a line and its name.
type Line struct {
	Name string
	X    []float64 // abscissas, as many as Y; default: the chart's At
	Y    []float64
	Step bool // each ordinate holds from its abscissa to the next
	Dots bool // points alone, not joined
	Bare bool // without marks at the points; lines of many points never have them
	Like int  // 1, 2, ...: in the style of the first, the second line; default: in its own

	Labels []string // short texts above the points, "" for none; default: none
}

// Sizes of a picture without its legend, in points.
const width, height, margin = 360, 270, 8

// marked is the largest number of points that are marked on a line.
const marked = 25

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
	p := newPlot(c.Title, c.X, c.Y)
	shown := make([]plotter.XYs, len(c.Lines))
	var labels plotter.XYLabels
	var xs, ys []float64
	for l := range c.Lines {
		x, y := c.Points(l)
		for k := range x {
			if shows(x[k], c.LinearX) && shows(y[k], c.LinearY) {
				shown[l] = append(shown[l], plotter.XY{X: x[k], Y: y[k]})
				xs, ys = append(xs, x[k]), append(ys, y[k])
				if k < len(c.Lines[l].Labels) {
					labels.XYs, labels.Labels = append(labels.XYs, plotter.XY{X: x[k], Y: y[k]}),
						append(labels.Labels, c.Lines[l].Labels[k])
				}
			}
		}
	}
	if c.Unit {
		xs, ys = append(xs, 0, 1), append(ys, 0, 1)
	}
	setAxis(&p.X, xs, c.LinearX)
	setAxis(&p.Y, ys, c.LinearY)
	names := make([]entry, len(c.Lines))
	for l, line := range c.Lines {
		names[l] = entry{name: line.Name}
		style := l
		if line.Like > 0 {
			style = line.Like - 1
		}
		if !line.Dots {
			drawn := &plotter.Line{XYs: shown[l], LineStyle: stroke(style)}
			if line.Step {
				drawn.StepStyle = plotter.PostStep
			}
			p.Add(drawn)
			names[l].line = drawn
		}
		if line.Dots || !line.Bare && len(shown[l]) <= marked {
			dots := &plotter.Scatter{XYs: shown[l], GlyphStyle: glyph(style)}
			p.Add(dots)
			names[l].dots = dots
		}
	}
	if labels.XYs != nil {
		p.Add(above(labels, p.X.Tick.Label))
	}
	return render(p, height, names)
}

// above returns texts above points.
func above(texts plotter.XYLabels, style draw.TextStyle) *plotter.Labels {
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	style.Font.Size = 9
	l := &plotter.Labels{XYs: texts.XYs, Labels: texts.Labels, Offset: vg.Point{Y: 3}}
	for range texts.Labels {
		l.TextStyle = append(l.TextStyle, style)
	}
	return l
}

// newPlot returns axes with their titles, and a grid.
func newPlot(title, x, y string) *plot.Plot {
	p := emptyPlot(title, x, y)
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = pale, pale
	p.Add(grid)
	return p
}

// emptyPlot returns axes with their titles, which are wrapped where they are longer than the picture.
func emptyPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, s := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label,
		&p.Y.Tick.Label} {
		s.Font.Variant, s.Font.Size, s.Color = "Sans", 11, ink
	}
	p.Title.TextStyle.Font.Size = 12.5
	p.Title.Padding = 6
	p.Title.Text = wrap(title, width-2*margin, p.Title.TextStyle)
	p.X.Label.Text = wrap(x, width-80, p.X.Label.TextStyle)
	p.Y.Label.Text = wrap(y, height-80, p.Y.Label.TextStyle)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle.Color, a.Tick.LineStyle.Color = ink, ink
		a.Tick.Length = 4
	}
	return p
}

// render draws the plot into so much height, and the legend below it.
func render(p *plot.Plot, tall vg.Length, names []entry) []byte {
	l := newLegend(names, p.X.Label.TextStyle)
	canvas := vgsvg.New(width, tall+l.tall)
	whole := draw.New(canvas)
	whole.FillPolygon(white, []vg.Point{{}, {X: width}, {X: width, Y: tall + l.tall}, {Y: tall + l.tall}})
	drawAxes(p, draw.Crop(whole, margin, -margin, l.tall+margin, -margin))
	l.draw(whole)
	var b bytes.Buffer
	canvas.WriteTo(&b) // a buffer takes everything
	return portable(b.Bytes())
}

// drawAxes draws the plot. It writes the ordinate's title itself: the plot would reserve room for it above a
// logarithmic axis.
func drawAxes(p *plot.Plot, c draw.Canvas) {
	label, style := p.Y.Label.Text, p.Y.Label.TextStyle
	p.Y.Label.Text = ""
	if label == "" {
		p.Draw(c)
		return
	}
	tall := style.Height(label)
	inner := draw.Crop(c, tall+4, 0, 0, 0)
	p.Draw(inner)
	data := p.DataCanvas(inner)
	style.Rotation, style.XAlign, style.YAlign = math.Pi/2, draw.XCenter, draw.YBottom
	c.FillText(style, vg.Point{X: c.Min.X + tall, Y: (data.Min.Y + data.Max.Y) / 2}, label)
}
