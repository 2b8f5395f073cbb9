package dataset

import (
	"fmt"
	"strings"
	"testing"
)

// about is what a reader made of the columns.
func about(d *Labeled[*Dense[float64]]) string {
	s := fmt.Sprintf("%q %v %v;", d.FeatureNames, d.X.Data, d.Classes)
	if d.CSV.Label > 0 {
		s += strings.TrimRight(fmt.Sprintf(" %d %s", d.CSV.Label, d.CSV.LabelName), " ")
	}
	if d.CSV.Index {
		s += " index"
	}
	if d.CSV.Extra != nil {
		s += fmt.Sprintf(" without %q", d.CSV.Extra)
	}
	if d.CSV.Guessed {
		s += " guessed"
	}
	return s
}

// TestCSVGuessedHeader: a first line of numbers is a header where its label occurs nowhere else and more speaks for it.
func TestCSVGuessedHeader(t *testing.T) {
	for _, c := range []struct {
		text string
		o    CSVOptions
		want string
	}{
		// What pandas writes of an array.
		{"0,1,target\n5,3,0\n6,4,1\n", CSVOptions{}, `["0" "1"] [5 3 6 4] [0 1]; 3 target guessed`},
		{"0,1,target\n5,3,a\n6,4,b\n", CSVOptions{}, `["0" "1"] [5 3 6 4] [a b]; 3 target guessed`},
		{"0,1,2\n5,3,0\n6,4,1\n6,4,1\n", CSVOptions{}, `["0" "1"] [5 3 6 4 6 4] [0 1]; 3 2 guessed`},
		{"y,0,1\n1,5,3\n0,6,4\n", CSVOptions{Label: 1}, `["0" "1"] [5 3 6 4] [0 1]; 1 y guessed`},
		{"990,1990,1991,kind\n5,3,0,a\n6,4,0,b\n6,4,0,b\n5,3,0,a\n", CSVOptions{},
			`["990" "1990" "1991"] [5 3 0 6 4 0 6 4 0 5 3 0] [a b]; 4 kind guessed`},
		{".5,1.5,kind\n5,3,1\n", CSVOptions{}, `[".5" "1.5"] [5 3] [1]; 3 kind guessed`},
		{"0,1,target\n5,3,0\n6,4,1\n", CSVOptions{MaxRows: 1}, `[] [0 1] [target]; 3`},
		{"0,1,target\n5,3,0\n6,4,1\nx", CSVOptions{MaxRows: 2}, `["0" "1"] [5 3 6 4] [0 1]; 3 target guessed`},
		{"0,1,target\n5,3,0\n6,4,1\n", CSVOptions{Classes: []string{"0", "1"}},
			`["0" "1"] [5 3 6 4] [0 1]; 3 target guessed`},
		{"0,1,target\n5,3,0\n6,4,1\n6,4,7\n", CSVOptions{Classes: []string{"0", "1"}, DropUnseen: true},
			`["0" "1"] [5 3 6 4] [0 1]; 3 target guessed`},
		// Examples all the same.
		{"0,1,target\n5,3,0\n6,4,1\n", CSVOptions{Header: HeaderAbsent}, `[] [0 1 5 3 6 4] [target 0 1]; 3`},
		{"0,1,target\n5,3,0\n6,4,target\n", CSVOptions{}, `[] [0 1 5 3 6 4] [target 0]; 3`},
		{"0,1,2\n5,3,0\n6,4,2.0\n", CSVOptions{}, `[] [0 1 5 3 6 4] [0 2]; 3`},
		{"0,2,3\n5,3,0\n6,4,1\n6,4,1\n5,3,0\n", CSVOptions{}, `[] [0 2 5 3 6 4 6 4 5 3] [0 1 3]; 3`},
		{"1,2,a\n3,4,b\n", CSVOptions{}, `[] [1 2 3 4] [a b]; 3`},
		{"1,.5,a\n3,4,b\n3,4,b\n", CSVOptions{}, `[] [1 0.5 3 4 3 4] [a b]; 3`},
		{"3,2,1,a\n3,4,5,b\n3,4,5,b\n", CSVOptions{}, `[] [3 2 1 3 4 5 3 4 5] [a b]; 4`},
		{"1,2,3,a\n3,4,5,b\n", CSVOptions{}, `[] [1 2 3 3 4 5] [a b]; 4`},
		{"1,2,a\n3,4,b\n3,4,b\n", CSVOptions{}, `[] [1 2 3 4 3 4] [a b]; 3`},
		{"0,a\n3,b\n4,b\n", CSVOptions{}, `[] [0 3 4] [a b]; 2`},
		{"g,0,1,y\nv,5,3,0\nw,6,4,1\ng,6,4,1\n", CSVOptions{Group: 1}, `["0" "1"] [5 3 6 4 6 4] [0 1]; 3 y guessed`},
		{"1,1,a\n3,4,b\n3,4,b\n", CSVOptions{}, `[] [1 1 3 4 3 4] [a b]; 3`},
		{"1,1,a\n3,4,1\n", CSVOptions{}, `[] [1 1 3 4] [a 1]; 3`},
		{"0,1,target\n", CSVOptions{}, `[] [0 1] [target]; 3`},
		{"0,1,a\n5,3,b\n6,4,b\n", CSVOptions{Classes: []string{"a", "b"}}, `[] [0 1 5 3 6 4] [a b]; 3`},
		{"0,1,a\n5,3,b\n6,4,a\n", CSVOptions{Classes: []string{"b", "c"}, DropUnseen: true}, `[] [5 3] [b c]; 3`},
		{"0,1\n5,3\n", CSVOptions{NoLabel: true}, `[] [0 1 5 3] [];`},
	} {
		d, err := ReadCSV[float64](strings.NewReader(c.text), "f", c.o)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := about(d); got != c.want || d.X.Validate() != nil {
			t.Errorf("%q:\n%s, want\n%s", c.text, got, c.want)
		}
	}
	_, err := ReadCSV[float64](strings.NewReader("2,1,a\n5,3,b\n6,4,c\n"), "f", CSVOptions{Classes: []string{"b", "c"}})
	checkPlace(t, err, "f:1:5", `"a"`, `["b" "c"]`)
	grouped := "g,0,1,y\nv,5,3,0\ng,6,4,1\nv,6,4,1\n"
	if d, err := ReadCSV[float64](strings.NewReader(grouped), "f", CSVOptions{Group: 1, MaxRows: 3}); err != nil ||
		fmt.Sprint(d.Groups) != "[0 1 0]" || d.X.Rows != 3 {
		t.Errorf("%v, %v", d, err)
	}
	d, err := ReadCSV[float64](strings.NewReader("2,1,a\n5,3,b\n6,4,c\n"), "f", CSVOptions{Classes: []string{"b", "c"},
		DropUnseen: true})
	if err != nil || d.DroppedRows != 1 || len(d.Y) != 2 {
		t.Errorf("%v, %v", d, err)
	}
}

