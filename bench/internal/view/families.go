package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/families"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/internal/chart"
)

// about says of each family what was trained on what, and of some what their figures mean.
var about = map[string]struct{ title, text, note string }{
	"topk": {"Top-k support vector machines (topk)",
		"Images of clothing, ten kinds (the first of Fashion-MNIST, unless -data names the whole set). A top-k " +
			"machine counts a guess as right if the true kind is among its first k.",
		"top-j: % of the test images whose kind is among the first j guesses. For k = 1 the two losses are the same. " +
			"By chance j kinds of ten are right."},
	"m3l": {"Multi-label machines with a prior (m3l)",
		"Attributes of clothes (sleeves, legs, heels), learned without an image of pullover, dress and sneaker, and " +
			"told of these. The prior of M3L is made of the attributes of these three; 1-vs-all has none.",
		"wrong: % of wrong attributes of classes never seen; named: % of their images whose class is the one with " +
			"the nearest attributes. C is chosen on other classes, taken for unseen; the time is of the last " +
			"training."},
	"toprank": {"Rankers that are right at the top (toprank)",
		"E-mails (Spambase), of which spam is to stand above all others. The rankers look at the top of the " +
			"list alone.",
		"p@r: % of spam among the e-mails above the threshold that a part r of all spam passes, on the test e-mails; " +
			"area: under the curve of precision over recall."},
	"tracenorm": {"Multinomial regression of low rank (tracenorm)",
		"The same images, by multinomial logistic regression with a penalty on the singular values of its weights: " +
			"the larger lambda1, the fewer of them are left.",
		"rank: number of singular values above 0; top-1, top-3: % of the test images whose kind is among the first " +
			"guesses."},
	"mkl": {"Learning on many kernels (mkl)",
		"Images by eight Gaussian kernels: one for each quarter of the image, and one for each quarter of some other " +
			"image, which tells nothing. The nearer p is to 1, the fewer kernels have a part.",
		"share: % of the norms that the four kernels have which look at the image; accuracy: % of the test images " +
			"that are named right."},
}

// hidden are values that the tables leave out.
var hidden = []string{"tol", "passes", "lambda", "lambda1"}

