package dualgap_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// vague are phrases that make a reader look back for the noun, the number or the subject: the text says it again.
var vague = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{"that" + " of", "those" + " of", "so" + " many",
	"calls?" + " for", "called" + " for"}, "|") + `)\b`)

// comment is what begins a line of a paragraph.
var comment = regexp.MustCompile(`(?m)^[\t ]*(//)?[\t ]*`)

// TestWords: no text written by hand has a vague phrase, be it across the end of a line.
func TestWords(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" && filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || generated.Match(text) {
			return err
		}
		for _, phrase := range vagueIn(string(text)) {
			t.Errorf("%s: %q: say the noun, the number or the subject", path, phrase)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"// W is that" + " of U.":                     1,
		"\t// numbers, those\n\t// of A and so\nmany": 2,
		"It calls" + " for\na step.":                  1,
		"that offers so\n\nmany":                      0,
		"// a step that\n//\n// of its own":           0,
		"shuffle calls Foreign":                       0,
	} {
		if got := vagueIn(text); len(got) != want {
			t.Errorf("%q of %q, want %d", got, text, want)
		}
	}
}

// vagueIn returns the vague phrases of the paragraphs of a text.
func vagueIn(text string) (phrases []string) {
	for _, paragraph := range strings.Split(comment.ReplaceAllString(text, ""), "\n\n") {
		phrases = append(phrases, vague.FindAllString(strings.ReplaceAll(paragraph, "\n", " "), -1)...)
	}
	return phrases
}
