package kernels

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// Whatever the clock, speeds are finite and positive, and there are speeds of every tier, of plain Go and of gonum.
func TestMeasure(t *testing.T) {
	before := cpu.Level
	done := map[string]bool{}
	for _, c := range cases.Measured() {
		if done[c.Name] {
			continue
		}
		done[c.Name] = true
		c.M, c.N, c.K = min(c.M, 3), 9, min(c.K, 2)
		lines, err := measure(c, "f64", 8, cases.Find[float64](c.Name), time.Microsecond)
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]int{}
		for _, l := range lines {
			found[l.Key("impl")]++
			if ns := l.Value(results.Seconds); !(ns > 0) || math.IsInf(l.Value("GB/s"), 0) || Of(l) != c {
				t.Errorf("%+v", l)
			}
			if flops := l.Value("GFLOP/s"); flops > 0 != (c.Flops() > 0) {
				t.Errorf("%+v", l)
			}
		}
		want := map[string]int{}
		for _, tier := range cpu.Tiers() {
			if tier <= cpu.Level {
				want[tier.String()] = rounds
			}
		}
		if cases.Find[float64](c.Name).PureGo {
			want = map[string]int{cpu.Level.String(): rounds}
		} else {
			want[Plain] = rounds
		}
		if cases.Find[float64](c.Name).Gonum != nil {
			want[Gonum] = rounds
		}
		for name, n := range want {
			if found[name] != n || len(found) != len(want) {
				t.Errorf("%v: %v, want %v", c, found, want)
			}
		}
	}
	if cpu.Level != before {
		t.Errorf("tier %v afterwards, was %v", cpu.Level, before)
	}
}

// Implementations that disagree are not timed.
func TestAgree(t *testing.T) {
	for want, f := range map[string]struct {
		cases.Case
		spoil func(p *cases.Operands[float32])
	}{
		"Dot 5, f32: gonum: result[0]": {cases.Case{Name: "Dot", N: 5},
			func(p *cases.Operands[float32]) { p.Out *= 2 }},
		"Dot 6, f32: gonum: result[0]": {cases.Case{Name: "Dot", N: 6},
			func(p *cases.Operands[float32]) { p.Out /= 0 }},
		"Exp 5, f32: gonum: y[0]": {cases.Case{Name: "Exp", N: 5},
			func(p *cases.Operands[float32]) { p.Y[0] *= 1 + 4*0x1p-23 }},
		"Mul 5, f32: gonum: z[4]": {cases.Case{Name: "Mul", N: 5},
			func(p *cases.Operands[float32]) { p.Z[4] = 0 }},
		"Gemm 5x4x3, f32: gonum: c[19]": {cases.Case{Name: "Gemm", M: 5, N: 4, K: 3},
			func(p *cases.Operands[float32]) { p.C.Data[19]++ }},
		"ArgSort 5, f32: gonum: positions": {cases.Case{Name: "ArgSort", N: 5},
			func(p *cases.Operands[float32]) { p.Idx[4] = 5 }},
	} {
		k := cases.Find[float32](f.Name)
		k.Gonum = func(p *cases.Operands[float32], iters int) { k.Ours(p, iters); f.spoil(p) }
		_, err := measure(f.Case, "f32", 4, k, time.Microsecond)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// The tier of a runner is in use while it runs, and not afterwards.
func TestRunnerTier(t *testing.T) {
	before := cpu.Level
	for _, tier := range cpu.Tiers() {
		r := runner[float64]{tier: tier, loop: func(*cases.Operands[float64], int) {
			if cpu.Level != tier {
				t.Errorf("tier %v, want %v", cpu.Level, tier)
			}
		}}
		if r.run(nil, 1); cpu.Level != before {
			t.Errorf("tier %v after %v, was %v", cpu.Level, tier, before)
		}
	}
}

func TestLevel(t *testing.T) {
	for bytes, want := range map[int]int{1: 0, 32 << 10: 0, 32<<10 + 1: 1, 3 << 20: 2, 65 << 20: 3} {
		if got := Level(bytes, [3]int{32 << 10, 0, 64 << 20}); got != want {
			t.Errorf("%d bytes are on level %d, want %d", bytes, got, want)
		}
	}
}

// A filter chooses by the name, and what done returns ends the run, as a context that is over does.
func TestFilter(t *testing.T) {
	var out results.Set
	err := Measure(context.Background(), regexp.MustCompile("^Dot/type=f64/n=16$"), true, progress.New(io.Discard),
		&out, func([]results.Line) error { return nil })
	if err != nil || len(out.Lines) == 0 {
		t.Fatal(err)
	}
	for _, l := range out.Lines {
		if Of(l) != (cases.Case{Name: "Dot", N: 16}) || l.Key("type") != "f64" {
			t.Errorf("measured %+v", l)
		}
	}
	full := errors.New("no space left")
	all := regexp.MustCompile("")
	if err := Measure(context.Background(), all, true, new(progress.Bar), &out,
		func([]results.Line) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	none := new(results.Set)
	if err := Measure(ctx, all, true, new(progress.Bar), none, nil); !errors.Is(err, context.Canceled) ||
		none.Lines != nil {
		t.Errorf("error %v after %v", err, none.Lines)
	}
	if err := Stream(ctx, [3]int{}, true, new(progress.Bar), none); !errors.Is(err, context.Canceled) ||
		none.Lines != nil {
		t.Errorf("error %v after %v", err, none.Lines)
	}
}

func TestStream(t *testing.T) {
	var out results.Set
	if err := Stream(context.Background(), [3]int{}, true, new(progress.Bar), &out); err != nil ||
		len(out.Where("Stream", "level", "L2")) != 3*rounds {
		t.Errorf("%v, %+v", err, out.Lines)
	}
	var b bytes.Buffer
	if err := out.Write(&b); err != nil ||
		!strings.Contains(b.String(), "BenchmarkStream/by=Sum/level=L1/bytes=16384/") {
		t.Errorf("%v, %s", err, b.String())
	}
}
