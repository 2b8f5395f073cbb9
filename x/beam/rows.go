package beam

import "fmt"

// The kinds of files that rows come from.
const (
	Raw    = "raw"    // numbers row by row, the low byte first, nothing else
	LIBSVM = "libsvm" // text, an example a line
)

// Format says what the files of rows hold.
type Format struct {
	Kind string // Raw or LIBSVM
	Type string // of the numbers of Raw: f4 or f8
	Cols int    // features d of a row

	ZeroBased bool // LIBSVM: the first column is 0; default: it is 1
	Sets      bool // LIBSVM: any number of labels an example, separated by commas; default: one
}

// Rows is an element of a pipeline: some rows of a file. [Split] makes them.
type Rows struct {
	Path   string
	First  int64 // number of the first row, counted through all files
	Count  int   // number of rows
	Offset int64 // the byte of the file at which the rows begin
	Bytes  int64 // number of bytes
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

// check returns what is wrong with a format.
func (f Format) check() error {
	switch {
	case f.Cols < 1:
		return fmt.Errorf("beam: a format of %d columns, want 1 at least", f.Cols)
	case f.Kind != Raw && f.Kind != LIBSVM:
		return fmt.Errorf("beam: a format of the kind %q, want %q or %q", f.Kind, Raw, LIBSVM)
	case f.Kind == Raw && f.Type != "f4" && f.Type != "f8":
		return fmt.Errorf("beam: raw numbers of the type %q, want f4 or f8", f.Type)
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
