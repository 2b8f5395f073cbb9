package dataset

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Blocks of any size, one after the other, are the file.
func TestReadLIBSVMBlocks(t *testing.T) {
	text := string(libsvmText(1<<15, 40, 5, 3)) + "# a comment\n\n3\n-1 40:7 # the last, without an end"
	for _, o := range []LIBSVMOptions{{Cols: 40}, {Cols: 40, MaxRows: 100}, {Cols: 40, Sets: true},
		{Cols: 30, DropUnseen: true}} {
		want, err := ReadLIBSVM[float32](strings.NewReader(text), "f", o)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 7, 1000, 1 << 20} {
			var val []float32
			var idx []int32
			var names []string
			var ends []int
			dropped := 0
			err := ReadLIBSVMBlocks(strings.NewReader(text), "f", o, size, func(d *Labeled[*CSR[float32]]) error {
				if err := d.X.Validate(); err != nil || d.X.Cols != o.Cols || d.X.Rows < 1 {
					t.Fatalf("size %d: %d rows of %d columns, %v", size, d.X.Rows, d.X.Cols, err)
				}
				if i := d.X.Ptr[d.X.Rows-1]; d.X.Rows > 1 && d.X.Rows-1+i >= size {
					t.Errorf("size %d: a block has %d examples and %d nonzeros before its last", size, d.X.Rows-1, i)
				}
				for i := range d.X.Rows {
					if ends = append(ends, len(val)+d.X.Ptr[i+1]); d.Sets == nil {
						names = append(names, d.Classes[d.Y[i]])
						continue
					}
					for _, k := range d.Sets[i] {
						names = append(names, d.Classes[k])
					}
				}
				val, idx = append(val, d.X.Val...), append(idx, d.X.Idx...)
				dropped += d.DroppedNonzeros
				return nil
			})
			var wantNames []string
			for i := range want.X.Rows {
				if want.Sets == nil {
					wantNames = append(wantNames, want.Classes[want.Y[i]])
					continue
				}
				for _, k := range want.Sets[i] {
					wantNames = append(wantNames, want.Classes[k])
				}
			}
			if err != nil || !slices.Equal(val, want.X.Val) || !slices.Equal(idx, want.X.Idx) ||
				!slices.Equal(ends, want.X.Ptr[1:]) || !slices.Equal(names, wantNames) ||
				dropped != want.DroppedNonzeros {
				t.Errorf("%+v, size %d: not the same (%v)", o, size, err)
			}
		}
	}
}

func TestReadLIBSVMBlocksNamesTheLine(t *testing.T) {
	read := func(text string, o LIBSVMOptions, size int, result error) error {
		return ReadLIBSVMBlocks(strings.NewReader(text), "f", o, size,
			func(*Labeled[*CSR[float32]]) error { return result })
	}
	checkPlace(t, read("1 1:1\n1 1:2\n1 1:x\n", LIBSVMOptions{Cols: 1}, 1, nil), "f:3:5", `"x"`)
	checkPlace(t, read("", LIBSVMOptions{Cols: 1}, 1, nil), "f:1:1", "an example")
	checkPlace(t, read("1 qid:1 1:1\n1 1:2\n", LIBSVMOptions{Cols: 1}, 1, nil), "f:2:3", "qid")
	checkMessage(t, read("1 1:1\n", LIBSVMOptions{}, 1, nil), []string{"Cols", "0"})
	checkMessage(t, read("1 1:1\n", LIBSVMOptions{Cols: 1}, 0, nil), []string{"size", "0"})
	enough := errors.New("enough")
	if err := read("1 1:1\n1 1:2\n", LIBSVMOptions{Cols: 1}, 1, enough); err != enough {
		t.Errorf("error %v", err)
	}
}
