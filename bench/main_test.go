package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dualgap/dualgap/asm/cpu"
)

// command runs the command and returns what it printed.
func command(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = run(context.Background(), args, &o, &e)
	return o.String(), e.String(), err
}

// line is what tests read of a JSON line.
type jsonLine struct {
	Kind, CPU, Tier, Name, Type, Status, Loss string
	NS, GBps                                  float64
	XGo                                       float64 `json:"x_go"`
	K                                         int
	Primal, Dual, Tol, Lambda                 float64
	RelativeGap                               float64 `json:"relative_gap"`
	Epochs, N, Tests                          int
	Accuracy, Chance                          []float64
	Against                                   []float64 `json:"against_k1"`
	Method                                    string
	C, Named, Right, Share                    float64
	Hamming                                   float64 `json:"hamming_loss"`
}

func parseLines(t *testing.T, s string) (lines []jsonLine) {
	t.Helper()
	for line := range strings.Lines(s) {
		var l jsonLine
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		lines = append(lines, l)
	}
	return lines
}

// long skips a test that trains many models or measures many kernels, which takes long on emulated CPUs.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short: trains many models or measures many kernels")
	}
}

func TestJSON(t *testing.T) {
	long(t)
	tier := cpu.Level
	stdout, stderr, err := command(t, "-quick", "-json", "-tol=0.01")
	if err != nil || stderr != "" {
		t.Fatalf("error %v, stderr %q", err, stderr)
	}
	if cpu.Level != tier {
		t.Errorf("tier %v afterwards, was %v", cpu.Level, tier)
	}
	count, first, wrong := map[string]int{}, map[string][]float64{}, map[string]float64{}
	var shares []float64
	for _, l := range parseLines(t, stdout) {
		count[l.Kind]++
		switch l.Kind {
		case "info":
			if l.CPU == "" || l.Tier != tier.String() {
				t.Errorf("%+v on tier %v", l, tier)
			}
		case "kernel":
			if !(l.NS > 0 && l.GBps > 0) {
				t.Errorf("no speed: %+v", l)
			}
			if twin := tier != cpu.Generic && l.Name != topKSimplex; (l.XGo > 0) != twin {
				t.Errorf("%v times as fast as pure Go: %+v", l.XGo, l)
			}
		case "train":
			checkModel(t, l)
			if l.K == 1 {
				first[l.Loss] = l.Accuracy
			}
			for j, v := range l.Against {
				if v != l.Accuracy[j]-first[l.Loss][j] {
					t.Errorf("top-%d against k = 1 is %v, not %v - %v", j+1, v, l.Accuracy[j], first[l.Loss][j])
				}
			}
		case "zeroshot":
			if !(l.Hamming > 0 && l.Hamming < .3 && l.Named > .5 && l.C > 0) {
				t.Errorf("%+v", l)
			}
			wrong[l.Method] = l.Hamming
		case "manykernels":
			if !(l.Right > .5 && l.Right < 1 && l.RelativeGap <= .01) {
				t.Errorf("%+v", l)
			}
			shares = append(shares, l.Share)
		default:
			t.Errorf("unknown kind: %+v", l)
		}
	}
	if wrong["M3L"] >= wrong["1-vs-all"] {
		t.Errorf("the prior does not help: %v", wrong)
	}
	if len(shares) != 3 || !(shares[0] > .4 && shares[0] < shares[1] && shares[1] < shares[2] && shares[2] <= 1) {
		t.Errorf("the kernels that tell something have shares of %v", shares)
	}
	o, err := parse([]string{"-quick"}, io.Discard)
	if err != nil || count["info"] != 1 || count["kernel"] != 2*len(o.cases) || count["train"] != 6 || count["zeroshot"] != 2 {
		t.Errorf("%v lines, want 1 info, %d kernel, 6 train, 2 zeroshot; %v", count, 2*len(o.cases), err)
	}
}

// checkModel holds a model trained on 300 images to what such a model must be.
func checkModel(t *testing.T, l jsonLine) {
	t.Helper()
	if l.Status != "converged" || !(l.Dual > 0 && l.Dual <= l.Primal && l.RelativeGap <= l.Tol) || l.Tol != 0.01 || l.Epochs < 1 {
		t.Errorf("not trained to the tolerance: %+v", l)
	}
	if l.N != 300 || l.Tests != 100 || l.Lambda != 1/(0.01*300) {
		t.Errorf("another problem: %+v", l)
	}
	if len(l.Accuracy) != tops || len(l.Chance) != tops || (l.Against != nil) != (l.K > 1) {
		t.Fatalf("accuracies are missing: %+v", l)
	}
	for j, a := range l.Accuracy {
		if want := float64(j+1) / 10; l.Chance[j] != want {
			t.Errorf("chance of top-%d is %v, want %v", j+1, l.Chance[j], want)
		}
		if a > 1 || a < l.Chance[j]+0.3 || j > 0 && a < l.Accuracy[j-1] {
			t.Errorf("top-%d accuracy %v: %+v", j+1, a, l)
		}
	}
}

