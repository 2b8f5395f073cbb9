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
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// Whatever the clock, speeds are finite and positive, and there are those of every tier, of plain Go and of gonum.
func TestMeasure(t *testing.T) {
	before := cpu.Level
	done := map[string]bool{}
	for _, c := range Cases() {
		if done[c.Name] {
			continue
		}
		done[c.Name] = true
		c.M, c.N, c.K = min(c.M, 3), 9, min(c.K, 2)
		lines, err := measure(c, "f64", 8, gonum64, time.Microsecond)
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
		if c.Name == topKSimplex {
			want = map[string]int{cpu.Level.String(): rounds}
		} else {
			want[Plain] = rounds
		}
		if gonum64[c.Name] != nil {
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
		Case
		spoil func(p *operands[float32])
	}{
		"Dot 5, f32: result[0]":  {Case{Name: "Dot", N: 5}, func(p *operands[float32]) { p.out *= 2 }},
		"Exp 5, f32: y[0]":       {Case{Name: "Exp", N: 5}, func(p *operands[float32]) { p.y[0] *= 1 + 4*0x1p-23 }},
		"Gemm 5x4x3, f32: c[14]": {Case{"Gemm", 5, 4, 3}, func(p *operands[float32]) { p.c.Data[14]++ }},
	} {
		right := ours[float32]()[f.Name]
		wrong := func(p *operands[float32], iters int) { right(p, iters); f.spoil(p) }
		_, err := measure(f.Case, "f32", 4, map[string]loop[float32]{f.Name: wrong}, time.Microsecond)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "gonum") {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// GB/s count every operand once when it is read and once when it is written.
func TestBytes(t *testing.T) {
	for _, c := range Cases() {
		if c.slow() {
			continue
		}
		p := newOperands[float64](c)
		x, y, a, b := len(p.x), len(p.y), len(p.a.Data), len(p.b.Data)+len(p.c.Data)
		want, touched := x+y+a+b, x+y+a+b
		switch c.Name {
		case "SquaredNorm", "Sum", "AbsSum":
			want, touched = x, x
		case "Scale":
			want, touched = 2*x, x
		case "Axpy":
			want = x + 2*y
		case "Sort":
			want = x + 3*y
		case "Ger":
			want = x + y + 2*a
		}
		if got := c.Bytes(8); got != 8*want {
			t.Errorf("%s %v: %d bytes, want %d", c.Name, c, got, 8*want)
		}
		if got := c.Footprint(8); got != 8*touched {
			t.Errorf("%s %v: touches %d bytes, want %d", c.Name, c, got, 8*touched)
		}
	}
}

// The tier of a runner is in use while it runs, and not afterwards.
func TestRunnerTier(t *testing.T) {
	before := cpu.Level
	for _, tier := range cpu.Tiers() {
		r := runner[float64]{tier: tier, loop: func(*operands[float64], int) {
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
	err := Measure(context.Background(), regexp.MustCompile("^Dot/type=f64/n=16$"), true, progress.New(io.Discard), &out, func([]results.Line) error { return nil })
	if err != nil || len(out.Lines) == 0 {
		t.Fatal(err)
	}
	for _, l := range out.Lines {
		if Of(l) != (Case{Name: "Dot", N: 16}) || l.Key("type") != "f64" {
			t.Errorf("measured %+v", l)
		}
	}
	full := errors.New("no space left")
	all := regexp.MustCompile("")
	if err := Measure(context.Background(), all, true, new(progress.Bar), &out, func([]results.Line) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	none := new(results.Set)
	if err := Measure(ctx, all, true, new(progress.Bar), none, nil); !errors.Is(err, context.Canceled) || none.Lines != nil {
		t.Errorf("error %v after %v", err, none.Lines)
	}
	if err := Stream(ctx, [3]int{}, true, new(progress.Bar), none); !errors.Is(err, context.Canceled) || none.Lines != nil {
		t.Errorf("error %v after %v", err, none.Lines)
	}
}

func TestStream(t *testing.T) {
	var out results.Set
	if err := Stream(context.Background(), [3]int{}, true, new(progress.Bar), &out); err != nil || len(out.Where("Stream", "level", "L2")) != 3*rounds {
		t.Errorf("%v, %+v", err, out.Lines)
	}
	var b bytes.Buffer
	if err := out.Write(&b); err != nil || !strings.Contains(b.String(), "BenchmarkStream/by=Sum/level=L1/bytes=16384/") {
		t.Errorf("%v, %s", err, b.String())
	}
}
