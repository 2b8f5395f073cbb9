package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Every reader stops after MaxRows examples, and does not look at what comes then.
func TestMaxRows(t *testing.T) {
	for rows := 1; rows <= 4; rows++ {
		n := min(rows, 3)
		for name, read := range map[string]func() (x fmt.Stringer, y []int, err error){
			"libsvm": func() (fmt.Stringer, []int, error) {
				text := "1 1:1\n# 2\n\n2 2:1 3:1\n1 1:1"
				if rows < 3 {
					text += " ?"
				}
				d, err := ReadLIBSVM[float32](strings.NewReader(text), "f", LIBSVMOptions{MaxRows: rows})
				if err != nil {
					return nil, nil, err
				}
				return size{d.X.Rows, len(d.X.Ptr) - 1}, d.Y, d.X.Validate()
			},
			"libsvm sets": func() (fmt.Stringer, []int, error) {
				d, err := ReadLIBSVM[float32](strings.NewReader("1 qid:1 1:1\n2,1 qid:3 2:1\nqid:4 1:1"), "f",
					LIBSVMOptions{MaxRows: rows, Sets: true})
				if err != nil {
					return nil, nil, err
				}
				return size{d.X.Rows, len(d.Groups)}, []int{0, 1, 0}[:len(d.Sets)], d.X.Validate()
			},
			"libsvm dropped": func() (fmt.Stringer, []int, error) {
				text := "7 1:1\n1 1:1\n7 1:1\n2 2:1\n1 1:1\n"
				d, err := ReadLIBSVM[float32](strings.NewReader(text), "f",
					LIBSVMOptions{MaxRows: rows, Classes: []string{"1", "2"}, DropUnseen: true})
				if err != nil {
					return nil, nil, err
				}
				return size{d.X.Rows, len(d.X.Ptr) - 1}, d.Y, d.X.Validate()
			},
			"csv": func() (fmt.Stringer, []int, error) {
				text := "a,b\n3,x\n4,y\n"
				if rows < 3 {
					text += "x,y"
				} else {
					text += "5,x"
				}
				d, err := ReadCSV[float32](strings.NewReader(text), "f", CSVOptions{MaxRows: rows})
				if err != nil {
					return nil, nil, err
				}
				return size{d.X.Rows, d.X.Rows}, d.Y, d.X.Validate()
			},
			"idx": func() (fmt.Stringer, []int, error) {
				x, err := ReadIDX[float32](bytes.NewReader(idxBytes(8, []uint32{3, 2}, []byte{1, 2, 3, 4, 5, 6})[:12+
					2*n]), "f", IDXOptions{MaxRows: rows})
				if err != nil {
					return nil, nil, err
				}
				l, err := ReadIDXLabels(bytes.NewReader(idxBytes(8, []uint32{3}, []byte{1, 2, 1})), "f",
					IDXOptions{MaxRows: rows})
				return size{x.Rows, len(x.Data) / 2}, l.Y, err
			},
		} {
			x, y, err := read()
			want := fmt.Sprint(size{n, n})
			if err != nil || x.String() != want || !slices.Equal(y, []int{0, 1, 0}[:n]) &&
				!(rows == 1 && slices.Equal(y, []int{0})) {
				t.Errorf("%s, %d rows: %v, %v, %v", name, rows, x, y, err)
			}
		}
	}
	want := "dataset: option MaxRows is -5, want 0 at least"
	_, err := ReadLIBSVM[float32](strings.NewReader("1 1:1"), "f", LIBSVMOptions{MaxRows: -5})
	_, err2 := ReadCSV[float32](strings.NewReader("1,1"), "f", CSVOptions{MaxRows: -5})
	_, err3 := ReadIDX[float32](bytes.NewReader(idxBytes(8, []uint32{1}, []byte{1})), "f", IDXOptions{MaxRows: -5})
	for _, err := range []error{err, err2, err3} {
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// size is numbers of examples that ought to be the same.
type size struct{ rows, others int }

func (s size) String() string { return fmt.Sprint(s.rows, s.others) }
