package data

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// Open reads the examples of a file, "-" being standard input. With known, which may be nil, labels and columns are a
// model's: columns beyond its features are left out and counted where the file is sparse, as liblinear-predict does,
// and an error where it is dense; labels that the model does not know become -1, and count as missed by whatever it
// answers.
//
// A file may be without labels: NeedLabels is for those who cannot do without. Errors name the file, the line and the
// value.
func Open[T vec.Float](path string, o Options, known *Known) (*Examples[T], error) {
	if known == nil {
		known = &Known{}
	}
	read := map[string]func(string, Options, *Known) (*Examples[T], error){
		"libsvm": openLIBSVM[T], "csv": openCSV[T], "npy": openNPY[T], "idx": openIDX[T],
		"fvecs": openVecs[T], "bvecs": openVecs[T], "ivecs": openVecs[T],
	}
	format := FormatOf(path, o.Format)
	e, err := read[format](path, o, known)
	if err != nil {
		return nil, err
	}
	e.Format = format
	if err := e.openBeside(path, o); err != nil {
		return nil, err
	}
	if _, d := e.X.Dims(); known.Features > 0 && d != known.Features {
		return nil, fmt.Errorf("%s: examples of %d features, the model has %d", path, d, known.Features)
	}
	e.translate(known)
	return e, nil
}

// Files returns the files that Open reads; "" is none.
func Files(path string, o Options) []string {
	all := []string{path, o.GroupFile, o.FoldFile}
	if format := FormatOf(path, o.Format); format == "npy" || format == "idx" {
		all = append(all, o.labels(path))
	}
	return all
}

// FormatOf returns the format that a file of this name has unless the flag says it.
func FormatOf(path, flag string) string {
	if flag != "" && flag != "auto" {
		return flag
	}
	switch name := strings.ToLower(strings.TrimSuffix(filepath.Base(path), ".gz")); {
	case strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".tsv"):
		return "csv"
	case strings.HasSuffix(name, ".npy"):
		return "npy"
	case strings.HasSuffix(name, ".idx"), strings.HasSuffix(name, "-ubyte"), strings.Contains(name, "-idx"),
		strings.Contains(name, ".idx"):
		return "idx"
	case strings.HasSuffix(name, ".fvecs"), strings.HasSuffix(name, ".bvecs"), strings.HasSuffix(name, ".ivecs"):
		return name[len(name)-len("fvecs"):]
	}
	return "libsvm"
}

func openLIBSVM[T vec.Float](path string, o Options, known *Known) (*Examples[T], error) {
	in, err := file.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	options, unlabeled := libsvmOptions(in.Reader, o, known)
	d, err := dataset.ReadLIBSVM[T](in, path, options)
	if err != nil {
		return nil, err
	}
	return fromLIBSVM(d, unlabeled), nil
}

// libsvmOptions says how to read the text that in begins with. Without labels it is read as one of empty sets.
func libsvmOptions(in *bufio.Reader, o Options, known *Known) (_ dataset.LIBSVMOptions, unlabeled bool) {
	options := dataset.LIBSVMOptions{ZeroBased: o.ZeroBased, Cols: o.Features, Sets: o.MultiLabel, MaxRows: o.MaxRows}
	if known.Features > 0 {
		options.Cols, options.DropUnseen = known.Features, true
	}
	unlabeled, sets := look(in)
	options.Sets = options.Sets || sets || unlabeled || known.Sets
	return options, unlabeled && !o.MultiLabel
}

func fromLIBSVM[T vec.Float](d *dataset.Labeled[*dataset.CSR[T]], unlabeled bool) *Examples[T] {
	e := &Examples[T]{X: d.X, Labels: d.Labels, Groups: d.Groups, Format: "libsvm", UnseenNonzeros: d.DroppedNonzeros}
	if unlabeled {
		e.Labels = dataset.Labels{}
	}
	return e
}

// look tells from the lines that in begins with whether examples have no labels at all, or sets of labels: several with
// commas between them, or some and some none.
func look(in *bufio.Reader) (unlabeled, sets bool) {
	head, err := in.Peek(in.Size())
	if n := strings.LastIndexByte(string(head), '\n'); err == nil && n >= 0 {
		head = head[:n]
	}
	with, without := 0, 0
	for line := range strings.Lines(string(head)) {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0:
		case strings.Contains(fields[0], ":"):
			without++
		default:
			with++
			sets = sets || strings.Contains(fields[0], ",")
		}
	}
	return without > 0 && with == 0, sets || with > 0 && without > 0
}

func openNPY[T vec.Float](path string, o Options, known *Known) (*Examples[T], error) {
	options := dataset.NPYOptions{Scale: o.Multiply, MaxRows: o.MaxRows}
	x, err := read(path, options, dataset.ReadNPY[T])
	if err != nil {
		return nil, err
	}
	l, err := openLabels(path, o, x.Rows, func(labels string) (dataset.Labels, error) {
		return read(labels, options, dataset.ReadNPYLabels)
	})
	return &Examples[T]{X: x, Labels: l}, err
}

func openIDX[T vec.Float](path string, o Options, known *Known) (*Examples[T], error) {
	options := dataset.IDXOptions{Scale: o.Multiply, MaxRows: o.MaxRows}
	x, err := read(path, options, dataset.ReadIDX[T])
	if err != nil {
		return nil, err
	}
	l, err := openLabels(path, o, x.Rows, func(labels string) (dataset.Labels, error) {
		return read(labels, options, dataset.ReadIDXLabels)
	})
	return &Examples[T]{X: x, Labels: l}, err
}

func openVecs[T vec.Float](path string, o Options, known *Known) (*Examples[T], error) {
	options := dataset.VecsOptions{Format: FormatOf(path, o.Format), Scale: o.Multiply, MaxRows: o.MaxRows}
	x, err := read(path, options, dataset.ReadVecs[T])
	return &Examples[T]{X: x}, err
}

// read applies a reader of package dataset to a file.
func read[D, O any](path string, o O, read func(io.Reader, string, O) (D, error)) (d D, err error) {
	in, err := file.Open(path)
	if err != nil {
		return d, err
	}
	defer in.Close()
	switch any(o).(type) {
	case dataset.NPYOptions, dataset.IDXOptions, dataset.VecsOptions:
		in.AtOnce()
	}
	return read(in, path, o)
}