func TestText(t *testing.T) {
	long(t)
	stdout, stderr, err := command(t, "-quick", "-tol=0.01", "-k=1,3")
	if err != nil || stderr != "" {
		t.Fatalf("error %v, stderr %q", err, stderr)
	}
	for _, want := range []string{
		`(?m)^tier `, `(?m)^Dot +16 +\d`, `(?m)^ +784x100 +\d`, `(?m)^TopKSimplex +10, k=3 `,
		`(?m)^chance.* 10\.0 +20\.0 +30\.0 +40\.0 +50\.0$`, `(?m)^top-k hinge +1 .*\d$`, `(?m)^top-k Usunier +3 .*\d$`, `(?m)^M3L +\d.*\d$`, `(?m)^ +against k = 1 .*[+-]\d+\.\d$`,
	} {
		if !regexp.MustCompile(want).MatchString(stdout) {
			t.Errorf("no line like %s in\n%s", want, stdout)
		}
	}
	for line := range strings.Lines(stdout) {
		if utf8.RuneCountInString(line) > 100+len("\n") && !strings.HasPrefix(line, "tier ") {
			t.Errorf("more than 100 columns: %s", line)
		}
	}
}

func TestOnly(t *testing.T) {
	long(t)
	for only, without := range map[string]string{"kernels": "train", "train": "kernel", "zeroshot": "train", "manykernels": "zeroshot"} {
		stdout, _, err := command(t, "-quick", "-json", "-tol=0.1", "-k=2", "-only="+only)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]int{}
		for _, l := range parseLines(t, stdout) {
			kinds[l.Kind]++
			if l.Against != nil {
				t.Errorf("compared with a k = 1 that was not trained: %+v", l)
			}
		}
		if len(kinds) != 2 || kinds["info"] != 1 || kinds[without] != 0 {
			t.Errorf("-only=%s printed %v", only, kinds)
		}
	}
}

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-tol 0", "-tol 0"},
		{"-tol -0.5", "-tol -0.5"},
		{"-tol NaN", "-tol NaN"},
		{"-tol +Inf", "-tol +Inf"},
		{"-tol x", `"x" for flag -tol`},
		{"-lambda 0", "-lambda 0"},
		{"-lambda -2", "-lambda -2"},
		{"-lambda NaN", "-lambda NaN"},
		{"-lambda Inf", "-lambda +Inf"},
		{"-k 0", `"0"`},
		{"-k 1,two", `"two"`},
		{"-k 1,,3", `""`},
		{"-k 3,10", "-k 10: want less than the number of classes, 10"},
		{"-seed -1", `"-1" for flag -seed`},
		{"-only both", `-only "both"`},
		{"-only= -json", `-only ""`},
		{"-data /no/such/folder", "/no/such/folder"},
		{"-quack", "-quack"},
		{"quick", `"quick"`},
	} {
		_, _, err := command(t, append([]string{"-quick"}, strings.Fields(c.args)...)...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %s", c.args, err, c.want)
		}
	}
}

// The word paper hands the other arguments to the papers' commands.
func TestPaper(t *testing.T) {
	if _, _, err := command(t, "paper", "nobody"); err == nil || !strings.Contains(err.Error(), `"nobody": want one of`) {
		t.Error(err)
	}
}

func TestHelp(t *testing.T) {
	stdout, stderr, err := command(t, "-h")
	if !errors.Is(err, flag.ErrHelp) || stdout != "" || !strings.Contains(stderr, "-lambda") {
		t.Errorf("stdout %q, stderr %q, error %v", stdout, stderr, err)
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, only := range []string{"kernels", "train", "zeroshot", "manykernels"} {
		var o bytes.Buffer
		err := run(ctx, []string{"-quick", "-json", "-only", only}, &o, io.Discard)
		if lines := parseLines(t, o.String()); !errors.Is(err, context.Canceled) || len(lines) != 1 {
			t.Errorf("-only %s: error %v after %+v", only, err, lines)
		}
	}
}

// full takes so many bytes and then no more.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

var errFull = errors.New("no space left")

func TestWriteErrors(t *testing.T) {
	for _, args := range [][]string{{"-quick", "-tol=0.1"}, {"-quick", "-json", "-tol=0.1"}, {"-quick", "-only=train", "-tol=0.1"}} {
		for _, room := range []int{0, 600} {
			if err := run(context.Background(), args, &full{room}, io.Discard); !errors.Is(err, errFull) {
				t.Errorf("%v into %d bytes: %v", args, room, err)
			}
		}
	}
}
