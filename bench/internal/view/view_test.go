package view

import (
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/results"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{
		{0, 3, "0"}, {math.NaN(), 3, "-"}, {123.4, 3, "123"}, {12.34, 3, "12.3"}, {.01234, 3, "0.0123"},
		{1234567, 3, "1234567"},
		{1.5e-9, 3, "1.5e-09"}, {.4567, 2, "0.46"},
	} {
		if got := number(c.v, c.digits); got != c.want {
			t.Errorf("%v with %d digits: %s", c.v, c.digits, got)
		}
	}
	for v, want := range map[float64]string{1.5e-9: "1.50 ns", 2e-5: "20.0 µs", .25: "250 ms", 90: "90.0 s"} {
		if got := Duration(v); got != want {
			t.Errorf("%v seconds: %s", v, got)
		}
	}
}

func set(t *testing.T, text string) *results.Set {
	t.Helper()
	s, err := results.Read(strings.NewReader(text), "text")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const machine = `tier: avx2
tiers: avx2 generic
l1d: 32768
BenchmarkStream/by=Sum/level=L1/impl=avx2 1 1 ns/op 100 GB/s
BenchmarkStream/by=Axpy/level=L1/impl=avx2 1 1 ns/op 200 GB/s
BenchmarkGemm/type=f32/m=256/n=256/k=256/impl=avx2 1 1 ns/op 3 GB/s 80 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=avx2 1 20 ns/op 313 GB/s 25 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=generic 1 100 ns/op 60 GB/s 15 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=generic 1 90 ns/op 60 GB/s 15 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=go 1 200 ns/op 30 GB/s 8 GFLOP/s
`

// The roof of a dot product in the first cache is 2 operations for 8 bytes times the bandwidth there, 50 GFLOP/s; it
// has made 25.
func TestRoof(t *testing.T) {
	s := set(t, machine)
	table, ok := roofTable(s, speeds(s.Lines))
	if !ok || len(table.Rows) != 1 || strings.Join(table.Rows[0], "|") != "Dot|784|f32|L1|0.25|25.0|50.0|50" {
		t.Errorf("%q", table.Rows)
	}
}

// The rows of kernels say how many times as fast the best tier is, by the least of the times; a mark stands where
// rounds differ by more than a tenth.
func TestSpeeds(t *testing.T) {
	s := set(t, machine)
	list := speeds(s.Lines)
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	table := NewSpeeds("f32", []string{"avx2", "generic"})
	if got := strings.Join(table.row(list[1]), "|"); got != "Dot|784|20.0 ns|313|25.0|~4.5|10|-" {
		t.Errorf("%s", got)
	}
	if !strings.Contains(table.Head(), "× generic") || !strings.HasPrefix(table.Row(s.Lines), "Gemm ") {
		t.Error(table.Head(), table.Row(s.Lines))
	}
}

// Several CPUs stand side by side where they measured the same.
func TestOthers(t *testing.T) {
	train := "BenchmarkTrain/family=topk/n=30/model=m 1 1000000000 ns/op 0.01 tol\n"
	a := set(t, "cpu-id: a\n"+machine+train+"BenchmarkTrain/family=topk/n=30/model=k 1 5 ns/op 0.01 tol\n")
	b := set(t, "cpu-id: b\nBenchmarkDot/type=f32/n=784/impl=avx512 1 10 ns/op\n"+strings.Replace(train, "1000000000",
		"2000000000", 1)+
		"BenchmarkTrain/family=topk/n=30/model=k 1 5 ns/op 0.1 tol\n")
	sec, ok := Others([]*results.Set{a, b})
	if !ok || len(sec.Tables) != 2 {
		t.Fatalf("%+v", sec)
	}
	for k, want := range []string{"Dot 784, f32|20.0 ns|10.0 ns", "topk m|1.00 s|2.00 s"} {
		found := false
		for _, row := range sec.Tables[k].Rows {
			found = found || strings.Join(row, "|") == want
		}
		if !found {
			t.Errorf("no %s in %q", want, sec.Tables[k].Rows)
		}
	}
	if row := sec.Tables[1].Rows[1]; row[2] != "-" {
		t.Errorf("trainings to other gaps are compared: %q", row)
	}
	for _, sets := range [][]*results.Set{{a}, {a, a}} {
		if _, ok := Others(sets); ok {
			t.Errorf("%d runs of one CPU: it has others beside it", len(sets))
		}
	}
	if sec, ok := Others([]*results.Set{a, a, b}); !ok || len(sec.Tables[0].Head) != 3 {
		t.Error("the same CPU stands beside itself")
	}
}

// The headline is made of what there is, and counts the rounds that differ.
func TestHeadline(t *testing.T) {
	for _, c := range []struct{ text, want, not string }{
		{machine, "Kernels are 10 times as fast as plain loops in Go (the median of 1, from 10 to 10). Products of " +
			"matrices reach 80.0 GFLOP/s " +
			"in float32 on one thread. Rounds of 1 of 4 measurements of kernels differ by more than 10%", "gonum"},
		{"BenchmarkTrain/family=topk/n=30/model=m 1 1000000000 ns/op 0.01 tol\n", "1 models were trained in 1.00 s",
			"Kernels"},
		{"BenchmarkWeight/family=mkl 1 50 share-%\n", "", "K"},
	} {
		if got := Headline(set(t, c.text)); !strings.HasPrefix(got, c.want) || strings.Contains(got, c.not) {
			t.Errorf("%q, want %q and no %q", got, c.want, c.not)
		}
	}
}
