package data

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// put writes a file into a new folder, or beside another one.
func put(t *testing.T, path string, b []byte) string {
	t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(t.TempDir(), path)
	}
	if strings.HasSuffix(path, ".gz") {
		var z bytes.Buffer
		w := gzip.NewWriter(&z)
		w.Write(b)
		w.Close()
		b = z.Bytes()
	}
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// npy is a file of n by d numbers, or of n.
func npy(d int, v ...float64) []byte {
	var b bytes.Buffer
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(len(v)/d, d, v)}
	if err := dataset.WriteNPY(&b, x, dataset.NPYOptions{}); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// rows are the numbers of examples.
func rows(t *testing.T, e *Examples[float32]) [][]float32 {
	t.Helper()
	x, err := e.Dense()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float32
	for i := range x.Rows {
		all = append(all, x.Row(i))
	}
	return all
}

// TestOpenBeside: groups and folds are columns of CSV, LIBSVM's qid, or in files of their own; what would be lost is an
// error.
func TestOpenBeside(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, at("a.svm"), []byte("7 1:10\n5 1:30\n7 1:20\n"))
	put(t, at("q.svm"), []byte("7 qid:4 1:10\n5 qid:9 1:30\n7 qid:9 1:20\n"))
	put(t, at("a.csv"), []byte("who,x,part,kind\nann,10,1,7\nbob,30,2,5\nbob,20,1,7\n"))
	put(t, at("a.npy"), npy(1, 10, 30, 20))
	put(t, at("n.npy"), npy(1, 4, 9, 9))
	put(t, at("who.txt"), []byte("ann\n bob \nbob\n"))
	put(t, at("two.txt"), []byte("ann\nbob\n"))
	put(t, at("gap.txt"), []byte("ann\n\nbob\n"))
	for _, c := range []struct {
		name          string
		o             Options
		groups, folds []int
	}{
		{"a.svm", Options{}, nil, nil},
		{"q.svm", Options{}, []int{4, 9, 9}, nil},
		{"a.csv", Options{GroupColumn: "who", FoldColumn: "3"}, []int{0, 1, 1}, []int{0, 1, 0}},
		{"a.csv", Options{GroupColumn: "1", FoldColumn: "part", MaxRows: 2}, []int{0, 1}, []int{0, 1}},
		{"a.svm", Options{GroupFile: at("who.txt"), FoldFile: at("n.npy")}, []int{0, 1, 1}, []int{0, 1, 1}},
		{"a.npy", Options{GroupFile: at("who.txt"), MaxRows: 2}, []int{0, 1}, nil},
		{"q.svm", Options{FoldFile: at("who.txt")}, []int{4, 9, 9}, []int{0, 1, 1}},
	} {
		e, err := Open[float32](at(c.name), c.o, nil)
		if err != nil {
			t.Errorf("%s, %+v: %v", c.name, c.o, err)
			continue
		}
		if _, d := e.X.Dims(); d != 1 || !slices.Equal(e.Groups, c.groups) || !slices.Equal(e.Folds, c.folds) {
			t.Errorf("%s, %+v: %d features, groups %v, folds %v", c.name, c.o, d, e.Groups, e.Folds)
		}
	}
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"a.svm", Options{GroupColumn: "1"}, "--group-column 1 is for CSV, and this is libsvm: name a file by " +
			"--group-file"},
		{"a.npy", Options{FoldColumn: "x"}, "--fold-column x is for CSV, and this is npy: name a file by --fold-file"},
		{"q.svm", Options{GroupFile: at("who.txt")}, "q.svm has groups already: leave out --group-file"},
		{"a.svm", Options{FoldFile: at("two.txt")}, "3 examples in " + at("a.svm") + ", but 2 folds in " +
			at("two.txt")},
		{"a.svm", Options{FoldFile: at("gap.txt")}, "gap.txt:2: an empty line"},
		{"a.svm", Options{GroupFile: at("none.txt")}, "--group-file: open"},
	} {
		if _, err := Open[float32](at(c.name), c.o, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %+v: %v, want %q", c.name, c.o, err, c.want)
		}
	}
}

