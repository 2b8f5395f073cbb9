package dataset_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/vec"
)

// What readers of package dataset may allocate in all, whatever the input says: windows, tables and the first room for
// numbers, and some bytes for each one of the input, which holds a number or a label in two bytes of text, or in one of
// a binary file, while rooms double. Each block of LIBSVM's text begins with a room of its own.
var (
	textMemory   = damage.Limit{Base: 3 << 17, PerByte: 64}
	binaryMemory = damage.Limit{Base: 1 << 19, PerByte: 16}
	blocksMemory = damage.Limit{Base: 3 << 20, PerByte: 64}
)

// radar is the first returns of the set Ionosphere, each in one of a few groups.
func radar() *dataset.Labeled[*dataset.Dense[float64]] {
	d := samples.Ionosphere[float64]()
	const n = 60
	d.X, d.Y, d.Labels.Values = d.X.Window(0, n), d.Y[:n], nil
	for i := range n {
		d.Groups = append(d.Groups, i/7-2)
	}
	return d
}

// rowsOf is x as sparse rows.
func rowsOf(x *dataset.Dense[float64]) *dataset.CSR[float64] {
	s := &dataset.CSR[float64]{Rows: x.Rows, Cols: x.Cols, Ptr: []int{0}}
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Idx, s.Val = append(s.Idx, int32(j)), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Val))
	}
	return s
}

