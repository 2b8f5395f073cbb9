package page

import (
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/internal/page/pagetest"
)

// run is a small run of everything, with names that have to be escaped.
func run(t *testing.T) *results.Set {
	t.Helper()
	s, err := results.Read(strings.NewReader(`cpu: A <b> & "c"
cpu-id: a-b-c
tier: avx512
tiers: avx512 avx2 generic
l1d: 32768
l2: 1048576
date: 2026-01-02
BenchmarkStream/by=Sum/level=L1/bytes=16384/impl=avx512 1 100 ns/op 200 GB/s
BenchmarkStream/by=Sum/level=memory/bytes=67108864/impl=avx512 1 100 ns/op 20 GB/s
BenchmarkDot/type=f32/n=784/impl=avx512 1 20 ns/op 313 GB/s 78 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=avx512 1 10 ns/op 626 GB/s 156 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=avx2 1 20 ns/op 313 GB/s 78 GFLOP/s
BenchmarkDot/type=f32/n=784/impl=go 1 400 ns/op 15 GB/s 3.9 GFLOP/s
BenchmarkGemm/type=f32/m=256/n=256/k=256/impl=avx512 1 335544 ns/op 2.3 GB/s 100 GFLOP/s
BenchmarkTrain/family=topk/n=30/tests=10/model=top-3_<hinge> 1 2000000 ns/op 5 epochs 1 primal 0.999 dual 0.001 gap 0.01 tol 80 top-1-% 90 top-2-%
BenchmarkProgress/family=topk/n=30/tests=10/model=top-3_<hinge>/epoch=1 1 1000000 ns/op 2 primal 0 dual 1 gap
BenchmarkProgress/family=topk/n=30/tests=10/model=top-3_<hinge>/epoch=5 1 2000000 ns/op 1 primal 0.999 dual 0.001 gap
BenchmarkTrain/family=m3l/n=30/tests=10/model=M3L 1 2000000 ns/op 5 epochs 1 primal 0.999 dual 0.001 gap 0.01 tol 5 wrong-% 90 named-%
BenchmarkTrain/family=toprank/n=30/tests=10/model=TopPush/status=epoch_limit 1 2000000 ns/op 5 epochs 1 primal 0.9 dual 0.1 gap 0.01 tol
BenchmarkPR/family=toprank/n=30/tests=10/model=TopPush/point=0 1 0.5 recall 1 precision
BenchmarkTrain/family=tracenorm/n=30/tests=10/model=lambda1 1 2000000 ns/op 5 epochs 1 primal 0.999 dual 0.001 gap 0.01 tol 2 rank
BenchmarkSpectrum/family=tracenorm/n=30/tests=10/model=lambda1/index=1 1 3 sigma
BenchmarkTrain/family=mkl/n=30/tests=10/model=p_=_2 1 2000000 ns/op 5 epochs 1 primal 0.999 dual 0.001 gap 0.01 tol
BenchmarkWeight/family=mkl/n=30/tests=10/model=p_=_2/kernel=upper_left_of_another 1 50 share-%
`), "text")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPage(t *testing.T) {
	s := run(t)
	other := &results.Set{Config: []results.Pair{{Key: "cpu-id", Value: "d-e-f"}}, Lines: s.Lines}
	html, err := HTML(s, other)
	if err != nil {
		t.Fatal(err)
	}
	text, pictures := pagetest.Check(t, html)
	for _, want := range []string{`A <b> & "c"`, "top-3 <hinge>", "TopPush (epoch limit)", "this run: a-b-c",
		"L3 unknown", "How to reproduce", "10.0 ns", "models were trained in", "The columns of points: 1 Dot"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if pictures != 1+1+5*3 { // bars, roofline, three of each family
		t.Errorf("%d pictures", pictures)
	}
}

// A page of few results has what there is.
func TestFew(t *testing.T) {
	s, err := results.Read(strings.NewReader("BenchmarkSort/type=f64/n=16/impl=generic 1 20 ns/op 3 GB/s\n"), "text")
	if err != nil {
		t.Fatal(err)
	}
	html, err := HTML(s)
	if err != nil || strings.Contains(string(html), "<svg") || !strings.Contains(string(html), "20.0 ns") ||
		strings.Contains(string(html), "Other CPUs") {
		t.Errorf("%v, %s", err, html)
	}
}
