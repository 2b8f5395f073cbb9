package dataset_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/damage"
)

// TestBombs: of what is packed 1000 to 1 a reader unpacks no more than MaxBytes, and takes memory for no more.
func TestBombs(t *testing.T) {
	const size, most = 64 << 20, 1 << 20
	header := []byte("{'descr': '<f8', 'fortran_order': False, 'shape': (4194304, 2), }")
	npy := string(append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header))), header...))
	zeros := string(make([]byte, 1<<10))
	libsvm := func(sets bool) func(b []byte) error {
		return func(b []byte) error {
			o := dataset.LIBSVMOptions{MaxBytes: most, Sets: sets}
			_, err := dataset.ReadLIBSVM[float32](bytes.NewReader(b), "f", o)
			return err
		}
	}
	csv := func(b []byte) error {
		_, err := dataset.ReadCSV[float32](bytes.NewReader(b), "f", dataset.CSVOptions{MaxBytes: most})
		return err
	}
	for _, c := range []struct {
		name, head, line, end string
		read                  func(b []byte) error
	}{
		{"LIBSVM", "", "1 1:1\n", "", libsvm(false)},
		{"LIBSVM, one line", "1 1:1 #", "comment", "\n", libsvm(false)},
		{"LIBSVM, one word", "1 1:", "1", "\n", libsvm(false)},
		{"LIBSVM, labels alone", "1 1:1\n", "1\n", "", libsvm(false)},
		{"label sets", "", "1,2 1:1\n", "", libsvm(true)},
		{"label sets, empty", "1 1:1\n", "1:1\n", "", libsvm(true)},
		{"CSV", "", "1,2\n", "", csv},
		{"CSV, one line", "a", ",a", "\n", csv},
		{"CSV, one field", "1,\"", "a\n", "\"\n", csv},
		{"NPY", npy, zeros, "", func(b []byte) error {
			_, err := dataset.ReadNPY[float64](bytes.NewReader(b), "f", dataset.NPYOptions{MaxBytes: most})
			return err
		}},
		{"IDX", "\x00\x00\x08\x02\x00\x10\x00\x00\x00\x00\x00\x40", zeros, "", func(b []byte) error {
			_, err := dataset.ReadIDX[float32](bytes.NewReader(b), "f", dataset.IDXOptions{MaxBytes: most})
			return err
		}},
		{"IDX labels", "\x00\x00\x08\x01\x04\x00\x00\x00", zeros, "", func(b []byte) error {
			_, err := dataset.ReadIDXLabels(bytes.NewReader(b), "f", dataset.IDXOptions{MaxBytes: most})
			return err
		}},
		{"fvecs", "", "\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "", func(b []byte) error {
			_, err := dataset.ReadVecs[float32](bytes.NewReader(b), "f.fvecs", dataset.VecsOptions{MaxBytes: most})
			return err
		}},
		{"bvecs", "\x00\x00\x00\x04", zeros, "", func(b []byte) error {
			_, err := dataset.ReadVecs[float32](bytes.NewReader(b), "f.bvecs", dataset.VecsOptions{MaxBytes: most})
			return err
		}},
	} {
		bomb := damage.Bomb(t, c.head, c.line, c.end, size)
		damage.Defused(t, c.name, 96*most, func() error {
			err := c.read(bomb)
			if e := new(dataset.ParseError); err != nil && !errors.As(err, &e) {
				t.Errorf("%s: %v is no *ParseError", c.name, err)
			}
			return err
		})
	}
	// Without a limit what is surplus takes no memory: readers stop where it begins.
	for _, head := range []string{"\x00\x00\x08\x01\x00\x00\x00\x03abc", "\x00\x00\x0e\x01\x00\x00\x00\x01\x00\x00"} {
		bomb := damage.Bomb(t, head, zeros, "", size)
		damage.Defused(t, "surplus", 1<<20, func() error {
			_, err := dataset.ReadIDX[float64](bytes.NewReader(bomb), "f", dataset.IDXOptions{MaxBytes: math.MaxInt64})
			return err
		})
	}
}