// FamilyTable returns the table of a family's models.
func FamilyTable(s *results.Set, family string) (t Table, ok bool) {
	lines := s.Where("Train", "family", family)
	if len(lines) == 0 {
		return t, false
	}
	t.Title = about[family].title
	first := lines[0]
	t.Note = fmt.Sprintf("%s examples to train on, %s to test on, relative gap %v, one thread. %s", first.Key("n"),
		first.Key("tests"),
		first.Value("tol"), about[family].note)
	t.Head = []string{"model", "time"}
	for _, v := range first.Values[1:] {
		if !slices.Contains(hidden, v.Unit) {
			t.Head = append(t.Head, strings.TrimSuffix(v.Unit, "-%"))
		}
	}
	for _, l := range models(lines) {
		row := []string{l.Key("model"), Duration(l.Value(results.Seconds))}
		if status := l.Key("status"); status != "" {
			row[0] += " (" + status + ")"
		}
		for _, v := range first.Values[1:] {
			if !slices.Contains(hidden, v.Unit) {
				row = append(row, cell(l.Value(v.Unit), v.Unit))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, true
}

// models returns the fastest training of each model.
func models(lines []results.Line) (list []results.Line) {
	for _, l := range lines {
		k := slices.IndexFunc(list, func(m results.Line) bool { return m.Key("model") == l.Key("model") })
		if k < 0 {
			list = append(list, l)
		} else {
			list[k] = least([]results.Line{list[k], l})
		}
	}
	return list
}

func cell(v float64, unit string) string {
	switch {
	case v != v:
		return "-"
	case strings.HasSuffix(unit, "-%"):
		return fmt.Sprintf("%.1f", v)
	case unit == "epochs" || unit == "rank":
		return fmt.Sprintf("%.0f", v)
	case unit == "gap":
		return fmt.Sprintf("%.1e", v)
	case unit == "C":
		return fmt.Sprintf("%g", v)
	}
	return number(v, 5)
}

// Families returns a section for each family among the results.
func Families(s *results.Set) (list []Section) {
	for _, f := range families.All {
		t, ok := FamilyTable(s, f.Name)
		if !ok {
			continue
		}
		sec := Section{ID: f.Name, Title: about[f.Name].title, About: about[f.Name].text, Tables: []Table{t}}
		sec.Tables[0].Title = "Models"
		lines := models(s.Where("Train", "family", f.Name))
		sec.Figures = append(sec.Figures, gaps(s, f.Name, lines), sides(s, f.Name, longest(lines)))
		if draw := curves[f.Name]; draw != nil {
			if figure, ok := draw(s, lines); ok {
				sec.Figures = append(sec.Figures, figure)
			}
		}
		list = append(list, sec)
	}
	return list
}

// curve returns the values of a unit against another one along a curve of a model.
func curve(s *results.Set, base, family, model, x, y string) (line chart.Line) {
	line.Name = model
	for _, l := range s.Where(base, "family", family, "model", model) {
		line.X, line.Y = append(line.X, l.Value(x)), append(line.Y, l.Value(y))
	}
	return line
}

// gaps draws the relative gaps of all models over time.
func gaps(s *results.Set, family string, lines []results.Line) Figure {
	c := chart.Chart{Title: "The gap closes", X: "seconds", Y: "relative duality gap"}
	for _, l := range lines {
		c.Lines = append(c.Lines, curve(s, "Progress", family, l.Key("model"), results.Seconds, "gap"))
	}
	return Figure{Title: c.Title, SVG: c.SVG(),
		Caption: fmt.Sprintf("How far each training is from its optimum, as it sees it on its way; the last point is "+
			"certified, and below %v.", lines[0].Value("tol"))}
}

// longest returns the model with the most epochs.
func longest(lines []results.Line) string {
	return slices.MaxFunc(lines, func(a, b results.Line) int {
		return cmp.Compare(a.Value("epochs"), b.Value("epochs"))
	}).Key("model")
}

// sides draws the primal and the dual value of one model over time.
func sides(s *results.Set, family, model string) Figure {
	c := chart.Chart{Title: "Primal and dual, " + model, X: "seconds", Y: "objective"}
	high, last := 0.0, 0.0
	for _, side := range []string{"primal", "dual"} {
		line := curve(s, "Progress", family, model, results.Seconds, side)
		line.Name = side
		for _, v := range line.Y {
			high, last = max(high, v), v
		}
		c.Lines = append(c.Lines, line)
	}
	c.LinearY = high < 20*last // else the end would be a line on the axis
	return Figure{Title: c.Title, SVG: c.SVG(),
		Caption: "What training sees on its way; the last point is certified: the optimum lies between its two " +
			"values, and the model is proved to be as good as asked for."}
}

// curves draw what is particular to a family.
var curves = map[string]func(s *results.Set, lines []results.Line) (Figure, bool){
	"topk": func(_ *results.Set, lines []results.Line) (Figure, bool) {
		c := chart.Chart{Title: "Right among the first guesses", X: "guesses", Y: "% of the test images", LinearX: true,
			LinearY: true}
		for _, l := range lines {
			line := chart.Line{Name: l.Key("model")}
			for j := 1; ; j++ {
				v := l.Value(fmt.Sprintf("top-%d-%%", j))
				if v != v {
					break
				}
				line.X, line.Y = append(line.X, float64(j)), append(line.Y, v)
			}
			c.Lines = append(c.Lines, line)
		}
		return Figure{Title: c.Title, SVG: c.SVG(),
			Caption: "What training for more guesses gains among these, and what it loses at the first one."}, true
	},
	"m3l": func(_ *results.Set, lines []results.Line) (Figure, bool) {
		b := chart.Bars{Title: "Classes never seen", X: "% of their test images",
			Series: []chart.Series{{Name: "wrong attributes"}, {Name: "named right"}}}
		for _, l := range lines {
			b.Rows = append(b.Rows, l.Key("model"))
			for k, unit := range []string{"wrong-%", "named-%"} {
				b.Series[k].Values = append(b.Series[k].Values, l.Value(unit))
			}
		}
		return Figure{Title: b.Title, SVG: b.SVG(),
			Caption: "What the prior changes for classes without a training image: less of the blue and more of the " +
				"orange is better."}, true
	},
	"toprank": func(s *results.Set, lines []results.Line) (Figure, bool) {
		c := chart.Chart{Title: "Precision over recall", X: "recall", Y: "precision", LinearX: true, LinearY: true}
		for _, l := range lines {
			c.Lines = append(c.Lines, curve(s, "PR", "toprank", l.Key("model"), "recall", "precision"))
		}
		return Figure{Title: c.Title, SVG: c.SVG(),
			Caption: "Of the e-mails above a threshold the part that is spam (up), against the part of all spam that " +
				"is above it (right): the left end is the top of the list."}, true
	},
	"tracenorm": func(s *results.Set, lines []results.Line) (Figure, bool) {
		c := chart.Chart{Title: "Singular values of the weights", X: "number", Y: "singular value", LinearX: true}
		for _, l := range lines {
			line := chart.Line{Name: l.Key("model")}
			for j, p := range s.Where("Spectrum", "family", "tracenorm", "model", l.Key("model")) {
				line.X, line.Y = append(line.X, float64(j+1)), append(line.Y, p.Value("sigma"))
			}
			c.Lines = append(c.Lines, line)
		}
		return Figure{Title: c.Title, SVG: c.SVG(),
				Caption: "A larger penalty leaves fewer singular values: the lines end where all others are " +
					"exactly 0."},
			true
	},
	"mkl": func(s *results.Set, lines []results.Line) (Figure, bool) {
		b := chart.Bars{Title: "Weights of the kernels", X: "% of the norms"}
		for _, l := range lines {
			series := chart.Series{Name: l.Key("model")}
			for _, w := range s.Where("Weight", "family", "mkl", "model", l.Key("model")) {
				if !slices.Contains(b.Rows, w.Key("kernel")) {
					b.Rows = append(b.Rows, w.Key("kernel"))
				}
				series.Values = append(series.Values, w.Value("share-%"))
			}
			b.Series = append(b.Series, series)
		}
		return Figure{Title: b.Title, SVG: b.SVG(),
			Caption: "How p shares the weight out between the kernels that look at the image and those that look at " +
				"another one."}, b.Rows != nil
	},
}
