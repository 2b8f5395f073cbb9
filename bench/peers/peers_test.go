package main

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/cases"
)

// TestAgreement holds every library to the plain loops, on every tier of ours, at the cases that are quick to compute.
func TestAgreement(t *testing.T) {
	defer cpu.Set(cpu.Level)
	for _, tier := range cpu.Tiers() {
		cpu.Set(tier)
		for _, c := range Cases() {
			if max(c.M, 1)*c.N*max(c.K, 1) > 300000 || c.K == 0 && max(c.M, 1)*c.N > 10000 {
				continue
			}
			for _, shift := range []int{0, 3} {
				runners, err := newTrial(c, shift)
				if err != nil {
					t.Errorf("%v, shift %d: %v", tier, shift, err)
					continue
				}
				if len(runners) < 2 || runners[0].impl != "dualgap" {
					t.Errorf("%v: want ours and at least one rival, have %d runners", c, len(runners))
				}
			}
		}
	}
}

// TestDisagreement plants errors that a trial must refuse.
func TestDisagreement(t *testing.T) {
	c := Case{cases.Case{Name: "Dot", N: 16}, "f32"}
	plain := cases.Find[float32]("Dot").Plain
	for _, broken := range []struct {
		name string
		loop loop[float32]
	}{
		{"result[0]", func(p *operands[float32], _ int) { plain(p, 1); p.Out += 0.0625 }},
		{"result[0]", func(p *operands[float32], _ int) { p.Out = float32(math.NaN()) }},
		{"result[0]", func(*operands[float32], int) {}}, // forgets to compute
		{"x[15]", func(p *operands[float32], _ int) { plain(p, 1); p.X[15] = 0 }},
	} {
		libraries := []library[float32]{{"broken", map[string]loop[float32]{"Dot": broken.loop}}}
		if _, err := trialOf(c, 0, libraries); err == nil || !strings.Contains(err.Error(), broken.name) {
			t.Errorf("error %v, want one that names %s", err, broken.name)
		}
	}
}

// TestCases asks for the sizes that the speed of the kernels is promised at, and for names that are unique.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Cases() {
		if seen[c.String()] {
			t.Errorf("%v is there twice", c)
		}
		seen[c.String()] = true
		if c.Work() <= 0 {
			t.Errorf("%v moves %d bytes", c, c.Work())
		}
	}
	for _, name := range []string{"Dot/type=f32/n=784", "Axpy/type=f64/n=65536", "SquaredDistance/type=f32/n=1024",
		"Ger/type=f32/m=784/n=100", "GemvT/type=f64/m=4096/n=1000"} {
		if !seen[name] {
			t.Errorf("no case %s", name)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		x    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{4, 1}, 2.5}, {[]float64{9, 1, 5}, 5}, {[]float64{5, 1, 100, 2, 3}, 3},
		{[]float64{8, 2, 4, 6}, 5}} {
		before := slices.Clone(test.x)
		if got := median(test.x); got != test.want {
			t.Errorf("median(%v) = %v, want %v", test.x, got, test.want)
		}
		if !slices.Equal(test.x, before) {
			t.Errorf("median changed %v to %v", before, test.x)
		}
	}
	if got := median(nil); !math.IsNaN(got) {
		t.Errorf("median of nothing = %v, want NaN", got)
	}
}

// TestAlternate counts turns and calls; what a clock shows is not tested.
func TestAlternate(t *testing.T) {
	calls := [2]int{}
	runners := []runner{
		{"a", func(iters int) { calls[0] += iters; time.Sleep(batch) }},
		{"b", func(iters int) { calls[1] += iters; time.Sleep(batch) }},
	}
	opened := 0
	ns, err := alternate(func() ([]runner, error) { opened++; return runners, nil }, 3, time.Microsecond)
	if err != nil || opened != 3 {
		t.Errorf("error %v, %d trials opened, want 3", err, opened)
	}
	if len(ns) != 2 || len(ns[0]) != 3 || len(ns[1]) != 3 || calls[0] < 4 || calls[1] < 4 {
		t.Errorf("times %v, calls %v: want 3 rounds of 2 loops after calibration", ns, calls)
	}
	wrong := errors.New("wrong winner")
	if _, err := alternate(func() ([]runner, error) { return nil, wrong }, 3, time.Microsecond); err != wrong {
		t.Errorf("error %v, want %v", err, wrong)
	}
	if got := ratios([]float64{6, 8}, []float64{2, 16}); !slices.Equal(got, []float64{3, 0.5}) {
		t.Errorf("ratios %v, want [3 0.5]", got)
	}
}

func TestSetTier(t *testing.T) {
	defer cpu.Set(cpu.Level)
	if err := setTier("generic"); err != nil || cpu.Level != cpu.Generic {
		t.Errorf("generic: error %v, tier %v", err, cpu.Level)
	}
	if err := setTier("sse"); err == nil || !strings.Contains(err.Error(), "generic") {
		t.Errorf("sse: error %v, want one that names the tiers", err)
	}
}

// TestRun takes the command from the flags to the last line at the smallest window.
func TestRun(t *testing.T) {
	if err := run("^(dot/type=f32/n=4|squareddistance/type=f64/n=1024)$", "", 1, time.Microsecond, 0,
		false); err != nil {
		t.Error(err)
	}
	for _, bad := range []error{
		run("no such case", "", 1, time.Microsecond, 0, false),
		run("(", "", 1, time.Microsecond, 0, false),
		run("dot", "", 0, time.Microsecond, 0, false),
		run("dot", "sse", 1, time.Microsecond, 0, false),
	} {
		if bad == nil {
			t.Error("no error for a wrong argument")
		}
	}
}
