package view

import (
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/results"
)

// The median times count, and a training's curve is in the picture of trainings.
func TestWorkers(t *testing.T) {
	s := set(t, `cores: 4
BenchmarkWorkers/job=gemm_1024/workers=1 1 40000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=2 1 25000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=4 1 10000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=1 1 45000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=2 1 20000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=4 1 15000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=1 1 5000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=2 1 10000000 ns/op
BenchmarkWorkers/job=gemm_1024/workers=4 1 5000000 ns/op
BenchmarkWorkers/job=mkl/workers=1 1 2000000000 ns/op 7 passes
BenchmarkWorkers/job=mkl/workers=2 1 1600000000 ns/op 7 passes
BenchmarkWorkers/job=mkl/workers=4 1 4000000000 ns/op 9 passes
BenchmarkWorkers/job=gemm_1024/workers=1 1 40000000 ns/op
`)
	sec, ok := Workers(s)
	if !ok || len(sec.Figures) != 2 || len(sec.Tables) != 1 {
		t.Fatalf("%t, %d pictures, %d tables", ok, len(sec.Figures), len(sec.Tables))
	}
	want := [][]string{{"gemm 1024", "40.0 ms", "2.00", "4.00"}, {"mkl", "2.00 s", "1.25", "0.500"}}
	rows := sec.Tables[0].Rows
	for k := range want {
		if len(rows) != len(want) || strings.Join(rows[k], "|") != strings.Join(want[k], "|") {
			t.Errorf("%q, want %q", rows, want)
		}
	}
	for k, name := range []string{"gemm 1024", "mkl"} {
		if svg := string(sec.Figures[k].SVG); !strings.Contains(svg, name) || strings.Contains(svg, want[1-k][0]) {
			t.Errorf("the picture %s has other lines than %s", sec.Figures[k].Title, name)
		}
	}
	g := NewGains(s.Lines)
	if head := g.Head(); !strings.Contains(head, "× by 4") {
		t.Errorf("%q", head)
	}
	row := g.Row(s.Where("Workers", "job", "mkl"))
	if strings.Join(strings.Fields(row), " ") != "mkl 2.00 s 1.25 0.500" {
		t.Errorf("%q", row)
	}
	one := &results.Set{Lines: s.Where("Workers", "workers", 1)}
	if sec, ok := Workers(one); !ok || sec.Figures != nil || len(sec.Tables[0].Head) != 2 {
		t.Errorf("one worker alone: %t, %+v", ok, sec)
	}
	if _, ok := Workers(new(results.Set)); ok {
		t.Error("a section of nothing")
	}
}
