package dataset

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/vec"
)

func TestReadCSV(t *testing.T) {
	zero := CSVOptions{}
	for _, c := range []struct {
		name, text string
		o          CSVOptions
		cols       int
		data       []float64
		classes    string
		y          []int
	}{
		{"plain", "1,2,a\n3,4,b\n", zero, 2, []float64{1, 2, 3, 4}, "a b", []int{0, 1}},
		{"order of appearance", "1,b\n2,a\n3,b", zero, 1, []float64{1, 2, 3}, "b a", []int{0, 1, 0}},
		{"numbers ascend", "1,10\r\n2,9\r\n3,-1\r\n4,9.0\r\n", zero, 1, []float64{1, 2, 3, 4}, "-1 9 10",
			[]int{2, 1, 0, 1}},
		{"header, quotes, blanks", "\"a\", b,c\n 1 ,\"2\", x y \n\n", zero, 2, []float64{1, 2}, "x y", []int{0}},
		{"semicolon", "p;q;class\n1;2;0\n", zero, 2, []float64{1, 2}, "0", []int{0}},
		{"tab", "1\t2\t3\n", zero, 2, []float64{1, 2}, "3", []int{0}},
		{"bar", "1|2|3\n", zero, 2, []float64{1, 2}, "3", []int{0}},
		{"blanks", "1   2 3\n4 5  6\n", zero, 2, []float64{1, 2, 4, 5}, "3 6", []int{0, 1}},
		{"given delimiter", "1:2:3,4\n", CSVOptions{Comma: ':'}, 2, []float64{1, 2}, "3,4", []int{0}},
		{"quoted delimiter in the label", "1,2,\"a,b\"\n", zero, 2, []float64{1, 2}, "a,b", []int{0}},
		{"label first", "a,1,2\nb,3,4\n", CSVOptions{Label: 1}, 2, []float64{1, 2, 3, 4}, "a b", []int{0, 1}},
		{"label second", "1,a,2\n", CSVOptions{Label: 2}, 2, []float64{1, 2}, "a", []int{0}},
		{"label last but one", "1,a,2\n", CSVOptions{Label: -2}, 2, []float64{1, 2}, "a", []int{0}},
		{"label by name", "u,kind,v\n1,a,2\n", CSVOptions{LabelName: "kind"}, 2, []float64{1, 2}, "a", []int{0}},
		{"numbers as header", "1,2,3\n4,5,6\n", CSVOptions{Header: HeaderPresent}, 2, []float64{4, 5}, "6", []int{0}},
		{"text label in the first line is no header", "1,2,yes\n", zero, 2, []float64{1, 2}, "yes", []int{0}},
		{"no label", "a,b\n1,2\n3,4\n", CSVOptions{NoLabel: true}, 2, []float64{1, 2, 3, 4}, "", nil},
		{"no label, one column", "1\n2\n", CSVOptions{NoLabel: true}, 1, []float64{1, 2}, "", nil},
		{"as many columns as features", "1,2\n3,4\n", CSVOptions{Cols: 2}, 2, []float64{1, 2, 3, 4}, "", nil},
		{"one column more", "a,b,c\n1,2,x\n", CSVOptions{Cols: 2}, 2, []float64{1, 2}, "x", []int{0}},
		{"the label among the columns", "1,x,2\n", CSVOptions{Cols: 2, Label: 2}, 2, []float64{1, 2}, "x", []int{0}},
		{"given classes", "1,b\n2,a\n", CSVOptions{Classes: []string{"a", "b", "c"}}, 1, []float64{1, 2}, "a b c",
			[]int{1, 0}},
		{"byte order mark", "\ufeff1,2\n", zero, 1, []float64{1}, "2", []int{0}},
	} {
		for how, r := range map[string]io.Reader{"": strings.NewReader(c.text), " slowly": slowly(c.text),
			" gz": bytes.NewReader(packed([]byte(c.text)))} {
			d, err := ReadCSV[float64](r, "f", c.o)
			if err != nil {
				t.Errorf("%s%s: %v", c.name, how, err)
				continue
			}
			if want := (&Dense[float64]{vec.MatrixOf(len(c.data)/c.cols, c.cols, c.data)}); !sameDense(d.X, want) {
				t.Errorf("%s%s: %v, want %v", c.name, how, d.X, want)
			}
			if strings.Join(d.Classes, " ") != c.classes || !slices.Equal(d.Y, c.y) {
				t.Errorf("%s%s: classes %q, %v", c.name, how, d.Classes, d.Y)
			}
		}
	}
}

