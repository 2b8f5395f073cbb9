package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of what is no line: text and axes, the grid, the ground.
var ink, pale, white = rgb(0x1a1a1a), rgb(0xdddddd), rgb(0xffffff)

// palette has colours that remain apart for the colour-blind (Okabe and Ito).
var palette = []color.Color{
	rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xe69f00), rgb(0x56b4e9), rgb(0x7f7f7f),
}

func rgb(v uint32) color.Color { return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255} }

// stroke is the style of line l: beyond the palette lines are dashed.
func stroke(l int) draw.LineStyle {
	s := draw.LineStyle{Color: palette[l%len(palette)], Width: 1.75}
	if l >= len(palette) {
		s.Dashes = []vg.Length{5, 3}
	}
	return s
}

// shapes tell points apart where colours do not.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{},
	draw.TriangleGlyph{},
}

func glyph(l int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: palette[l%len(palette)], Radius: 2.75, Shape: shapes[l%len(shapes)]}
}

// family are fonts of the same widths, of which most systems have one.
const family = "'Liberation Sans',Arial,Helvetica,sans-serif"

var fonts = regexp.MustCompile(`font-family:[^;"]*`)

// portable names fonts that other systems have too.
func portable(svg []byte) []byte {
	return fonts.ReplaceAll(svg, []byte("font-family:"+family))
}

var opening = regexp.MustCompile(`(?s)^.*?<svg [^>]*?viewBox="([^"]*)"[^>]*>`)

// Inline returns a picture as part of a page: as wide as its place, on the page's ground, and in colours that the page
// may choose by the CSS variables --ink, --grid and --c0, --c1, ... title is for those who do not see it.
func Inline(svg []byte, title string) string {
	svg = opening.ReplaceAll(svg, fmt.Appendf(nil, `<svg viewBox="$1" role="img" aria-label="%s">`,
		strings.ReplaceAll(html.EscapeString(title), "$", "$$")))
	put := func(c color.Color, css string) {
		v := c.(color.NRGBA)
		name := fmt.Appendf(nil, "#%02X%02X%02X", v.R, v.G, v.B)
		svg = bytes.ReplaceAll(svg, append([]byte(":"), name...), []byte(":"+css))
	}
	put(white, "none")
	put(ink, "var(--ink)")
	put(pale, "var(--grid)")
	for k, c := range palette {
		put(c, fmt.Sprintf("var(--c%d)", k))
	}
	return string(svg)
}
