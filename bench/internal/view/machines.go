package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/families"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// Machine returns the section of the CPU and the program.
func Machine(s *results.Set) Section {
	size := func(key string) string {
		n, err := strconv.Atoi(s.Get(key))
		switch {
		case err != nil || n <= 0:
			return "unknown"
		case n < 1<<20:
			return fmt.Sprintf("%d KiB", n>>10)
		}
		return fmt.Sprintf("%d MiB", n>>20)
	}
	t := Table{Title: "CPU and program", Head: []string{"", ""}, Rows: [][]string{
		{"CPU", s.Get("cpu")}, {"named here", s.Get("cpu-id")}, {"cores", s.Get("cores")},
		{"caches", "L1d " + size("l1d") + ", L2 " + size("l2") + ", L3 " + size("l3")},
		{"tier in use", s.Get("tier") + ": " + s.Get("why")}, {"tiers measured", s.Get("tiers")},
		{"platform", s.Get("goos") + "/" + s.Get("goarch") + ", " + s.Get("go")}, {"date", s.Get("date")},
	}}
	for k, b := range bandwidths(s) {
		if b > 0 {
			t.Rows = append(t.Rows, []string{"bandwidth of " + []string{"L1", "L2", "L3", "memory"}[k], number(b, 3) +
				" GB/s, one thread"})
		}
	}
	for _, typ := range []string{"f32", "f64"} {
		if p := peak(speeds(s.Lines), typ, s.Get("tier")); p > 0 {
			t.Rows = append(t.Rows, []string{"peak in " + typ, number(p, 3) + " GFLOP/s, one thread"})
		}
	}
	return Section{ID: "machine", Title: "Machine", Tables: []Table{t}}
}

// Others returns the section that shows runs side by side: the first, and the runs of other CPUs. ok is false where
// there are none of these.
func Others(sets []*results.Set) (sec Section, ok bool) {
	others := slices.DeleteFunc(slices.Clone(sets[1:]),
		func(s *results.Set) bool { return s.Get("cpu-id") == sets[0].Get("cpu-id") })
	if sets = append(sets[:1:1], others...); len(sets) < 2 {
		return sec, false
	}
	sec = Section{ID: "cpus", Title: "Other CPUs",
		About: "The same on the CPUs that have run this, on the best tier of each: the run of this report first."}
	names := []string{""}
	for k, s := range sets {
		name := fmt.Sprintf("%s, %s, %s", s.Get("cpu-id"), s.Get("tier"), s.Get("date"))
		if k == 0 {
			name = "this run: " + name
		}
		names = append(names, name)
	}
	calls := Table{Title: "Time of a call", Head: slices.Clone(names)}
	all := make([][]speed, len(sets))
	for k, s := range sets {
		all[k] = speeds(s.Lines)
	}
	for _, mine := range all[0] {
		if !common(mine.Case) {
			continue
		}
		row := []string{fmt.Sprintf("%s %v, %s", mine.Name, mine.Case, mine.typ)}
		for _, list := range all {
			cell := "-"
			for _, s := range list {
				if s.Case == mine.Case && s.typ == mine.typ {
					cell = Duration(s.seconds(s.impls[0]))
				}
			}
			row = append(row, cell)
		}
		calls.Rows = append(calls.Rows, row)
	}
	trainings := Table{Title: "Time of a training", Head: names,
		Note: "Of the same examples to the same gap; '-' where one of them differs."}
	for _, f := range families.All {
		for _, mine := range models(sets[0].Where("Train", "family", f.Name)) {
			row := []string{f.Name + " " + mine.Key("model")}
			for _, s := range sets {
				cell := "-"
				for _, l := range models(s.Where("Train", "family", f.Name, "model", mine.Key("model"), "n",
					mine.Key("n"))) {
					if l.Value("tol") == mine.Value("tol") {
						cell = Duration(l.Value(results.Seconds))
					}
				}
				row = append(row, cell)
			}
			trainings.Rows = append(trainings.Rows, row)
		}
	}
	for _, t := range []Table{calls, trainings} {
		if t.Rows != nil {
			sec.Tables = append(sec.Tables, t)
		}
	}
	return sec, sec.Tables != nil
}

// Title says in a line what was measured.
func Title(s *results.Set) string {
	return strings.TrimSpace("dualgap on " + s.Get("cpu"))
}
