package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSites: each token that has another is found where it stands, and a mutant differs from the file in it alone.
func TestSites(t *testing.T) {
	const source = `package p

import "fmt"

// a + b in a comment
func f(a, b int) (sum int) {
	for i := 0; i < b && a != 7; i++ {
		if sum += a - i; sum >= b {
			break
		}
	}
	fmt.Println("a + b", true)
	return sum
}
`
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := sites(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range found {
		got = append(got, s.old+" "+s.new)
		changed := string(s.apply([]byte(source)))
		if want := source[:s.offset] + s.new + source[s.offset+len(s.old):]; changed != want || changed == source {
			t.Errorf("%v: %s", s, changed)
		}
		if line := strings.Split(source, "\n")[s.line-1]; strings.TrimSpace(line) != s.text {
			t.Errorf("%v is not line %q", s, line)
		}
	}
	slices.Sort(got)
	want := []string{"!= ==", "&& ||", "++ --", "+= -=", "- +", "0 1", "7 8", "< <=", ">= >",
		"break continue", "true false"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestJudges: a package's own tests come first, then its importers', the nearest first, and of those as near the ones
// beside it in the tree; packages without tests are left out.
func TestJudges(t *testing.T) {
	tests := []string{"a_test.go"}
	all := map[string]*pkg{
		"m/a/b":   {ImportPath: "m/a/b", TestGoFiles: tests},
		"m/c":     {ImportPath: "m/c", Imports: []string{"m/a/b"}, TestGoFiles: tests},
		"m/a/d":   {ImportPath: "m/a/d", XTestImports: []string{"m/a/b"}, XTestGoFiles: tests},
		"m/a/e":   {ImportPath: "m/a/e", Imports: []string{"m/a/b"}},
		"m/a/f":   {ImportPath: "m/a/f", TestImports: []string{"m/a/e"}, TestGoFiles: tests},
		"m/other": {ImportPath: "m/other", TestGoFiles: tests},
	}
	var got []string
	for _, p := range judges(all, all["m/a/b"]) {
		got = append(got, p.ImportPath)
	}
	if want := []string{"m/a/b", "m/a/d", "m/c", "m/a/f"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
