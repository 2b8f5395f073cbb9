// Package svgtest finds the places of texts in pictures of package chart, for tests.
package svgtest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Text is a text and the box around it, in the units of the viewBox, y downwards.
type Text struct {
	Text                   string
	Left, Top, Right, Base float64
}

// Picture is what is found in an SVG.
type Picture struct {
	Width, Height float64
	Count         map[string]int // of the elements
	Texts         []Text
}

// matrix is a transformation: x' = a x + c y + e, y' = b x + d y + f.
type matrix [6]float64

func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5],
	}
}

func (m matrix) at(x, y float64) (float64, float64) {
	return m[0]*x + m[2]*y + m[4], m[1]*x + m[3]*y + m[5]
}

// transform reads the attribute of that name, as vgsvg writes it.
func transform(t *testing.T, s string) matrix {
	t.Helper()
	m := matrix{1, 0, 0, 1, 0, 0}
	for part := range strings.SplitSeq(s, ")") {
		name, list, _ := strings.Cut(strings.TrimSpace(part), "(")
		var v [2]float64
		n, _ := fmt.Sscan(strings.ReplaceAll(list, ",", " "), &v[0], &v[1])
		switch {
		case name == "":
		case name == "scale" && n == 2:
			m = m.times(matrix{v[0], 0, 0, v[1], 0, 0})
		case name == "translate" && n == 2:
			m = m.times(matrix{1, 0, 0, 1, v[0], v[1]})
		case name == "rotate" && n == 1:
			sin, cos := math.Sincos(v[0] * math.Pi / 180)
			m = m.times(matrix{cos, sin, -sin, cos, 0, 0})
		default:
			t.Fatalf("unknown transformation %q", part)
		}
	}
	return m
}

// Read parses a picture, which must be well-formed XML.
func Read(t *testing.T, svg string) Picture {
	t.Helper()
	p := Picture{Count: map[string]int{}}
	stack := []matrix{{1, 0, 0, 1, 0, 0}}
	face := font.DefaultCache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 1)
	var text *Text
	var size, x, y float64
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			p.Count[e.Name.Local]++
			m := stack[len(stack)-1]
			x, y = 0, 0
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "viewBox":
					fmt.Sscanf(a.Value, "0 0 %g %g", &p.Width, &p.Height)
				case "transform":
					m = m.times(transform(t, a.Value))
				case "x":
					fmt.Sscan(a.Value, &x)
				case "y":
					fmt.Sscan(a.Value, &y)
				case "style":
					if _, after, ok := strings.Cut(a.Value, "font-size:"); ok {
						fmt.Sscanf(after, "%gpx", &size)
					}
				}
			}
			stack = append(stack, m)
			if e.Name.Local == "text" {
				text = new(Text)
			}
		case xml.CharData:
			if text != nil {
				text.Text += string(e)
			}
		case xml.EndElement:
			if e.Name.Local == "text" {
				face.Font.Size = vg.Length(size)
				w := float64(face.Width(text.Text))
				m := stack[len(stack)-1]
				text.Left, text.Top, text.Right, text.Base = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
				for _, c := range [][2]float64{{x, y}, {x + w, y}, {x, y - .75*size}, {x + w, y - .75*size}} {
					u, v := m.at(c[0], c[1])
					text.Left, text.Right = min(text.Left, u), max(text.Right, u)
					text.Top, text.Base = min(text.Top, v), max(text.Base, v)
				}
				p.Texts = append(p.Texts, *text)
				text = nil
			}
			stack = stack[:len(stack)-1]
		}
	}
}

// Fits reports texts that leave the picture, and texts that lie on others.
func (p Picture) Fits(t *testing.T) {
	t.Helper()
	if !(p.Width > 0 && p.Height > 0) {
		t.Error("the picture has no viewBox")
	}
	for k, a := range p.Texts {
		if a.Left < 0 || a.Top < 0 || a.Right > p.Width || a.Base > p.Height {
			t.Errorf("%q from (%.0f, %.0f) to (%.0f, %.0f) leaves the %.0f by %.0f of the picture",
				a.Text, a.Left, a.Top, a.Right, a.Base, p.Width, p.Height)
		}
		for _, b := range p.Texts[:k] {
			if a.Left < b.Right && b.Left < a.Right && a.Top < b.Base && b.Top < a.Base {
				t.Errorf("%q lies on %q", a.Text, b.Text)
			}
		}
	}
}