// sparse is their text, as LIBSVM has it: with labels, with groups, or with sets of labels.
func sparse(t testing.TB, groups, sets bool) []byte {
	t.Helper()
	d := radar()
	x := rowsOf(d.X)
	l := &dataset.Labeled[*dataset.CSR[float64]]{X: x, Labels: dataset.Labels{Y: d.Y, Classes: []string{"-1", "1"}}}
	if groups {
		l.Groups = d.Groups
	}
	if sets {
		l.Labels = dataset.Labels{Classes: []string{"1", "2", "7"}}
		for i := range d.Y {
			l.Sets = append(l.Sets, [][]int{{0, 2}, {1}, {}, {0, 1, 2}}[i%4])
		}
	}
	var b bytes.Buffer
	if err := dataset.WriteLIBSVM(&b, l, dataset.LIBSVMOptions{Sets: sets}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// table is their text as CSV, with a header.
func table(t testing.TB) []byte {
	t.Helper()
	d := radar()
	for j := range d.X.Cols {
		d.FeatureNames = append(d.FeatureNames, fmt.Sprint("pulse ", j))
	}
	d.Groups = nil
	var b bytes.Buffer
	if err := dataset.WriteCSV(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// digits is the first images of the set Digits, in an array of NPY, IDX or in vectors.
func digits(t testing.TB, format string) []byte {
	t.Helper()
	all := samples.Digits[float64]()
	const n = 40
	x := all.X.Window(0, n)
	var b bytes.Buffer
	var err error
	switch format {
	case "npy", "f2", "f8":
		element := format
		if format == "npy" {
			element = "u1"
		}
		err = dataset.WriteNPY(&b, x, dataset.NPYOptions{Type: element})
	case "npy labels":
		err = dataset.WriteNPY(&b, &dataset.Dense[float64]{Matrix: vec.MatrixOf(n, 1, all.Values[:n])},
			dataset.NPYOptions{})
	case "idx":
		b.Write([]byte{0, 0, 8, 3, 0, 0, 0, n, 0, 0, 0, 8, 0, 0, 0, 8})
		for _, v := range x.Data {
			b.WriteByte(byte(v))
		}
	case "idx labels":
		b.Write([]byte{0, 0, 8, 1, 0, 0, 0, n})
		for _, y := range all.Y[:n] {
			b.WriteByte(byte(y))
		}
	default:
		err = dataset.WriteVecs(&b, x, dataset.VecsOptions{Format: format})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t testing.TB, file []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(file)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// hostile is a reader of package dataset with its sound file.
type hostile struct {
	name string
	file []byte
	damage.Form
	read func(t testing.TB, r io.Reader) error
}

// sound tells t where what was read without an error is not sound, and returns the error.
func sound[X interface{ Validate() error }](t testing.TB, x func() X, err error) error {
	t.Helper()
	if err == nil {
		if err := x().Validate(); err != nil {
			t.Errorf("read without an error, but %v", err)
		}
	}
	return err
}

func hostiles(t testing.TB) []hostile {
	type csr = *dataset.CSR[float32]
	libsvm := func(o dataset.LIBSVMOptions) func(t testing.TB, r io.Reader) error {
		return func(t testing.TB, r io.Reader) error {
			d, err := dataset.ReadLIBSVM[float32](r, "f", o)
			return sound(t, func() csr { return d.X }, err)
		}
	}
	npy := func(t testing.TB, r io.Reader) error {
		x, err := dataset.ReadNPY[float64](r, "f", dataset.NPYOptions{})
		return sound(t, func() *dataset.Dense[float64] { return x }, err)
	}
	vectors := func(format string) func(t testing.TB, r io.Reader) error {
		return func(t testing.TB, r io.Reader) error {
			x, err := dataset.ReadVecs[float64](r, "f", dataset.VecsOptions{Format: format})
			return sound(t, func() *dataset.Dense[float64] { return x }, err)
		}
	}
	fortran, err := os.ReadFile("testdata/f8-fortran.npy")
	if err != nil {
		t.Fatal(err)
	}
	return []hostile{
		{"LIBSVM", sparse(t, false, false), damage.Text, libsvm(dataset.LIBSVMOptions{})},
		{"LIBSVM qid", sparse(t, true, false), damage.Text, libsvm(dataset.LIBSVMOptions{})},
		{"LIBSVM unseen", sparse(t, false, false), damage.Text,
			libsvm(dataset.LIBSVMOptions{Cols: 30, Classes: []string{"1", "-1"}, DropUnseen: true})},
		{"label sets", sparse(t, false, true), damage.Text, libsvm(dataset.LIBSVMOptions{Sets: true})},
		{"LIBSVM blocks", sparse(t, true, false), damage.Text, func(t testing.TB, r io.Reader) error {
			return dataset.ReadLIBSVMBlocks(r, "f", dataset.LIBSVMOptions{Cols: 34}, 200,
				func(d *dataset.Labeled[csr]) error { return d.X.Validate() })
		}},
		{"CSV", table(t), damage.Text, func(t testing.TB, r io.Reader) error {
			d, err := dataset.ReadCSV[float32](r, "f", dataset.CSVOptions{})
			return sound(t, func() *dataset.Dense[float32] { return d.X }, err)
		}},
		{"IDX", digits(t, "idx"), damage.Binary, func(t testing.TB, r io.Reader) error {
			x, err := dataset.ReadIDX[float64](r, "f", dataset.IDXOptions{})
			return sound(t, func() *dataset.Dense[float64] { return x }, err)
		}},
		{"IDX labels", digits(t, "idx labels"), damage.Binary, func(t testing.TB, r io.Reader) error {
			_, err := dataset.ReadIDXLabels(r, "f", dataset.IDXOptions{})
			return err
		}},
		{"NPY of bytes", digits(t, "npy"), damage.Binary, npy},
		{"NPY of halves", digits(t, "f2"), damage.Binary, npy},
		{"NPY of float64", digits(t, "f8"), damage.Binary, npy},
		{"NPY by columns", fortran, damage.Binary, npy},
		{"NPY, its header", digits(t, "npy")[:200], damage.Text, func(t testing.TB, r io.Reader) error {
			_, err := dataset.ReadNPY[float64](r, "f", dataset.NPYOptions{MaxRows: 1})
			return err
		}},
		{"NPY labels", digits(t, "npy labels"), damage.Binary, func(t testing.TB, r io.Reader) error {
			_, err := dataset.ReadNPYLabels(r, "f", dataset.NPYOptions{})
			return err
		}},
		{"NPY rows", digits(t, "npy"), damage.Binary, readRows},
		{"mapped NPY", digits(t, "npy"), damage.Binary, readMapped},
		{"mapped NPY in place", digits(t, "f8"), damage.Binary, readMapped},
		{"fvecs", digits(t, "fvecs"), damage.Binary, vectors("fvecs")},
		{"bvecs", digits(t, "bvecs"), damage.Binary, vectors("bvecs")},
		{"ivecs", digits(t, "ivecs"), damage.Binary, vectors("ivecs")},
		{"scaling", scalingText(t), damage.Text, func(t testing.TB, r io.Reader) error {
			text, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			s := new(dataset.Scaling)
			if err = s.UnmarshalText(text); err == nil {
				if _, err := s.MarshalText(); err != nil {
					t.Error(err)
				}
			}
			return err
		}},
		{"sparse blocks", sparseBlocks(t), damage.Binary, func(t testing.TB, r io.Reader) error {
			return dataset.ReadCSRBlocks(r, func(b *dataset.CSRBlock[float32]) error { return b.X.Validate() })
		}},
	}
}

// readRows reads by NPYRows.
func readRows(t testing.TB, r io.Reader) error {
	file, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	rows, err := dataset.NewNPYRows[float64](bytes.NewReader(file), int64(len(file)), "f", dataset.NPYOptions{})
	if err != nil {
		return err
	}
	var x dataset.Dense[float64]
	n, _ := rows.Dims()
	return sound(t, func() *dataset.Dense[float64] { return &x }, rows.Read(&x, n/2, n))
}

// readMapped maps a file.
func readMapped(t testing.TB, r io.Reader) error {
	file, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := dataset.MapNPY[float64](path, dataset.NPYOptions{})
	if err != nil {
		return err
	}
	defer x.Close()
	return x.Validate()
}

func scalingText(t testing.TB) []byte {
	s, err := dataset.Standardize(radar().X)
	if err != nil {
		t.Fatal(err)
	}
	text, err := s.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func sparseBlocks(t testing.TB) []byte {
	d, err := dataset.ReadLIBSVM[float32](bytes.NewReader(sparse(t, false, true)), "f",
		dataset.LIBSVMOptions{Sets: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for from := 0; from < d.X.Rows; from += 25 {
		to := min(from+25, d.X.Rows)
		block := dataset.CSRBlock[float32]{First: from, X: d.X.Window(from, to), Sets: d.Sets[from:to]}
		if _, err := block.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// plain hides how long a reader is.
type plain struct{ io.Reader }

// TestHostile: no damage of a file of any format makes a reader panic, or take memory that the bytes do not explain,
// whether it knows how long the input is or not; what is read without an error is sound. So it is with packed files.
func TestHostile(t *testing.T) {
	for _, h := range hostiles(t) {
		limit := binaryMemory
		if h.Form == damage.Text {
			limit = textMemory
		}
		if strings.HasSuffix(h.name, "blocks") {
			limit = blocksMemory
		}
		damage.Reader{Name: h.name, File: h.file, Form: h.Form, N: 400, Limit: limit,
			Unheld: strings.HasPrefix(h.name, "mapped"), Read: func(t testing.TB, file []byte) error {
				if crc32.ChecksumIEEE(file)&1 == 0 { // half of them, the same ones each time
					return h.read(t, bytes.NewReader(file))
				}
				return h.read(t, plain{bytes.NewReader(file)})
			}}.Run(t)
	}
	for _, h := range hostiles(t)[:4] {
		damage.Reader{Name: "packed " + h.name, File: zipped(t, h.file), Form: damage.Binary, N: 200, Unheld: true,
			Limit: damage.Limit{Base: 1 << 19, PerByte: 8 * textMemory.PerByte}, // of what is unpacked
			Read:  func(t testing.TB, file []byte) error { return h.read(t, bytes.NewReader(file)) }}.Run(t)
	}
}
