package view

import (
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/bench/internal/search"
	"github.com/dualgap/dualgap/internal/chart"
)

const searchTitle = "The nearest images, with a proof (pq, vec)"

// searchTable has a row for each kind of codes.
func searchTable(s *results.Set) (t Table, ok bool) {
	lines := s.Where(search.Base)
	if len(lines) == 0 {
		return t, false
	}
	t = Table{Title: "Searches", Head: []string{"codes", "bytes", "codes alone", "recall",
		fmt.Sprint(search.Compared, " compared"), "recall", "with a proof", "read"}}
	t.Note = fmt.Sprintf("%s images of %s pixels, %s queries one after the other, one thread; times of a query, the "+
		"least of three. Recall: %% of the %d nearest that are among those found. With a proof it is 100; read: %% of "+
		"the images that are compared for it.", lines[0].Key("n"), lines[0].Key("d"), lines[0].Key("queries"), search.K)
	for _, c := range search.All {
		of := func(way string, more ...any) results.Line {
			return least(s.Where(search.Base, append([]any{"code", c.Name, "bytes", c.Bytes, "way", way}, more...)...))
		}
		codes, compared, proof := of(search.Codes), of(search.Candidates, "number", search.Compared), of(search.Proof)
		if proof.Values == nil {
			continue
		}
		t.Rows = append(t.Rows, []string{c.Name, fmt.Sprint(c.Bytes), Duration(codes.Value(results.Seconds)),
			fmt.Sprintf("%.1f", codes.Value(search.Recall)), Duration(compared.Value(results.Seconds)),
			fmt.Sprintf("%.1f", compared.Value(search.Recall)), Duration(proof.Value(results.Seconds)),
			number(share(proof), 2)})
	}
	for _, way := range []string{search.Exact, search.AtOnce} {
		if found := s.Where(search.Base, "way", way); found != nil {
			l := least(found)
			t.Rows = append(t.Rows, []string{way, l.Key("bytes"), "", "", "", "", Duration(l.Value(results.Seconds)),
				"100"})
		}
	}
	return t, true
}

// share is the part of the originals that a query reads, in percent.
func share(l results.Line) float64 { return 100 * l.Value(search.Read) / float64(l.Int("n")) }

// SearchTable returns the table of searches; ok is false where none was measured.
func SearchTable(s *results.Set) (t Table, ok bool) {
	if t, ok = searchTable(s); ok {
		t.Title = searchTitle
	}
	return t, ok
}

// Search returns the section of searches; ok is false where none was measured.
func Search(s *results.Set) (sec Section, ok bool) {
	t, ok := searchTable(s)
	if !ok {
		return sec, false
	}
	sec = Section{ID: "search", Title: searchTitle, Tables: []Table{t},
		About: "The ten nearest of the images of clothing to others of them. An index keeps a code of each image, " +
			"and bounds that tell how far an image may be from what its code says: so it compares a few images only, " +
			"and proves that no other one is nearer."}
	sec.Figures = append(sec.Figures, recalls(s), reads(s))
	return sec, true
}

// recalls draws recall against the time of a query.
func recalls(s *results.Set) Figure {
	c := chart.Chart{Title: "Recall against time", X: "microseconds a query", Y: "recall at 10, %", LinearY: true}
	add := func(name string, dots bool, lines []results.Line) {
		line := chart.Line{Name: name, Dots: dots}
		for _, l := range lines {
			line.X, line.Y = append(line.X, 1e6*l.Value(results.Seconds)), append(line.Y, l.Value(search.Recall))
		}
		if line.X != nil {
			c.Lines = append(c.Lines, line)
		}
	}
	for _, code := range search.All {
		if code.Bytes == search.Shown {
			add(fmt.Sprintf("%s, %d bytes", code.Name, code.Bytes), false, s.Where(search.Base, "code", code.Name,
				"bytes", code.Bytes, "way", search.Candidates))
		}
	}
	pca := []any{"code", search.All[0].Name, "bytes", search.Shown, "way"}
	add("PCA, in lists", false, s.Where(search.Base, append(pca, search.Lists)...))
	add("PCA, proved", true, s.Where(search.Base, append(pca, search.Proof)...))
	add("all images", true, s.Where(search.Base, "way", search.Exact))
	return Figure{Title: c.Title, SVG: c.SVG(),
		Caption: "Along a line more images are compared, or more lists are visited. A proof finds all."}
}

// reads draws how many originals a proof reads against the bytes of a code.
func reads(s *results.Set) Figure {
	c := chart.Chart{Title: "Images read for a proof", X: "bytes of a code", Y: "% of the images"}
	for _, code := range search.All {
		at := len(c.Lines) - 1
		if at < 0 || c.Lines[at].Name != code.Name {
			c.Lines = append(c.Lines, chart.Line{Name: code.Name})
			at++
		}
		for _, l := range s.Where(search.Base, "code", code.Name, "bytes", code.Bytes, "way", search.Proof) {
			c.Lines[at].X, c.Lines[at].Y = append(c.Lines[at].X, float64(code.Bytes)), append(c.Lines[at].Y, share(l))
		}
	}
	return Figure{Title: c.Title, SVG: c.SVG(),
		Caption: "How many images are compared until it is proved that these ten are the nearest, mean of all queries."}
}