// TestCSVIndex: a first column without a name that numbers the examples is no feature.
func TestCSVIndex(t *testing.T) {
	for _, c := range []struct {
		text string
		o    CSVOptions
		want string
	}{
		{",u,v,y\n0,5,3,0\n1,6,4,1\n", CSVOptions{}, `["u" "v"] [5 3 6 4] [0 1]; 3 y index`},
		{"Unnamed: 0,u,v,y\n7,5,3,0\n2,6,4,1\n", CSVOptions{}, `["u" "v"] [5 3 6 4] [0 1]; 3 y index`},
		{",0,1,y\n0,5,3,0\n1,6,4,1\n", CSVOptions{}, `["0" "1"] [5 3 6 4] [0 1]; 3 y index`},
		{"Unnamed: 0,0.5,1.5,y\n0,5,3,0\n1,6,4,1\n", CSVOptions{}, `["0.5" "1.5"] [5 3 6 4] [0 1]; 3 y index`},
		// what R writes
		{"\"\",\"u\",\"y\"\n\"1\",5,\"a\"\n\"2\",6,\"b\"\n", CSVOptions{}, `["u"] [5 6] [a b]; 2 y index`},
		{",y,u,v\n0,a,5,3\n1,b,6,4\n", CSVOptions{Label: 2}, `["u" "v"] [5 3 6 4] [a b]; 1 y index`},
		{",u,v\n0,5,3\n1,6,4\n", CSVOptions{NoLabel: true}, `["u" "v"] [5 3 6 4] []; index`},
		{",u,v,y\n0,5,3,0\n1,6,4,1\n", CSVOptions{Cols: 2}, `["u" "v"] [5 3 6 4] [0 1]; 3 y index`},
		{",u,v\n0,5,3\n1,6,4\n", CSVOptions{Cols: 2}, `["u" "v"] [5 3 6 4] []; index`},
		{",y,u,v\n0,1,5,3\n1,0,6,4\n", CSVOptions{Cols: 2, Label: 1, LabelOptional: true},
			`["u" "v"] [5 3 6 4] [0 1]; 1 y index`},
		// Features all the same.
		{",v,y\n1,3,0\n1,4,1\n", CSVOptions{}, `["" "v"] [1 3 1 4] [0 1]; 3 y`},
		{",v,y\n1,3,0\n2,4,1\n1,5,1\n", CSVOptions{}, `["" "v"] [1 3 2 4 1 5] [0 1]; 3 y`},
		{",v,y\n0,3,0\n1.5,4,1\n", CSVOptions{}, `["" "v"] [0 3 1.5 4] [0 1]; 3 y`},
		{",v,y\n0,3,0\n-1,4,1\n", CSVOptions{}, `["" "v"] [0 3 -1 4] [0 1]; 3 y`},
		{"id,v,y\n0,3,0\n1,4,1\n", CSVOptions{}, `["id" "v"] [0 3 1 4] [0 1]; 3 y`},
		{",y\n0,0\n1,1\n", CSVOptions{}, `[""] [0 1] [0 1]; 2 y`},
		{",u,v\n0,5,3\n1,6,4\n", CSVOptions{Label: 1}, `["u" "v"] [5 3 6 4] [0 1]; 1`},
	} {
		d, err := ReadCSV[float64](strings.NewReader(c.text), "f", c.o)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		} else if got := about(d); got != c.want || d.X.Validate() != nil {
			t.Errorf("%q:\n%s, want\n%s", c.text, got, c.want)
		}
	}
	for text, c := range map[string]struct {
		o     CSVOptions
		place string
		part  string
	}{
		",3.5,1.4,a\n4.9,3,1.4,a\n":   {CSVOptions{}, "f:1:1", "a number in column 1"}, // a value is missing
		",u,v,y\n0,1,2,a\nx,3,4,b\n":  {CSVOptions{Cols: 2}, "f:3:1", "numbers the examples"},
		",u,v,y\n.5,1,2,a\n1,3,4,b\n": {CSVOptions{Cols: 2}, "f:2:1", "numbers the examples"},
		",u,v,y\n1,1,2,a\n1,3,4,b\n":  {CSVOptions{Cols: 2}, "f:1:1", "same number twice"},
		",u,y\nMazda,1,a\n":           {CSVOptions{}, "f:2:1", `a number in column 1, ""`},
	} {
		_, err := ReadCSV[float64](strings.NewReader(text), "f", c.o)
		checkPlace(t, err, c.place, c.part)
	}
}
