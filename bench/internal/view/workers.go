package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/workers"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/internal/page"
)

const (
	gainsTitle = "Several workers"
	gainsNote  = "The time of one worker, the median of some turns, and how many times as fast as one several " +
		"workers are. Trainings end at a relative gap of 1e-3, the certificate included. Several workers do not see " +
		"each other's moves in a round, so that a training may take more passes."
)

// Gains is the table of what several workers gain, whose rows can be printed as they come.
type Gains struct{ counts []string }

// NewGains returns the table for the numbers of workers that the lines of one job tell.
func NewGains(lines []results.Line) *Gains {
	t, seen := new(Gains), map[string]bool{}
	for _, l := range lines {
		if n := l.Key("workers"); !seen[n] {
			seen[n] = true
			t.counts = append(t.counts, n)
		}
	}
	return t
}

func (t *Gains) head() []string {
	head := []string{"job", "one"}
	for _, n := range t.counts[min(1, len(t.counts)):] {
		head = append(head, "× by "+n)
	}
	return head
}

// row returns the row of one job.
func (t *Gains) row(lines []results.Line) []string {
	job := lines[0].Key("job")
	one := median(lines, job, "1")
	row := []string{job, Duration(one)}
	for _, n := range t.counts[min(1, len(t.counts)):] {
		row = append(row, number(one/median(lines, job, n), 3))
	}
	return row
}

// median returns the median time of a job by a number of workers: cores that change their speed between the turns of
// one number and of another would favour some of them by the least.
func median(lines []results.Line, job, count string) float64 {
	var times []float64
	s := results.Set{Lines: lines}
	for _, l := range s.Where(workers.Base, "job", job, "workers", count) {
		times = append(times, l.Value(results.Seconds))
	}
	if times == nil {
		return math.NaN()
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// Head returns the text above the first row.
func (t *Gains) Head() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n%s\n\n", gainsTitle, page.Wrap(gainsNote, 100))
	page.WriteRow(&b, t.head(), t.widths())
	return b.String()
}

// Row returns the text of the row of a job's lines.
func (t *Gains) Row(lines []results.Line) string {
	var b strings.Builder
	page.WriteRow(&b, t.row(lines), t.widths())
	return b.String()
}

func (t *Gains) widths() []int {
	widths := []int{20, 10}
	for range t.counts[min(1, len(t.counts)):] {
		widths = append(widths, 9)
	}
	return widths
}

// Workers returns the section of what several workers gain; ok is false where it was not measured.
func Workers(s *results.Set) (sec Section, ok bool) {
	lines := s.Where(workers.Base)
	if len(lines) == 0 {
		return sec, false
	}
	t := NewGains(lines)
	table := Table{Title: "Times", Head: t.head()}
	charts := []chart.Chart{{Title: "Products, passes and searches"}, {Title: "Trainings"}}
	seen := map[string]bool{}
	for _, l := range lines {
		job := l.Key("job")
		if seen[job] {
			continue
		}
		seen[job] = true
		of := s.Where(workers.Base, "job", job)
		table.Rows = append(table.Rows, t.row(of))
		k := 0
		if l.Value("passes") > 0 {
			k = 1
		}
		charts[k].Lines = append(charts[k].Lines, t.curve(of))
	}
	sec = Section{ID: "workers", Title: gainsTitle, About: gainsNote, Tables: []Table{table}}
	for _, c := range charts {
		if len(t.counts) > 1 && c.Lines != nil {
			c.X, c.Y = "workers", "times as fast as one"
			sec.Figures = append(sec.Figures, Figure{Title: c.Title, SVG: c.SVG(),
				Caption: "A line that rises by the diagonal gains all that workers can give."})
		}
	}
	return sec, true
}

// curve returns how many times as fast as one worker each number of them does a job.
func (t *Gains) curve(lines []results.Line) chart.Line {
	job := lines[0].Key("job")
	c, one := chart.Line{Name: job}, median(lines, job, "1")
	for _, n := range t.counts {
		x, _ := strconv.ParseFloat(n, 64)
		c.X, c.Y = append(c.X, x), append(c.Y, one/median(lines, job, n))
	}
	return c
}
