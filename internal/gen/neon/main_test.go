package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// TestCommitted: the files in the repository are what the generator writes.
// Run it with -count=1: the cache of go test does not watch files outside this module.
func TestCommitted(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range sources {
		for name, want := range s.files() {
			path := filepath.Join("..", root, name)
			seen[path] = true
			if got, err := os.ReadFile(path); err != nil {
				t.Error(err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes: run go generate", name)
			}
		}
	}
	files, err := filepath.Glob(filepath.Join("..", root, "asm/*/*_arm64.s"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if !seen[path] {
			t.Errorf("no generator writes %s", path)
		}
	}
}

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		sig    string
		offset map[string]int
		bytes  int
	}{
		{"(x, y *float32, n int) float32", map[string]int{"x": 0, "y": 8, "n": 16, "ret": 24}, 28},
		{"(x *float64, n int) float64", map[string]int{"x": 0, "n": 8, "ret": 16}, 24},
		{"(alpha float32, x *float32, n int)", map[string]int{"alpha": 0, "x": 8, "n": 16}, 24},
		{"(n int, alpha, beta float32) float32", map[string]int{"n": 0, "alpha": 8, "beta": 12, "ret": 16}, 20},
		{"(n int, limit uint32, x *float32) uint32", map[string]int{"n": 0, "limit": 8, "x": 16, "ret": 24}, 28},
		{"(x *float32, n int, t float32) (sum float32, count int)", map[string]int{"x": 0, "n": 8, "t": 16, "sum": 24,
			"count": 32}, 40},
		{"(x *int32, n int, pivot int32) int32", map[string]int{"x": 0, "n": 8, "pivot": 16, "ret": 24}, 28},
		{"(n int, alpha float32)", map[string]int{"n": 0, "alpha": 8}, 12},
	} {
		offset, bytes := layout(c.sig)
		if !maps.Equal(offset, c.offset) || bytes != c.bytes {
			t.Errorf("%s: %v, %d bytes, want %v, %d", c.sig, offset, bytes, c.offset, c.bytes)
		}
	}
}
