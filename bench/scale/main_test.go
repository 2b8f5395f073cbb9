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
	if err := run(context.Background(), strings.Fields("topk -n 300,600 -d 32 -classes 5 -epochs 3 -k 2 -draw "+file),
		&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"n=300 d=32 classes=5 k=2", "n=600", "epoch 1:", "relative gap"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if svg, err := os.ReadFile(file); err != nil || !strings.Contains(string(svg), "<path") {
		t.Errorf("drew %q, %v", svg, err)
	}
}

func TestScaleErrors(t *testing.T) {
	for args, want := range map[string]string{
		"":                      "want topk or m3l",
		"ranking":               "want topk or m3l",
		"topk -d 30":            "multiple of 16",
		"topk -n x":             `"x" is not a positive number`,
		"topk -n 100,0":         `"0" is not a positive number`,
		"topk -classes 1":       "at least 2",
		"topk more":             "no arguments",
		"m3l -d 1":              "-d at least 2",
		"m3l -labels 0":         "-labels at least 1",
		"m3l -noise NaN":        "-noise at least 0",
		"m3l -n 10 -tol -1":     "Tol = -1",
		"m3l -n 10 -c -1":       "C = -1",
		"m3l -n 10 -workers -2": "Workers = -2",
	} {
		if err := run(context.Background(), strings.Fields(args), &strings.Builder{}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", args, err, want)
		}
	}
}