// TestReadCSVGroups: columns of groups and of folds are no features; their texts are numbered as they come, without the
// texts of examples that are left out; the label is the last of the other columns.
func TestReadCSVGroups(t *testing.T) {
	for _, c := range []struct {
		name, text    string
		o             CSVOptions
		data          []float64
		y             []int
		groups, folds []int
		names         string
	}{
		{"number", "9,1,a\n7,2,b\n9,3,a\n", CSVOptions{Group: 1}, []float64{1, 2, 3}, []int{0, 1, 0}, []int{0, 1, 0},
			nil, ""},
		{"last", "1,a,ann\n2,b,bob\n", CSVOptions{Group: -1}, []float64{1, 2}, []int{0, 1}, []int{0, 1}, nil, ""},
		{"name", "x,who,kind\n1,7,a\n2, 7 ,b\n", CSVOptions{GroupName: "who"}, []float64{1, 2}, []int{0, 1},
			[]int{0, 0}, nil, "x"},
		{"texts of a header", "u,who,kind\n1,7,a\n2,8,b\n", CSVOptions{Group: 2}, []float64{1, 2}, []int{0, 1},
			[]int{0, 1}, nil, "u"},
		{"text group in the first line is no header", "1,ann,5\n2,bob,6\n", CSVOptions{Group: 2}, []float64{1, 2},
			[]int{0, 1}, []int{0, 1}, nil, ""},
		{"fold", "3,1,a,g\n1,2,b,h\n3,5,b,g\n", CSVOptions{Fold: 1, Group: 4}, []float64{1, 2, 5}, []int{0, 1, 1},
			[]int{0, 1, 0}, []int{0, 1, 0}, ""},
		{"fold by name", "x,part,y\n1,p,a\n2,q,b\n", CSVOptions{FoldName: "part"}, []float64{1, 2}, []int{0, 1}, nil,
			[]int{0, 1}, "x"},
		{"no label", "4,1\n5,2\n", CSVOptions{Group: 1, NoLabel: true}, []float64{1, 2}, nil, []int{0, 1}, nil, ""},
		{"as many as features", "4,1\n5,2\n", CSVOptions{Group: 1, Cols: 1}, []float64{1, 2}, nil, []int{0, 1}, nil,
			""},
		{"one more", "4,1,a\n5,2,b\n", CSVOptions{Group: 1, Cols: 1}, []float64{1, 2}, []int{0, 1}, []int{0, 1}, nil,
			""},
		{"dropped", "4,1,a\n5,2,z\n6,3,b\n", CSVOptions{Group: 1, Classes: []string{"a", "b"}, DropUnseen: true},
			[]float64{1, 3}, []int{0, 1}, []int{0, 1}, nil, ""},
	} {
		d, err := ReadCSV[float64](strings.NewReader(c.text), "f", c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(d.X.Data, c.data) || d.X.Cols != 1 || !slices.Equal(d.Y, c.y) ||
			strings.Join(d.FeatureNames, " ") != c.names {
			t.Errorf("%s: %v, labels %v, names %q", c.name, d.X, d.Y, d.FeatureNames)
		}
		if !slices.Equal(d.Groups, c.groups) || !slices.Equal(d.Folds, c.folds) {
			t.Errorf("%s: groups %v and folds %v, want %v and %v", c.name, d.Groups, d.Folds, c.groups, c.folds)
		}
	}
	for _, c := range []struct {
		text, place string
		o           CSVOptions
		parts       []string
	}{
		{"1,2,3\n", "f:1:5", CSVOptions{Group: 4}, []string{"3 columns", "a group in column 4"}},
		{"a,b,c\n", "f:1:1", CSVOptions{FoldName: "d"}, []string{"a,b,c", `the column "d"`}},
		{"1,2,3\n", "f:1:5", CSVOptions{Group: 3, Label: 3},
			[]string{"the label in column 3", "another one than the group"}},
		{"1,2\n", "f:1:3", CSVOptions{Group: 1}, []string{"2 columns", "a label and at least one feature"}},
		{"1,2,3\n4, ,6\n", "f:2:4", CSVOptions{Group: 2}, []string{`""`, "a group or fold in column 2"}},
		{"1,2,3,4,5\n", "f:1:9", CSVOptions{Group: 2, Cols: 2},
			[]string{"5 columns", "4, for 2 features and the label"}},
	} {
		_, err := ReadCSV[float32](strings.NewReader(c.text), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
}

func TestReadCSVNamesThePlace(t *testing.T) {
	zero := CSVOptions{}
	for _, c := range []struct {
		text  string
		o     CSVOptions
		place string
		parts []string
	}{
		{"", zero, "f:1:1", []string{"end of the file", "an example"}},
		{"a,b,c\n", zero, "f:2:1", []string{"end of the file", "an example"}},
		{"1,2,3\n4,x,6\n", zero, "f:2:3", []string{`"x"`, "a number in column 2"}},
		{"1,2,3\n4, ,6\n", zero, "f:2:4", []string{`""`, "column 2"}},
		{"1,2,3\n4,?,6\n", zero, "f:2:3", []string{`"?"`}},
		{"1,x,3\n", zero, "f:1:3", []string{`"x"`, "column 2"}},
		{"1,2,3\nNaN,5,6\n", zero, "f:2:1", []string{`"NaN"`, "finite"}},
		{"1,2,3\n4,1e39,6\n", zero, "f:2:3", []string{"float32"}},
		{"1,2,3\n4,5,nan\n", zero, "f:2:5", []string{`"nan"`, "label"}},
		{"1,2,3\n4,5,\n", zero, "f:2:5", []string{`""`, "label"}},
		{"1,2,3\n4,5\n", zero, "f:2:3", []string{"2 columns", "3"}},
		{"1,2,3\n4,5,6,7\n", zero, "f:2:7", []string{"4 columns", "3"}},
		{"1\n", zero, "f:1:1", []string{"one column", "','", "feature"}},
		{"1,2\n", CSVOptions{Label: 3}, "f:1:3", []string{"2 columns", "column 3"}},
		{"1,2\n", CSVOptions{Label: -3}, "f:1:3", []string{"2 columns", "column -3"}},
		{"1,2,3,4\n", CSVOptions{Cols: 2}, "f:1:7", []string{"4 columns", "3", "2 features"}},
		{"1\n", CSVOptions{Cols: 2}, "f:1:1", []string{"1 columns", "3", "2 features"}},
		{"1,2,3\n", CSVOptions{Cols: 2, NoLabel: true}, "f:1:5", []string{"3 columns", "2, one for each"}},
		{"1,2\n", CSVOptions{Cols: 2, Label: 1}, "f:1:3", []string{"2 columns", "3"}},
		{"a,b\n1,2\n", CSVOptions{LabelName: "c"}, "f:1:1", []string{`"a,b"`, `"c"`}},
		{"1,2,3\n4,a\"b,6\n", zero, "f:2:4", []string{`'"'`}},
		{"1,2,3\n4,\"5,6\n", zero, "f:2:8", []string{"quoted"}},
		{"1,a\n2,b\n", CSVOptions{Classes: []string{"a", "c"}}, "f:2:3", []string{`"b"`, `["a" "c"]`}},
		{"1,2\n3,4\n", CSVOptions{MaxBytes: 6}, "f:2:1", []string{"MaxBytes", "6"}},
	} {
		_, err := ReadCSV[float32](strings.NewReader(c.text), "f", c.o)
		checkPlace(t, err, c.place, c.parts...)
	}
	_, err := ReadCSV[float32](strings.NewReader("1,2"), "f", CSVOptions{Comma: '"'})
	checkMessage(t, err, []string{"Comma"})
	wantErr := errors.New("cable cut")
	_, err = ReadCSV[float32](io.MultiReader(strings.NewReader("1,1\n2,"), iotest.ErrReader(wantErr)), "f", zero)
	checkPlaced(t, err, wantErr)
	checkPlace(t, err, "f:2:1", "cable cut")
}

func TestCSVRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	x := vec.NewMatrix[float64](100, 7)
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	names := []string{"a,b", `say "hi"`, "two\nlines", "semi;colon;;;;;;;;;;;;", "plain", "7"}
	texts := make([]string, x.Rows)
	for i := range texts {
		texts[i] = names[rng.IntN(len(names))]
	}
	labels, err := TextLabels(texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := &Labeled[*Dense[float64]]{X: &Dense[float64]{x}, Labels: labels}
	var b bytes.Buffer
	if err := WriteCSV(&b, in); err != nil {
		t.Fatal(err)
	}
	out, err := ReadCSV[float64](&b, "f", CSVOptions{})
	if err != nil || !sameDense(in.X, out.X) || !sameLabels(in.Labels, out.Labels) {
		t.Errorf("not the same (%v)", err)
	}

	in.Labels = Labels{}
	if err := WriteCSV(&b, in); err != nil {
		t.Fatal(err)
	}
	if out, err = ReadCSV[float64](&b, "f", CSVOptions{NoLabel: true}); err != nil || !sameDense(in.X, out.X) {
		t.Errorf("without labels: not the same (%v)", err)
	}
	for _, bad := range []string{"", " a", "a\rb"} {
		in.Labels = Labels{Y: make([]int, 100), Classes: []string{bad}}
		checkMessage(t, WriteCSV(io.Discard, in), []string{"class 0"})
	}
	in.Y[3] = 1
	checkMessage(t, WriteCSV(io.Discard, in), []string{"class 1 of example 3", "0..0"})
}

func BenchmarkReadCSV(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	var text bytes.Buffer
	for range 5000 {
		var line []byte
		for range 57 {
			line = append(appendNumber(line, rng.Float32()), ',')
		}
		text.Write(append(appendInt(line, rng.Int64N(10)), '\n'))
	}
	b.SetBytes(int64(text.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadCSV[float32](bytes.NewReader(text.Bytes()), "f", CSVOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}
