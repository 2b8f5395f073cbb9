package dualgap_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFuzzNames: the name of no fuzz target begins another's in or below its directory: OSS-Fuzz, which looks for
// names, would leave it out.
func TestFuzzNames(t *testing.T) {
	type target struct{ dir, name string }
	var all []target
	pattern := regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)
	for _, root := range []string{"asm", "vec", "project", "pq", "dataset", "exchange", "solvers", "internal", "cmd"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range pattern.FindAllSubmatch(text, -1) {
				all = append(all, target{filepath.ToSlash(filepath.Dir(path)) + "/", string(m[1])})
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range all {
		for k, b := range all {
			if i != k && strings.HasPrefix(b.dir, a.dir) && strings.HasPrefix(b.name, a.name) {
				t.Errorf("%s%s begins as %s%s", b.dir, b.name, a.dir, a.name)
			}
		}
	}
	if len(all) < 80 {
		t.Errorf("%d targets, want 80 at least", len(all))
	}
}
