package dataset

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func readLIBSVM(t *testing.T, text string, o LIBSVMOptions) *Labeled[*CSR[float64]] {
	t.Helper()
	d, err := ReadLIBSVM[float64](slowly(text), "f", o)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.X.Validate(); err != nil {
		t.Fatal(err)
	}
	return d
}

// One wrong index must not take all memory, neither here nor in a solver. Real sparse sets have their features.
func TestLIBSVMImplausibleIndex(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          LIBSVMOptions
		place      string
		parts      []string
	}{
		{"the largest", "1 2147483647:1", LIBSVMOptions{}, "f:1:3",
			[]string{"index 2147483647,", "at most 33554432 with 1 nonzeros", "option Cols"}},
		{"an identifier", "1 1:1\n2 3:4 1099511627:2 # id\n1 2:5\n", LIBSVMOptions{}, "f:2:7",
			[]string{"index 1099511627,", "with 4 nonzeros"}},
		{"just above", "1 33554433:1", LIBSVMOptions{}, "f:1:3", []string{"index 33554433,"}},
		{"just above from 0", "1 1:1 33554432:1", LIBSVMOptions{ZeroBased: true}, "f:1:7",
			[]string{"index 33554432,", "at most 33554431"}},
		{"a zero makes a column", "1 1:1 2000000000:0", LIBSVMOptions{}, "f:1:7",
			[]string{"index 2000000000,", "with 1 nonzeros"}},
	} {
		_, err := ReadLIBSVM[float32](strings.NewReader(c.text), "f", c.o)
		if checkPlace(t, err, c.place, c.parts...); t.Failed() {
			t.Fatal(c.name)
		}
	}
	for _, c := range []struct {
		name          string
		rows, perRow  int
		largest, cols int // the option Cols
	}{
		{"shape of RCV1", 6000, 20, 47236, 0},
		{"shape of news20", 20000, 4, 1355191, 0},
		{"few examples hashed to 2^24", 10, 3, 1 << 24, 0},
		{"2^25", 1, 1, 1 << 25, 0},
		{"told", 1, 1, 1<<31 - 1, 1<<31 - 1},
	} {
		var text strings.Builder
		for range c.rows {
			text.WriteString("1")
			for k := range c.perRow {
				fmt.Fprintf(&text, " %d:1", (c.largest/c.perRow)*k+c.largest-(c.largest/c.perRow)*(c.perRow-1))
			}
			text.WriteString("\n")
		}
		d, err := ReadLIBSVM[float32](strings.NewReader(text.String()), "f", LIBSVMOptions{Cols: c.cols})
		if err != nil || d.X.Rows != c.rows || d.X.Cols != c.largest {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Above 2^25 features, 16 of them need a nonzero.
func TestLIBSVMManyFeaturesWithManyNonzeros(t *testing.T) {
	if testing.Short() {
		t.Skip("reads two million numbers")
	}
	const rows = 1 << 15
	row := "1"
	for j := range 64 {
		row += fmt.Sprintf(" %d:1", j+1)
	}
	text := strings.Repeat(row+"\n", rows)
	const d = 16 * (64*rows + 1)
	x, err := ReadLIBSVM[float32](strings.NewReader(text+fmt.Sprintf("1 %d:1\n", d)), "f", LIBSVMOptions{})
	if err != nil || x.X.Cols != d {
		t.Errorf("%v", err)
	}
	_, err = ReadLIBSVM[float32](strings.NewReader(text+fmt.Sprintf("1 %d:1\n", d+1)), "f", LIBSVMOptions{})
	checkPlace(t, err, fmt.Sprintf("f:%d:3", rows+1), fmt.Sprintf("index %d,", d+1),
		fmt.Sprintf("at most %d with %d nonzeros", d, d/16))
}

func TestLIBSVMDropUnseen(t *testing.T) {
	train := readLIBSVM(t, "1 qid:1 1:1 3:2\n5 qid:1 2:1\n", LIBSVMOptions{})
	text := "5 qid:7 2:3 4:1 9:2\n# note\n2 qid:8 1:1 6:1\n1.0 qid:9 3:4 5:0\n2 qid:9\n1 qid:9 7:1\n"
	d := readLIBSVM(t, text, LIBSVMOptions{Cols: train.X.Cols, Classes: train.Classes, DropUnseen: true})
	want := &CSR[float64]{Rows: 3, Cols: 3, Ptr: []int{0, 1, 2, 2}, Idx: []int32{1, 2}, Val: []float64{3, 4}}
	if !sameCSR(d.X, want) || !slices.Equal(d.Y, []int{1, 0, 0}) || !slices.Equal(d.Values, []float64{5, 1, 1}) ||
		!slices.Equal(d.Groups, []int{7, 9, 9}) {
		t.Errorf("%v, %v, groups %v", d.X, d.Labels, d.Groups)
	}
	if d.DroppedRows != 2 || d.DroppedNonzeros != 3 {
		t.Errorf("%d rows and %d nonzeros dropped, want 2 and 3", d.DroppedRows, d.DroppedNonzeros)
	}
	// Only what is known can be unseen: without Cols the kept examples say how many columns there are.
	d = readLIBSVM(t, text, LIBSVMOptions{Classes: []string{"1", "2"}, DropUnseen: true})
	if d.X.Cols != 7 || d.X.Rows != 4 || d.DroppedRows != 1 || d.DroppedNonzeros != 0 {
		t.Errorf("%v, %d rows and %d nonzeros dropped", d.X, d.DroppedRows, d.DroppedNonzeros)
	}
	d = readLIBSVM(t, text, LIBSVMOptions{Cols: 4, DropUnseen: true})
	if d.X.Cols != 4 || d.X.Rows != 5 || d.DroppedRows != 0 || d.DroppedNonzeros != 3 || len(d.Classes) != 3 {
		t.Errorf("%v, %d rows and %d nonzeros dropped", d.X, d.DroppedRows, d.DroppedNonzeros)
	}

	o := LIBSVMOptions{Cols: 3, Classes: []string{"1", "5"}, DropUnseen: true}
	for text, c := range map[string]struct {
		place string
		part  string
	}{
		"2 1:1\n":                 {"f:2:1", `an example whose label is one of ["1" "5"]`},
		"2 1:x\n1 1:1":            {"f:1:5", `"x"`}, // what is dropped is read
		"1 9:nan\n":               {"f:1:5", "finite"},
		"1 5:1 4:1\n":             {"f:1:7", "above"},
		"cat 1:1\n":               {"f:1:1", "a number as the label"},
		"1 5:1 2147483648:1\n":    {"f:1:7", "at most 2147483647"},
		"2 qid:1 1:1\n1 1:1\n":    {"f:2:3", "qid:number"}, // the group of what is dropped counts
		"2 qid:x 1:1\n1 qid:1 1:": {"f:1:7", "integer"},
	} {
		_, err := ReadLIBSVM[float32](strings.NewReader(text), "f", o)
		checkPlace(t, err, c.place, c.part)
	}
	_, err := ReadLIBSVM[float32](strings.NewReader("1 1:1"), "f", LIBSVMOptions{DropUnseen: true})
	checkMessage(t, err, []string{"DropUnseen", "Cols", "Classes"})
}

func TestCSVDropUnseen(t *testing.T) {
	text := "1,cat,2\n3,dog,4\n5,cow,6\n7,dog,8\n"
	d, err := ReadCSV[float64](strings.NewReader(text), "f", CSVOptions{Label: 2, Classes: []string{"dog", "cat"},
		DropUnseen: true})
	if err != nil || !slices.Equal(d.X.Data, []float64{1, 2, 3, 4, 7, 8}) || d.X.Rows != 3 ||
		!slices.Equal(d.Y, []int{1, 0, 0}) || d.DroppedRows != 1 {
		t.Errorf("%v, %v", d, err)
	}
	_, err = ReadCSV[float64](strings.NewReader(text), "f", CSVOptions{Label: 2, Classes: []string{"hen"},
		DropUnseen: true})
	checkPlace(t, err, "f:5:1", `an example whose label is one of ["hen"]`)
	_, err = ReadCSV[float64](strings.NewReader("1,hen,x\n3,dog,4\n"), "f",
		CSVOptions{Label: 2, Classes: []string{"dog"}, DropUnseen: true})
	checkPlace(t, err, "f:1:7", `"x"`)
	for _, o := range []CSVOptions{{DropUnseen: true}, {DropUnseen: true, Classes: []string{"1"}, NoLabel: true}} {
		_, err = ReadCSV[float64](strings.NewReader(text), "f", o)
		checkMessage(t, err, []string{"DropUnseen", "Classes"})
	}
}

func TestLIBSVMGroups(t *testing.T) {
	text := "3 qid:1 1:0.5\n2 qid:1\n1 qid:-7 2:1 # c\n"
	d := readLIBSVM(t, text, LIBSVMOptions{})
	if !slices.Equal(d.Groups, []int{1, 1, -7}) || d.X.Rows != 3 {
		t.Errorf("groups %v", d.Groups)
	}
	var out bytes.Buffer
	if err := WriteLIBSVM(&out, d, LIBSVMOptions{}); err != nil ||
		out.String() != "3 qid:1 1:0.5\n2 qid:1\n1 qid:-7 2:1\n" {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
	if d := readLIBSVM(t, "1 1:1\n", LIBSVMOptions{}); d.Groups != nil {
		t.Errorf("groups %v of a file without", d.Groups)
	}
	for _, c := range []struct{ text, place, part string }{
		{"1 1:1\n2 qid:3 1:1\n", "f:2:3", "no group"},
		{"1 qid:3 1:1\n2 1:1\n", "f:2:3", "qid:number"},
		{"1 qid:3 1:1\n2\n", "f:2:2", "qid:number"},
		{"1 qid:3 1:1\n2", "f:2:2", "qid:number"},
		{"1 qid:a 1:1\n", "f:1:7", `"a"`},
		{"1 qid: 1:1\n", "f:1:7", "integer"},
		{"1 qid:1.5 1:1\n", "f:1:7", "integer"},
		{"1 qid:99999999999999999999 1:1\n", "f:1:7", "integer"},
		{"1 qid:1 qid:2 1:1\n", "f:1:9", "index:value"},
		{"1 1:1 qid:1\n", "f:1:7", "index:value"},
	} {
		_, err := ReadLIBSVM[float32](strings.NewReader(c.text), "f", LIBSVMOptions{})
		checkPlace(t, err, c.place, c.part)
	}
	d.Groups = d.Groups[:2]
	checkMessage(t, WriteLIBSVM(io.Discard, d, LIBSVMOptions{}), []string{"2 groups for 3 examples"})
}

// Labels that are texts are written as their classes; numbers keep the form that files have.
func TestWriteLIBSVMLabels(t *testing.T) {
	x, err := NewCSR(2, []int{0, 1, 1, 2}, []int32{1, 0}, []float64{2, 1e-5})
	if err != nil {
		t.Fatal(err)
	}
	texts, err := TextLabels([]string{"dog", "cat", "dog"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	numbers, err := NumericLabels([]float64{1e6, -12, .5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		labels Labels
		want   string
	}{
		{texts, "0 2:2\n1\n0 1:1e-05\n"},
		{Labels{Y: []int{11, 0, 3}, Classes: make([]string, 12)}, "11 2:2\n0\n3 1:1e-05\n"},
		{numbers, "1000000 2:2\n-12\n0.5 1:1e-05\n"},
	} {
		var out bytes.Buffer
		if err := WriteLIBSVM(&out, &Labeled[*CSR[float64]]{X: x, Labels: c.labels}, LIBSVMOptions{}); err != nil ||
			out.String() != c.want {
			t.Errorf("wrote %q, want %q (%v)", out.String(), c.want, err)
		}
	}
}

func TestCSVFeatureNames(t *testing.T) {
	text := "length, \"petal, width\",kind,\n5.1,3.5,setosa,1\n"
	d, err := ReadCSV[float64](strings.NewReader(text), "f", CSVOptions{Label: 3})
	if err != nil || !slices.Equal(d.FeatureNames, []string{"length", "petal, width", ""}) {
		t.Fatalf("%q, %v", d.FeatureNames, err)
	}
	var out bytes.Buffer
	if err := WriteCSV(&out, d); err != nil || out.String() != "length,\"petal, width\",\"\",kind\n5.1,3.5,1,setosa\n" {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
	for _, in := range []string{"1,2,a\n", "5.1,3.5,setosa\n"} {
		if d, err := ReadCSV[float64](strings.NewReader(in), "f", CSVOptions{}); err != nil || d.FeatureNames != nil {
			t.Errorf("%q, %v", d.FeatureNames, err)
		}
	}
	if d, err := ReadCSV[float64](strings.NewReader("a b\n1\n"), "f",
		CSVOptions{NoLabel: true, Comma: ','}); err != nil || !slices.Equal(d.FeatureNames, []string{"a b"}) {
		t.Errorf("%q, %v", d.FeatureNames, err)
	}
	for _, name := range []string{"two words", "\ufeffmark", "", `say "a"`, "a;b", "a\nb"} {
		d := &Labeled[*Dense[float64]]{X: &Dense[float64]{vec.MatrixOf(1, 1, []float64{7})},
			FeatureNames: []string{name}}
		out.Reset()
		if err := WriteCSV(&out, d); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadCSV[float64](&out, "f", CSVOptions{NoLabel: true}); err != nil ||
			!slices.Equal(d.FeatureNames, again.FeatureNames) || !sameDense(d.X, again.X) {
			t.Errorf("%q: %v, %v", name, again, err)
		}
	}
	for names, want := range map[string]string{"a": "1 names of features for 3 columns", "a, b,c": `feature 1, " b"`,
		"a,b\r,c": "feature 1", "a,b,\rc": "feature 2", "a,b,a": `features 0 and 2 are both "a"`,
		"a,b\xff,c": "feature 1"} {
		d.FeatureNames = strings.Split(names, ",")
		checkMessage(t, WriteCSV(io.Discard, d), []string{want})
	}
}
