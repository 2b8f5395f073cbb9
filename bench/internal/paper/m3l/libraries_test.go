package m3l

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	bar "github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// TestLIBLINEAR: where it is installed, LIBLINEAR finds the weights of the same problem, label by label.
func TestLIBLINEAR(t *testing.T) {
	l := libraries[0]
	if _, err := exec.LookPath(l.program); err != nil {
		t.Skip(err)
	}
	p := random(60, 5, 2, rand.New(rand.NewPCG(8, 1)))
	for i := range 6 { // some labels that no weights get right
		p.sets[i] = [][]int{{0, 1}, nil}[i%2]
	}
	d, ctx := &set{labels: 2, gamma: 1}, context.Background()
	files, err := writeLabels(t.TempDir(), d, p)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v: %v", files, err)
	}
	ours, err := m3l.Problem[float64]{X: widen(p), Sets: p.sets}.Fit(ctx, m3l.Config{C: timedC, Labels: 2, Tol: 1e-9,
		Epochs: epochs})
	if err != nil {
		t.Fatal(err)
	}
	for k, file := range files {
		if _, err := l.run(ctx, d, file, "-e", "1e-8"); err != nil {
			t.Fatal(err)
		}
		text, err := os.Open(file + ".model")
		if err != nil {
			t.Fatal(err)
		}
		m, labels, err := linear.ReadLIBLINEAR[float64](text)
		text.Close()
		if err != nil {
			t.Fatal(err)
		}
		w, column := m.Weights(), 0
		if w.Cols == 2 && labels[1] == 1 {
			column = 1
		}
		sign := 1.
		if w.Cols == 1 && labels[0] == -1 {
			sign = -1
		}
		for j := range w.Rows {
			got, want := sign*w.Row(j)[column], ours.Linear.Weights().Row(j)[k]
			if math.Abs(got-want) > 1e-3 {
				t.Errorf("label %d, weight %d: %v, want %v", k, j, got, want)
			}
		}
	}
}

// widen returns the examples of p in float64.
func widen(p part) *dataset.Dense[float64] {
	from := p.x.(*dataset.Dense[float32])
	x := vec.NewMatrix[float64](from.Rows, from.Cols)
	for i := range x.Rows {
		for j, v := range from.Row(i) {
			x.Row(i)[j] = float64(v)
		}
	}
	return &dataset.Dense[float64]{Matrix: x}
}

// TestRivals: each program runs twice a label that some examples have and some have not, to train and to read alone; a
// program that is not there has a mark in the place of its time, and an interrupt ends all.
func TestRivals(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	log := filepath.Join(dir, "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >> %s\n", log)
	if err := os.WriteFile(filepath.Join(dir, "svm-train"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	p := random(12, 3, 3, rand.New(rand.NewPCG(9, 1)))
	c, d := &command{Report: &report.Report{Bar: new(bar.Bar)}}, &set{name: "Few", labels: 5, gamma: .25}
	for i := range p.sets { // no example has label 3, all have label 4
		p.sets[i] = append(p.sets[i], 4)
	}
	cells, seconds, err := c.rivals(context.Background(), d, p)
	if err != nil || len(cells) != 3 || len(seconds) != 3 || seconds[0] != 0 {
		t.Fatalf("%v, %v: %v", cells, seconds, err)
	}
	if names := absent(); len(names) != 1 || names[0] != "liblinear-train" {
		t.Errorf("absent: %v", names)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2*(3+3) {
		t.Fatalf("%d runs:\n%s", len(lines), text)
	}
	for k, line := range lines {
		want := []string{"-q -t 0 -c 2 -m 1024 ", "-q -t 2 -g 0.25 -c 2 -m 1024 "}[k/6] + []string{"/", "-e 1e9 /"}[k%2]
		if name := fmt.Sprintf("/%d.svm ", k/2%3); !strings.HasPrefix(line, want) || !strings.Contains(line, name) {
			t.Errorf("run %d: %s, want %s...%s", k, line, want, name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := c.rivals(ctx, d, p); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, _, err := c.rivals(context.Background(), &set{labels: 1}, part{x: p.x, sets: make([][]int, 12)}); err == nil {
		t.Error("trained without a label")
	}
}
