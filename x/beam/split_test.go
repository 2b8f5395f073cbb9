package beam

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
)

// TestSplit: ranges of rows in any number cover the files once, and read what a whole file has.
func TestSplit(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	d := l.X.Cols
	one, two := l.X.Window(0, 700), l.X.Window(700, l.X.Rows)
	raw(t, dir, "a.f8", one.Data[:700*d])
	raw(t, dir, "b.f8", two.Data)
	single, err := dataset.ConvertDense[float32](l.X)
	check(t, err)
	raw(t, dir, "c.f4", single.Data)
	for _, prefix := range []string{"", scheme} {
		for _, rows := range []int{100, 333, 5000} {
			found := split(t, prefix+dir+"/?.f8", Format{Kind: Raw, Type: "f8", Cols: d}, rows)
			if got := read[float64](t, found); !slices.Equal(got, l.X.Data) {
				t.Errorf("%d rows of f8: other numbers", rows)
			}
			found = split(t, prefix+dir+"/c.f4", Format{Kind: Raw, Type: "f4", Cols: d}, rows)
			if got := read[float32](t, found); !slices.Equal(got, single.Data) {
				t.Errorf("%d rows of f4: other numbers", rows)
			}
		}
	}
}

// TestSplitText: the same of LIBSVM text, whose lines may be empty, comments, and longer than a buffer.
func TestSplitText(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	x, err := l.X.CSR()
	check(t, err)
	name := save(t, dir, "rows.svm", func(w io.Writer) error {
		return dataset.WriteLIBSVM(w, &dataset.Labeled[*dataset.CSR[float64]]{X: x, Labels: l.Labels},
			dataset.LIBSVMOptions{})
	})
	text, err := os.ReadFile(name)
	check(t, err)
	mixed := strings.ReplaceAll("# head\n\n"+string(text), "\n7", "\n \t\n  # "+strings.Repeat("7 ", 40000)+"\n7")
	check(t, os.WriteFile(name, []byte(mixed+"\n#end"), 0o644))
	for _, rows := range []int{100, 333, 5000} {
		found := split(t, name, Format{Kind: LIBSVM, Cols: l.X.Cols}, rows)
		if got := read[float64](t, found); !slices.Equal(got, l.X.Data) {
			t.Errorf("%d rows: other numbers", rows)
		}
	}
}

// read returns the numbers of all rows, zeros too, and checks how the elements follow one another.
func read[T float32 | float64](t *testing.T, rows []Rows) (all []T) {
	t.Helper()
	r, next := reader[T]{}, int64(0)
	for _, e := range rows {
		if e.First != next {
			t.Errorf("%v: the first row is %d, want %d", e, e.First, next)
		}
		next += int64(e.Count)
		b, err := r.read(t.Context(), e)
		check(t, err)
		if b.sparse != nil {
			b.dense, err = b.sparse.Dense()
			check(t, err)
		}
		all = append(all, b.dense.Data...)
	}
	return all
}

// TestSplitErrors: what is no rows is an error that says so.
func TestSplitErrors(t *testing.T) {
	dir := t.TempDir()
	odd := raw(t, dir, "odd.f4", make([]float32, 7))
	packed := raw(t, dir, "packed", []byte{0x1f, 0x8b, 8})
	for _, c := range []struct {
		path   string
		format Format
		rows   int
		words  string
	}{
		{odd, Format{Kind: Raw, Type: "f4", Cols: 2}, 10, "28 bytes, want a multiple of 8"},
		{odd, Format{Kind: Raw, Type: "f2", Cols: 2}, 10, `"f2"`},
		{odd, Format{Kind: Raw, Type: "f4"}, 10, "0 columns"},
		{odd, Format{Kind: "csv", Cols: 2}, 10, `"csv"`},
		{odd, Format{Kind: Raw, Type: "f4", Cols: 7}, 0, "0 rows"},
		{dir + "/none", Format{Kind: Raw, Type: "f4", Cols: 7}, 1, "no such file"},
		{packed, Format{Kind: LIBSVM, Cols: 7}, 1, "gzip"},
		{"s9://bucket/x", Format{Kind: LIBSVM, Cols: 7}, 1, "s9"},
	} {
		if _, err := Split(context.Background(), c.path, c.format, c.rows); err == nil ||
			!strings.Contains(err.Error(), c.words) {
			t.Errorf("%+v: %v, want %q", c, err, c.words)
		}
	}
}

// TestSplitFormats: the same of NPY files, pixels of a byte too, and of blocks of CSR of either type.
func TestSplitFormats(t *testing.T) {
	l, dir := digits(t), t.TempDir()
	save(t, dir, "a.npy", func(w io.Writer) error {
		return dataset.WriteNPY(w, l.X.Window(0, 700), dataset.NPYOptions{})
	})
	save(t, dir, "b.npy", func(w io.Writer) error {
		return dataset.WriteNPY(w, l.X.Window(700, l.X.Rows), dataset.NPYOptions{Type: "u1", Scale: 1. / 16})
	})
	x, err := l.X.CSR()
	check(t, err)
	save(t, dir, "a.csr", func(w io.Writer) error {
		_, err := (&dataset.CSRBlock[float64]{X: x.Window(0, 700)}).WriteTo(w)
		return err
	})
	save(t, dir, "b.csr", func(w io.Writer) error {
		for _, from := range []int{700, 1200} {
			to := min(from+500, x.Rows)
			if from == 1200 {
				to = x.Rows
			}
			if _, err := (&dataset.CSRBlock[float64]{First: from, X: x.Window(from, to)}).WriteTo(w); err != nil {
				return err
			}
		}
		return nil
	})
	for _, prefix := range []string{"", scheme} {
		for _, rows := range []int{100, 333, 5000} {
			d, n := l.X.Cols, 700*l.X.Cols
			found := split(t, prefix+dir+"/a.npy", Format{Kind: NPY, Cols: d}, rows)
			if got := read[float64](t, found); !slices.Equal(got, l.X.Data[:n]) {
				t.Errorf("%d rows of NPY: other numbers", rows)
			}
			found = split(t, prefix+dir+"/b.npy", Format{Kind: NPY, Cols: d, Scale: 1. / 16}, rows)
			if got := read[float64](t, found); !slices.Equal(got, l.X.Data[n:]) {
				t.Errorf("%d rows of bytes: other numbers", rows)
			}
			found = split(t, prefix+dir+"/?.csr", Format{Kind: CSR, Type: "f8", Cols: d}, rows)
			if got := read[float64](t, found); !slices.Equal(got, l.X.Data) || len(found) != 3 {
				t.Errorf("%d blocks of CSR: other numbers", len(found))
			}
		}
	}
	for words, f := range map[string]Format{
		"want 63": {Kind: NPY, Cols: 63}, "holds float64": {Kind: CSR, Type: "f4", Cols: 64},
		"first row is 700": {Kind: CSR, Type: "f8", Cols: 64},
	} {
		pattern := dir + "/b." + f.Kind
		if f.Type == "f4" {
			pattern = dir + "/a.csr"
		}
		if _, err := Split(t.Context(), pattern, f, 10); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%+v: %v, want %q", f, err, words)
		}
	}
}
