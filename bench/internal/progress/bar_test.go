package progress

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
)

func TestBar(t *testing.T) {
	var w bytes.Buffer
	b := newBar(&w)
	b.Clear()
	if w.Len() > 0 {
		t.Errorf("wiped %q before anything was shown", w.String())
	}
	for _, done := range []float64{math.NaN(), math.Inf(-1), -1, 0, 0.5, 1, 2, math.Inf(1)} {
		b.drawn = time.Time{}
		b.Show(done, "text, more")
	}
	if s := w.String(); !strings.Contains(s, "50% [############............]") || !strings.Contains(s, "text, more") ||
		strings.Contains(s, "\n") {
		t.Errorf("drew %q", s)
	}
	w.Reset()
	b.Clear()
	if s := w.String(); strings.Trim(s, "\r \x1b[2K") != "" {
		t.Errorf("cleared by %q", s)
	}
	w.Reset()
	for _, gap := range []solvers.Certificate{{Primal: 1, Dual: 1}, {Primal: 1, Dual: -1}, {Primal: math.NaN()}} {
		b.drawn = time.Time{}
		b.Training("top-k hinge", 1e-3)(solvers.Progress{Certificate: gap})
	}
	if strings.Count(w.String(), "top-k hinge, epoch 0") < 3 {
		t.Errorf("drew %q", w.String())
	}
}

// The gap is shown on a logarithmic scale: at 1e-2 of 1e-4 half is done.
func TestTraining(t *testing.T) {
	var w bytes.Buffer
	newBar(&w).Training("model", 1e-4)(solvers.Progress{Certificate: solvers.Certificate{Primal: 1, Dual: .99}})
	if !strings.Contains(w.String(), "50% ") && !strings.Contains(w.String(), "49% ") {
		t.Errorf("drew %q", w.String())
	}
}

func TestBarOff(t *testing.T) {
	var w bytes.Buffer
	for _, b := range []*Bar{New(&w), {}} {
		b.Show(0.5, "text")
		b.Clear()
	}
	if w.Len() > 0 {
		t.Errorf("wrote %q to what is no terminal", w.String())
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if isTerminal(f) {
		t.Error("a file is taken for a terminal")
	}
}
