package page

import (
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/internal/page/pagetest"
)

func TestPrint(t *testing.T) {
	var b strings.Builder
	table := Table{Title: "Title", Note: strings.Repeat("word ", 30), Head: []string{"name", "a"},
		Rows: [][]string{{"×", "12.5"}, {"longer", ""}}}
	if err := table.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := "\nTitle\n\nname       a\n×       12.5\nlonger\n" + strings.TrimSpace(strings.Repeat("word ", 20)) + "\n" +
		strings.TrimSpace(strings.Repeat("word ", 10)) + "\n"
	if b.String() != want {
		t.Errorf("printed %q, want %q", b.String(), want)
	}
}

// What a report has is on the page, whatever its texts hold; long tables are folded.
func TestHTML(t *testing.T) {
	c := chart.Chart{Title: "<b>", Lines: []chart.Line{{Name: "a", X: []float64{1, 2}, Y: []float64{3, 4}}}}
	long := Table{Title: "many", Head: []string{"name", "n"}}
	for range 21 {
		long.Rows = append(long.Rows, []string{"row", "1"})
	}
	html, err := Page{Title: "A & B", About: "what <it> is", Sections: []Section{
		{ID: "one", Title: "One", Figures: []Figure{{Title: c.Title, SVG: c.SVG(), Caption: "to be seen"}},
			Text: "<pre>go run</pre>"},
		{ID: "two", Title: "Two", Tables: []Table{{Title: "facts", Head: []string{"", ""},
			Rows: [][]string{{"a", "b"}}}, long}},
	}}.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text, pictures := pagetest.Check(t, html)
	for _, want := range []string{"A & B", "what <it> is", "to be seen", "facts", "go run"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	if pictures != 1 || strings.Count(string(html), "<details>") != 1 ||
		strings.Count(string(html), `class="facts"`) != 1 {
		t.Errorf("%d pictures in %s", pictures, html)
	}
}
