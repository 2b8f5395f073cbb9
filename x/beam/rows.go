package beam

import (
	"fmt"
	"math"
	"slices"
)

// The kinds of files that rows come from.
const (
	Raw    = "raw"    // numbers row by row, the low byte first, nothing else
	NPY    = "npy"    // what dataset.NPYRows reads
	LIBSVM = "libsvm" // text, an example a line
	CSR    = "csr"    // blocks of dataset.CSRBlock, one after another or one a file, with the classes of the rows
)

// Format says what the files of rows hold.
type Format struct {
	Kind string
	Type string // of the numbers of Raw and CSR: f4 or f8
	Cols int    // features d of a row

	Scale, Shift float64 // NPY: a number v of the file stands for v Scale + Shift; default of Scale: 1
	ZeroBased    bool    // LIBSVM: the first column is 0; default: it is 1
	Sets         bool    // LIBSVM and CSR: any number of labels an example; default: one
}

// Rows is an element of a pipeline: some rows of a file. [Split] makes them.
type Rows struct {
	Path   string
	First  int64 // number of the first row, counted through all files
	Count  int   // number of rows
	Row    int64 // number of the first row in its file
	Offset int64 // the byte of the file at which the rows begin; of NPY 0
	Bytes  int64 // number of bytes; of NPY the size of the file
	Format Format
}

// String names the rows, for errors.
func (r Rows) String() string {
	return fmt.Sprintf("%s, rows %d to %d", r.Path, r.First, r.First+int64(r.Count)-1)
}

// size returns the bytes of a number of Raw.
func (f Format) size() int {
	if f.Type == "f4" {
		return 4
	}
	return 8
}

// dense reports whether rows are dense, with labels in a file of their own.
func (f Format) dense() bool { return f.Kind == Raw || f.Kind == NPY }

// part returns the rows from, ..., to-1 of an element, if they can be read by themselves.
func (r Rows) part(from, to int) (Rows, bool) {
	if !r.Format.dense() {
		return r, false
	}
	r.First, r.Row, r.Count = r.First+int64(from), r.Row+int64(from), to-from
	if r.Format.Kind == Raw {
		row := int64(r.Format.Cols * r.Format.size())
		r.Offset, r.Bytes = r.Offset+int64(from)*row, int64(to-from)*row
	}
	return r, true
}

// check returns what is wrong with a format.
func (f Format) check() error {
	switch {
	case f.Cols < 1 || f.Cols > math.MaxInt32:
		return fmt.Errorf("beam: a format of %d columns, want 1 to %d", f.Cols, math.MaxInt32)
	case !slices.Contains([]string{Raw, NPY, LIBSVM, CSR}, f.Kind):
		return fmt.Errorf("beam: a format of the kind %q, want %q, %q, %q or %q", f.Kind, Raw, NPY, LIBSVM, CSR)
	case (f.Kind == Raw || f.Kind == CSR) && f.Type != "f4" && f.Type != "f8":
		return fmt.Errorf("beam: %s numbers of the type %q, want f4 or f8", f.Kind, f.Type)
	case f.Kind != NPY && (f.Scale != 0 && f.Scale != 1 || f.Shift != 0):
		return fmt.Errorf("beam: rows of the kind %q with Scale %v and Shift %v, want %q", f.Kind, f.Scale, f.Shift,
			NPY)
	case f.Scale-f.Scale != 0 || f.Shift-f.Shift != 0:
		return fmt.Errorf("beam: Scale %v and Shift %v, want finite numbers", f.Scale, f.Shift)
	case f.Kind != LIBSVM && f.ZeroBased:
		return fmt.Errorf("beam: rows of the kind %q with ZeroBased, want %q", f.Kind, LIBSVM)
	case f.dense() && f.Sets:
		return fmt.Errorf("beam: rows of the kind %q with Sets, want %q or %q", f.Kind, LIBSVM, CSR)
	}
	return nil
}

// check returns what is wrong with an element by itself, before memory is taken for it.
func (r Rows) check() error {
	if err := r.Format.check(); err != nil {
		return err
	}
	if r.Count < 1 || min(r.First, r.Row, r.Offset, r.Bytes) < 0 || r.First > math.MaxInt64-int64(r.Count) ||
		r.Row > math.MaxInt64-int64(r.Count) || r.Offset > math.MaxInt64-r.Bytes {
		return fmt.Errorf("beam: %s: %d rows from %d, in the file from %d, %d bytes from %d: want numbers that are "+
			"not negative, nor too large, and a row", r.Path, r.Count, r.First, r.Row, r.Bytes, r.Offset)
	}
	row := int64(r.Format.Cols * r.Format.size())
	if r.Format.Kind == Raw && (r.Bytes%row != 0 || r.Bytes/row != int64(r.Count)) {
		return fmt.Errorf("beam: %v: %d bytes, want %d for each of %d rows", r, r.Bytes, row, r.Count)
	}
	return nil
}

// total returns the number of rows of all elements.
func total(rows []Rows) (n int64) {
	for _, r := range rows {
		n += int64(r.Count)
	}
	return n
}
