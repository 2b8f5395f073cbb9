// Package compare tells whether two runs differ, as benchstat does: by medians, and by the Mann-Whitney U test where
// there are enough measurements.
package compare

import (
	"fmt"
	"math"

	"golang.org/x/perf/benchmath"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/view"
)

// curves are benchmarks that are points of curves rather than measurements to compare.
var curves = map[string]bool{"Progress": true, "PR": true, "Spectrum": true, "Weight": true}

// samples are the times of a benchmark, by its name.
type samples struct {
	names []string
	times map[string][]float64
}

func newSamples(s *results.Set) samples {
	all := samples{times: map[string][]float64{}}
	for _, l := range s.Lines {
		v := l.Value(results.Seconds)
		if curves[l.Base] || !(v > 0) {
			continue
		}
		name := l.Name()
		if all.times[name] == nil {
			all.names = append(all.names, name)
		}
		all.times[name] = append(all.times[name], v)
	}
	return all
}

// Table compares the times of all benchmarks that both runs have; the last row has the geometric means. It is an error
// if there are none.
func Table(before, after *results.Set, names [2]string) (t view.Table, err error) {
	a, b := newSamples(before), newSamples(after)
	t = view.Table{
		Title: "Time of a call or a training: medians, and the change where it is significant (p < 0.05)",
		Head:  []string{"benchmark", names[0], names[1], "change", ""},
		Note: "~: no significant difference, by the Mann-Whitney U test; with fewer than four measurements of each " +
			"there never is one. " +
			"geomean: of all rows.",
	}
	logs, count := [2]float64{}, 0
	for _, name := range a.names {
		if b.times[name] == nil {
			continue
		}
		x, y := sample(a.times[name]), sample(b.times[name])
		from, to := benchmath.AssumeNothing.Summary(x, .95).Center, benchmath.AssumeNothing.Summary(y, .95).Center
		c := benchmath.AssumeNothing.Compare(x, y)
		t.Rows = append(t.Rows, []string{name, view.Duration(from), view.Duration(to), c.FormatDelta(from, to),
			c.String()})
		logs[0], logs[1], count = logs[0]+math.Log(from), logs[1]+math.Log(to), count+1
	}
	if count == 0 {
		return t, fmt.Errorf("%s and %s have no benchmark in common", names[0], names[1])
	}
	// Adding 0 makes 0 of -0.
	from, to := math.Exp(logs[0]/float64(count)), math.Exp(logs[1]/float64(count))
	t.Rows = append(t.Rows, []string{"geomean", view.Duration(from), view.Duration(to),
		fmt.Sprintf("%+.2f%%", math.Round(1e4*(to/from-1))/100+0), fmt.Sprintf("n=%d", count)})
	if only := len(a.names) + len(b.names) - 2*count; only > 0 {
		t.Note += fmt.Sprintf(" %d benchmarks are in one of the files alone.", only)
	}
	return t, nil
}

func sample(values []float64) *benchmath.Sample {
	return benchmath.NewSample(values, &benchmath.DefaultThresholds)
}