// The same two examples in every format, packed or not, are the same.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	idx := []byte{0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 2, 10, 0, 30, 40}
	put(t, at("t-labels-idx1-ubyte.gz"), []byte{0, 0, 8, 1, 0, 0, 0, 2, 7, 5})
	put(t, at("x-labels.npy"), npy(1, 7, 5))
	put(t, at("y_train.npy"), npy(1, 7, 5))
	put(t, at("elsewhere.npy"), npy(1, 7, 5))
	for _, c := range []struct {
		name string
		b    []byte
		o    Options
	}{
		{"a.svm", []byte("7 1:10\n+5 1:30 2:40\n"), Options{}},
		{"a.svm.gz", []byte("7 1:10\n5 1:30 2:40\n"), Options{}},
		{"zero", []byte("7 0:10\n5 0:30 1:40\n"), Options{ZeroBased: true}},
		{"a.csv", []byte("u,v,kind\n10,0,7\n30,40,5\n"), Options{}},
		{"a.csv.gz", []byte("7,10,0\n5,30,40\n"), Options{LabelColumn: "1"}},
		{"b.csv", []byte("u,kind,v\n10,7,0\n30,5,40\n"), Options{LabelColumn: "kind"}},
		{"c.CSV", []byte("1,2,3\n10,0,7\n30,40,5\n"), Options{Header: "yes"}},
		{"text", []byte("10;0;7\n30;40;5\n"), Options{Format: "csv"}},
		{"t-images-idx3-ubyte", idx, Options{}},
		{"t-images-idx3-ubyte.gz", idx, Options{}},
		{"x.npy", npy(2, 10, 0, 30, 40), Options{}},
		{"X_train.npy", npy(2, 10, 0, 30, 40), Options{}},
		{"other.npy.gz", npy(2, 1, 0, 3, 4), Options{Labels: at("elsewhere.npy"), Multiply: 10}},
	} {
		e, err := Open[float32](put(t, at(c.name), c.b), c.o, nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got, want := rows(t, e), [][]float32{{10, 0}, {30, 40}}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", c.name, got)
		}
		if !reflect.DeepEqual(e.Y, []int{1, 0}) || !reflect.DeepEqual(e.Classes, []string{"5", "7"}) || e.Sets != nil {
			t.Errorf("%s: %v of %q", c.name, e.Y, e.Classes)
		}
		if err := e.NeedLabels(c.name); err != nil || e.Len() != 2 {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Sets of labels, and examples without labels, are told by the first lines.
func TestOpenSets(t *testing.T) {
	known := &Known{Classes: []string{"a", "b"}, Features: 2, Sets: true}
	for _, c := range []struct {
		text   string
		o      Options
		known  *Known
		sets   [][]int
		y      []int
		unseen int
	}{
		{"1,2 1:1\n2 1:1\n", Options{}, nil, [][]int{{0, 1}, {1}}, nil, 0},
		{"1 1:1\n1:1\n", Options{}, nil, [][]int{{0}, {}}, nil, 0},
		{"1 1:1\n2 1:1\n", Options{}, nil, nil, []int{0, 1}, 0},
		{"1 1:1\n2 1:1\n", Options{MultiLabel: true}, nil, [][]int{{0}, {1}}, nil, 0},
		{"1:1\n # 3\n1:2\n", Options{}, nil, nil, nil, 0},
		{"1:1\n1:2\n", Options{MultiLabel: true}, nil, [][]int{{}, {}}, nil, 0},
		{"b 1:1\nb,a 1:1\nc,a 1:1\n", Options{}, known, [][]int{{1}, {0, 1}, {0}}, nil, 1},
		{"b 1:1\n", Options{}, known, [][]int{{1}}, nil, 0},
	} {
		e, err := Open[float32](put(t, "a", []byte(c.text)), c.o, c.known)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if len(e.Sets) != len(c.sets) || fmt.Sprint(e.Sets, e.Y, e.UnseenLabels) != fmt.Sprint(c.sets, c.y, c.unseen) {
			t.Errorf("%q: %v, %v, %d unseen; want %v, %v, %d", c.text, e.Sets, e.Y, e.UnseenLabels, c.sets, c.y,
				c.unseen)
		}
		if err := e.NeedLabels("a"); (err != nil) != (c.sets == nil && c.y == nil) {
			t.Errorf("%q: %v", c.text, err)
		}
	}
	csv := put(t, "a.csv", []byte("1,2,b\n3,4,a\n"))
	if e, err := Open[float32](csv, Options{}, known); err != nil || fmt.Sprint(e.Sets, e.Y) != "[[1] [0]] []" {
		t.Errorf("classes for a model of sets: %v, %v", e, err)
	}
}

// A model's numbers of labels and columns hold for every file. LIBSVM text comes in blocks, too.
func TestKnown(t *testing.T) {
	known := &Known{Classes: []string{"2", "red", "1"}, Features: 3}
	var b strings.Builder
	for range 200000 {
		b.WriteString("+1 1:1 2:2\n2.0 3:3 9:9\n3 1:4\n")
	}
	path := put(t, "a.svm", []byte(b.String()))
	whole, err := Open[float32](path, Options{}, known)
	if err != nil {
		t.Fatal(err)
	}
	n, d := whole.X.Dims()
	if n != 600000 || d != 3 || whole.UnseenLabels != 200000 || whole.UnseenNonzeros != 200000 {
		t.Errorf("%d by %d, %d labels and %d nonzeros unseen", n, d, whole.UnseenLabels, whole.UnseenNonzeros)
	}
	calls, at, unseen := 0, 0, 0
	err = Each(path, Options{}, known, func(e *Examples[float32]) error {
		for i, y := range e.Y {
			if want := []int{2, 0, -1}[(at+i)%3]; y != want || whole.Y[at+i] != want {
				t.Fatalf("example %d: class %d, in blocks %d, want %d", at+i, whole.Y[at+i], y, want)
			}
		}
		calls, at, unseen = calls+1, at+e.Len(), unseen+e.UnseenLabels
		return nil
	})
	if err != nil || calls < 2 || at != n || unseen != whole.UnseenLabels {
		t.Errorf("%d blocks of %d examples, %d labels unseen, %v", calls, at, unseen, err)
	}
	cause := errors.New("enough")
	if err := Each(path, Options{}, known, func(*Examples[float32]) error { return cause }); err != cause {
		t.Errorf("error %v", err)
	}

	csv := put(t, "a.csv", []byte("1,2,3\n4,5,6\n"))
	if e, err := Open[float32](csv, Options{}, known); err != nil || e.Y != nil || e.Len() != 2 {
		t.Errorf("CSV of as many columns as features: %v, %v", e, err)
	}
	csv = put(t, "a.csv", []byte("1,2,3,blue\n4,5,6,red\n"))
	e, err := Open[float32](csv, Options{}, known)
	if err != nil || fmt.Sprint(e.Y, e.Among([]string{"red"})) != "[-1 1] [false true]" {
		t.Errorf("CSV with labels: %v, %v", e, err)
	}
}

func TestScale(t *testing.T) {
	e, err := Open[float32](put(t, "a", []byte("1 1:4\n1 2:6\n")), Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		s    *dataset.Scaling
		want string
	}{
		{&dataset.Scaling{}, "[[4 0] [0 6]]"},
		{&dataset.Scaling{Factor: []float64{.5, .5}}, "[[2 0] [0 3]]"},
		{&dataset.Scaling{Shift: []float64{0, -4}, Factor: []float64{1.5, 1}}, "[[3 4] [0 7]]"},
		{&dataset.Scaling{UnitRows: true}, "[[0.6 0.8] [0 1]]"},
	} {
		if err := e.Scale(c.s); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(rows(t, e)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.s, got, c.want)
		}
	}
	if err := e.Scale(&dataset.Scaling{Factor: []float64{1}}); err == nil {
		t.Error("one factor for two features")
	}
}

// Errors name the file, the line and the value.
func TestOpenErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		known      *Known
		parts      []string
	}{
		{"a.svm", "1 1:1\n1 1:x\n", Options{}, nil, []string{"a.svm:2:5", `"x"`}},
		{"a.svm", "", Options{}, nil, []string{"a.svm:1:1", "an example"}},
		{"a.svm", "1 1:1\n1,2 1:1\n", Options{MaxRows: -1}, nil, []string{"MaxRows", "-1"}},
		{"a.csv", "1,2,a\n1,?,b\n", Options{}, nil, []string{"a.csv:2:3", `"?"`}},
		{"a.csv", "1,2,3,4,5\n", Options{}, &Known{Features: 2}, []string{"a.csv:1:9", "5 columns", "3"}},
		{"a.csv", "1,2\n", Options{LabelColumn: "1"}, &Known{Features: 2}, []string{"a.csv", "1 features", "2"}},
		{"a.npy", "no array", Options{}, nil, []string{"a.npy", "byte 0"}},
		{"a.npy", string(npy(2, 1, 2, 3, 4)), Options{Labels: "/no/such/file"}, nil, []string{"/no/such/file"}},
		{"a.npy", string(npy(2, 1, 2, 3, 4)), Options{}, &Known{Features: 3}, []string{"a.npy", "2 features", "3"}},
		{"a.idx", "\x00\x01", Options{}, nil, []string{"a.idx", "byte"}},
	} {
		_, err := Open[float32](put(t, c.name, []byte(c.text)), c.o, c.known)
		for _, part := range c.parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s, %q: %v, without %q", c.name, c.text, err, part)
			}
		}
	}
	short := put(t, "b.npy", npy(1, 1, 2, 3))
	_, err := Open[float32](put(t, "a.npy", npy(2, 1, 2, 3, 4)), Options{Labels: short}, nil)
	if err == nil || !strings.Contains(err.Error(), "2 examples") || !strings.Contains(err.Error(), "3 labels") {
		t.Error(err)
	}
	if _, err := Open[float32]("/no/such/file", Options{}, nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
