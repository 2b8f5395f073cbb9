package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestScale: a small problem trains, tells of each epoch, and is drawn.
func TestScale(t *testing.T) {
	file := filepath.Join(t.TempDir(), "scale.svg")
	var out strings.Builder
	if err := run(context.Background(), strings.Fields("-n 300,600 -d 32 -classes 5 -epochs 3 -k 2 -draw "+file), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"n=300 d=32 classes=5 k=2", "n=600", "epoch 1:", "relative gap"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if svg, err := os.ReadFile(file); err != nil || !strings.Contains(string(svg), "<polyline") {
		t.Errorf("drew %q, %v", svg, err)
	}
}

func TestScaleErrors(t *testing.T) {
	for args, want := range map[string]string{"-d 30": "multiple of 16", "-n x": `"x" is not a positive number`, "-classes 1": "at least 2", "more": "no arguments"} {
		if err := run(context.Background(), strings.Fields(args), &strings.Builder{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", args, err, want)
		}
	}
}
