package report

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/chart"
)

func TestCell(t *testing.T) {
	c := Mean([]float64{1, 2, 6}).Beside(2.5)
	if c.Mean() != 3 || c.Spread() != math.Sqrt(7) || c.Difference() != .5 {
		t.Errorf("mean %v, spread %v, difference %v", c.Mean(), c.Spread(), c.Difference())
	}
	for _, v := range []struct {
		c    Cell
		json string
		text [3]string
	}{
		{Cell{}, `{}`, [3]string{}},
		{Missing(), `{}`, [3]string{"-", "", ""}},
		{Missing().Beside(1), `{"paper":1}`, [3]string{"-", "1.00", ""}},
		{Number(2), `{"value":2}`, [3]string{"2.00", "", ""}},
		{Number(math.NaN()), `{}`, [3]string{"NaN", "", ""}},
		{Number(2).Beside(1), `{"difference":1,"paper":1,"value":2}`, [3]string{"2.00", "1.00", "+1.00"}},
		{Cell{}.Beside(1), `{"paper":1}`, [3]string{"", "1.00", ""}},
		{Mean([]float64{1, 3}), `{"draws":[1,3],"spread":1.4142135623730951,"value":2}`,
			[3]string{"2.00 ±1.41", "", ""}},
	} {
		got, err := json.Marshal(v.c)
		if err != nil || string(got) != v.json {
			t.Errorf("%s, %v, want %s", got, err, v.json)
		}
		if a, b, c := v.c.text(2); [3]string{a, b, c} != v.text {
			t.Errorf("%q %q %q, want %q", a, b, c, v.text)
		}
	}
}

func TestTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	var text strings.Builder
	r, err := New(&text, io.Discard, dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Begin(Table{Name: "t", Title: "Title", Rows: "method",
		Columns: []Column{{Name: "loss", Digits: 1, Spread: true}, {Name: "seconds"}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(table.Row("a", Mean([]float64{1, 2}).Beside(2)), table.Row("b", Number(1), Number(7)),
		table.End("a note")); err != nil {
		t.Fatal(err)
	}
	want := `
Title

method                                loss   seconds
a                                 1.5 ±0.7
  the paper                            2.0
  difference                          -0.5
b                                      1.0         7
a note
`
	if text.String() != want {
		t.Errorf("printed\n%s, want\n%s", text.String(), want)
	}
	var file struct {
		Columns []string
		Rows    []struct {
			Name  string
			Cells []struct{ Value, Paper float64 }
		}
		Notes []string
	}
	content, err := os.ReadFile(filepath.Join(dir, "t.json"))
	if err == nil {
		err = json.Unmarshal(content, &file)
	}
	if err != nil || len(file.Columns) != 2 || len(file.Rows) != 2 || file.Rows[0].Cells[0].Value != 1.5 ||
		file.Rows[1].Cells[1].Value != 7 || file.Notes[0] != "a note" {
		t.Errorf("%v, %+v", err, file)
	}
}

func TestFigure(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	r, err := New(&text, io.Discard, dir)
	if err != nil {
		t.Fatal(err)
	}
	y := make([]float64, 100)
	for i := range y {
		y[i] = float64(i)
	}
	if err := r.Figure("f", chart.Chart{Title: "Title", X: "n", Y: "s",
		Lines: []chart.Line{{Name: "a", X: y, Y: y}}}); err != nil {
		t.Fatal(err)
	}
	if s := text.String(); !strings.Contains(s, "Title: s against n") || strings.Count(s, ": ") != printedPoints+1 ||
		!strings.Contains(s, "  99: 99\n") {
		t.Errorf("printed %q", s)
	}
	var file struct{ Lines []struct{ X, Y []float64 } }
	content, err := os.ReadFile(filepath.Join(dir, "f.json"))
	if err == nil {
		err = json.Unmarshal(content, &file)
	}
	if err != nil || len(file.Lines) != 1 || len(file.Lines[0].Y) != 100 {
		t.Errorf("%v, %+v", err, file)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "f.svg")); err != nil || !strings.Contains(string(svg), "<path") {
		t.Errorf("drew %q, %v", svg, err)
	}
}

func TestFlags(t *testing.T) {
	t.Setenv("DUALGAP_DATA", "")
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"want -data": {}, "file: no such folder": {"-data", file}, "-out": {"-data", dir, "-out", file},
		"-quack": {"-quack"},
	} {
		if _, err := NewFlags("name", "files", "about").Begin(args, io.Discard, io.Discard); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, want %q", args, err, want)
		}
	}
	var help strings.Builder
	_, err := NewFlags("name", "files", "About it.").Begin([]string{"-h"}, io.Discard, &help)
	if !errors.Is(err, flag.ErrHelp) || !strings.Contains(help.String(), "About it.") ||
		!strings.Contains(help.String(), "-out") {
		t.Errorf("%v, %q", err, help.String())
	}
	if _, err := Folder(dir).Path("file", "a", "b"); err == nil || !strings.Contains(err.Error(), "lacks a, b") {
		t.Errorf("%v", err)
	}
}

func TestPositive(t *testing.T) {
	if cs, err := Positive("c", "1, 0.1"); err != nil || len(cs) != 2 || cs[0] != 0.1 {
		t.Errorf("%v, %v", cs, err)
	}
	for _, list := range []string{"", "0", "-1", "x", "NaN", "Inf", "1,,2"} {
		if _, err := Positive("c", list); err == nil {
			t.Errorf("%q is taken for positive numbers", list)
		}
	}
}
