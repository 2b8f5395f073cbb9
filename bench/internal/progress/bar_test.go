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
	b := &Bar{w: &w, on: true}
	for _, done := range []float64{math.NaN(), math.Inf(-1), -1, 0, 0.5, 1, 2, math.Inf(1)} {
		b.drawn = time.Time{}
		b.Show(done, "text")
	}
	if s := w.String(); strings.Count(s, "\r") != 8 || !strings.Contains(s, "[############............] text") || strings.Contains(s, "\n") {
		t.Errorf("drew %q", s)
	}
	w.Reset()
	b.Clear()
	b.Clear()
	if s := w.String(); s != "\r"+strings.Repeat(" ", len("[########################] text"))+"\r" {
		t.Errorf("cleared by %q", s)
	}
	w.Reset()
	for _, gap := range []solvers.Certificate{{Primal: 1, Dual: 1}, {Primal: 1, Dual: -1}, {Primal: math.NaN()}} {
		b.drawn = time.Time{}
		b.Training("top-k hinge", 1e-3)(solvers.Progress{Certificate: gap})
	}
	if strings.Count(w.String(), "top-k hinge  epoch 0") != 3 {
		t.Errorf("drew %q", w.String())
	}
}

func TestBarOff(t *testing.T) {
	var w bytes.Buffer
	b := New(&w)
	b.Show(0.5, "text")
	b.Clear()
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
