package dualgap_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestColumns: lines written by hand end at 120 columns, with tabs of 4 before them, but for raw strings, tables and
// addresses.
func TestColumns(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md" && path != ".ci/run":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		for _, n := range tooLong(string(text), filepath.Ext(path)) {
			t.Errorf("%s:%d: more than 120 columns", path, n)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		strings.Repeat("x", 120):                                       0,
		strings.Repeat("x", 121):                                       1,
		"\t" + strings.Repeat("x", 117):                                1,
		"a := `\n" + strings.Repeat("x", 121) + "\n`\n":                0,
		"// https://example.org/" + strings.Repeat("x", 121):           0,
		"// a `b`\n" + strings.Repeat("x", 121):                        1,
		"a := `b` + `c`\n" + strings.Repeat("x", 121) + "\nc := `d`\n": 1,
	} {
		if got := len(tooLong(text, ".go")); got != want {
			t.Errorf("%d lines too long, want %d, of %q", got, want, text)
		}
	}
}

// tooLong returns the numbers of the lines that are too long.
func tooLong(text, extension string) (lines []int) {
	raw := false // within a raw string of several lines
	for n, line := range strings.Split(text, "\n") {
		quotes := 0
		if extension == ".go" && (raw || !strings.HasPrefix(strings.TrimSpace(line), "//")) {
			quotes = strings.Count(line, "`")
		}
		switch {
		case utf8.RuneCountInString(line)+3*(len(line)-len(strings.TrimLeft(line, "\t"))) <= 120:
		case raw || quotes > 0 || strings.Contains(line, "http"):
		case extension == ".md" && strings.HasPrefix(strings.TrimSpace(line), "|"):
		default:
			lines = append(lines, n+1)
		}
		raw = raw != (quotes%2 == 1)
	}
	return lines
}
