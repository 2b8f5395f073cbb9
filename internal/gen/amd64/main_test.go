package main

import (
	"path/filepath"
	"testing"
)

// TestEveryFile: each committed assembly file has its source in the list, so that none can go stale, and each source
// its file.
func TestEveryFile(t *testing.T) {
	files, err := filepath.Glob("../../../asm/*/*_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, s := range sources {
		listed[filepath.Join("../../../asm", s.family, s.name+"_amd64.s")]++
	}
	for _, f := range files {
		if listed[f] == 0 {
			t.Errorf("%s: no source in the list writes it", f)
		}
		delete(listed, f)
	}
	for f := range listed {
		t.Errorf("%s: a source writes it, but it is not there", f)
	}
}
