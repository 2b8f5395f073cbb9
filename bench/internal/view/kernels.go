package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/bench/internal/kernels"
	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/internal/page"
)

// speed is what was measured of a case in one precision.
type speed struct {
	cases.Case
	typ   string
	impls []string                // in the order of measuring
	best  map[string]results.Line // of each implementation the fastest
	worst map[string]float64      // and the time of its slowest round
}

// disagree tells whether the rounds of an implementation differ by more than a tenth: something else ran, or the clock
// changed.
func (s speed) disagree(impl string) bool { return s.worst[impl] > 1.1*s.seconds(impl) }

func (s speed) seconds(impl string) float64 {
	if l, ok := s.best[impl]; ok {
		return l.Value(results.Seconds)
	}
	return math.NaN()
}

// element is the size of a number in bytes.
func (s speed) element() int {
	if s.typ == "f32" {
		return 4
	}
	return 8
}

// speeds returns what lines say of kernels, in their order.
func speeds(lines []results.Line) (list []speed) {
	place := map[string]int{}
	for _, l := range lines {
		impl := l.Key("impl")
		if impl == "" || l.Base == "Stream" {
			continue
		}
		c, typ := kernels.Of(l), l.Key("type")
		name := fmt.Sprint(typ, c.Name, c)
		k, ok := place[name]
		if !ok {
			k = len(list)
			place[name] = k
			list = append(list, speed{Case: c, typ: typ, best: map[string]results.Line{}, worst: map[string]float64{}})
		}
		if _, ok := list[k].best[impl]; !ok {
			list[k].impls = append(list[k].impls, impl)
			list[k].best[impl] = l
		}
		list[k].best[impl] = least([]results.Line{list[k].best[impl], l})
		list[k].worst[impl] = max(list[k].worst[impl], l.Value(results.Seconds))
	}
	return list
}

// Speeds is the table of kernels in one precision, whose rows can be printed as they come.
type Speeds struct {
	typ    string
	rivals []string
	last   string // kernel of the row before
}

var wide = []int{15, 11, 10, 8, 8}

// NewSpeeds returns the table of a precision, f32 or f64, on the tiers that a CPU runs, the best first.
func NewSpeeds(typ string, tiers []string) *Speeds {
	return &Speeds{typ: typ, rivals: append(slices.Clone(tiers[min(1, len(tiers)):]), kernels.Plain, kernels.Gonum)}
}

func (t *Speeds) head() []string {
	head := []string{"kernel", "size", "time", "GB/s", "GFLOP/s"}
	for _, r := range t.rivals {
		head = append(head, "× "+r)
	}
	return head
}

// row returns the row of s. Its first implementation is the best of ours.
func (t *Speeds) row(s speed) []string {
	ours := s.best[s.impls[0]]
	row := []string{s.Name, s.String(), Duration(ours.Value(results.Seconds)), number(ours.Value("GB/s"), 3),
		number(ours.Value("GFLOP/s"), 3)}
	if s.disagree(s.impls[0]) {
		row[2] = "~" + row[2]
	}
	for _, r := range t.rivals {
		cell := number(s.seconds(r)/ours.Value(results.Seconds), 2)
		if s.disagree(r) {
			cell = "~" + cell
		}
		row = append(row, cell)
	}
	return row
}

// Head returns the text above the first row.
func (t *Speeds) Head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%s\n\n", speedsTitle(t.typ), page.Wrap(speedsNote, 100))
	page.WriteRow(&b, t.head(), t.widths())
	return b.String()
}

// Row returns the text of the row of a kernel's lines.
func (t *Speeds) Row(lines []results.Line) string {
	var b strings.Builder
	for _, s := range speeds(lines) {
		row := t.row(s)
		if s.Name == t.last {
			row[0] = ""
		}
		t.last = s.Name
		page.WriteRow(&b, row, t.widths())
	}
	return b.String()
}

func (t *Speeds) widths() []int {
	widths := slices.Clone(wide)
	for _, r := range t.rivals {
		widths = append(widths, max(7, len(r)+2))
	}
	return widths
}

func speedsTitle(typ string) string {
	return fmt.Sprintf("Kernels, %s, one thread", map[string]string{"f32": "float32", "f64": "float64"}[typ])
}

const speedsNote = "Time of a call, the least of many; bytes read and written and operations a second; and how many " +
	"times as fast as our " +
	"kernels on lower tiers (generic is pure Go), as a plain loop in Go, and as gonum. '-': there is no such thing; " +
	"'~': rounds of it differ by more than 10%."

// Kernels returns the section of the kernels; ok is false where there are none among the results.
func Kernels(s *results.Set) (sec Section, ok bool) {
	list := speeds(s.Lines)
	if len(list) == 0 {
		return sec, false
	}
	sec = Section{ID: "kernels", Title: "Kernels", About: speedsNote}
	for _, typ := range []string{"f32", "f64"} {
		if f, ok := bars(list, typ); ok {
			sec.Figures = append(sec.Figures, f)
		}
	}
	for _, typ := range []string{"f32", "f64"} {
		if f, ok := roofline(s, list, typ); ok {
			sec.Figures = append(sec.Figures, f)
		}
	}
	for _, typ := range []string{"f32", "f64"} {
		t := NewSpeeds(typ, strings.Fields(s.Get("tiers")))
		table := Table{Title: speedsTitle(typ), Head: t.head()}
		for _, s := range list {
			if s.typ == typ {
				table.Rows = append(table.Rows, t.row(s))
			}
		}
		if table.Rows != nil {
			sec.Tables = append(sec.Tables, table)
		}
	}
	if t, ok := roofTable(s, list); ok {
		sec.Tables = append(sec.Tables, t)
	}
	return sec, true
}

// common tells whether a case is the one that stands for its kernel: images of 784 pixels, weights of 100 classes.
func common(c cases.Case) bool {
	return c.N == 784 && c.M == 0 || c.M == 784 && c.N == 100 || c.Name == "Gemm" && c.N > 64
}

// bars draws how many times as fast as plain Go each implementation is.
func bars(list []speed, typ string) (Figure, bool) {
	picture := chart.Bars{Title: "Times as fast as a plain loop in Go, " + typ, X: "times (1 is plain Go)"}
	place := map[string]int{}
	for _, s := range list {
		plain := s.seconds(kernels.Plain)
		if s.typ != typ || !common(s.Case) || plain != plain {
			continue
		}
		picture.Rows = append(picture.Rows, s.Name+" "+s.String())
		for _, impl := range s.impls {
			if impl == kernels.Plain {
				continue
			}
			k, ok := place[impl]
			if !ok {
				k = len(picture.Series)
				place[impl] = k
				picture.Series = append(picture.Series, chart.Series{Name: impl})
			}
			for len(picture.Series[k].Values) < len(picture.Rows)-1 {
				picture.Series[k].Values = append(picture.Series[k].Values, math.NaN())
			}
			picture.Series[k].Values = append(picture.Series[k].Values, plain/s.seconds(impl))
		}
	}
	if picture.Rows == nil {
		return Figure{}, false
	}
	return Figure{Title: picture.Title, SVG: picture.SVG(),
		Caption: "Longer is faster: each tier of this CPU and gonum against the loop that one would write in Go; " +
			"where gonum has no such routine there is no bar."}, true
}
