package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// sparseRows is some rows with an empty one, a stored 0 and no value in the last column.
func sparseRows[T vec.Float]() *CSR[T] {
	return &CSR[T]{Rows: 4, Cols: 6, Ptr: []int{0, 2, 2, 3, 6}, Idx: []int32{0, 4, 1, 0, 2, 3},
		Val: []T{1.5, -2, 0, T(math.SmallestNonzeroFloat32), 7, -.25}}
}

func csrBlocks[T vec.Float](bits string) map[string]*CSRBlock[T] {
	x := sparseRows[T]()
	return map[string]*CSRBlock[T]{
		"csr-" + bits:         {First: 1 << 20, X: x},
		"csr-labels-" + bits:  {First: 3, X: x, Y: []int{2, 0, math.MaxInt32, 2}},
		"csr-sets-" + bits:    {X: x, Sets: [][]int{{0, 7}, {}, {math.MaxInt32}, {1, 2, 3}}},
		"csr-no-rows-" + bits: {First: 5, X: x.Window(2, 2), Y: []int{}},
	}
}

func sameBlock[T vec.Float](a, b *CSRBlock[T]) bool {
	return a.First == b.First && sameCSR(a.X, b.X) && slices.Equal(a.Y, b.Y) && (a.Y == nil) == (b.Y == nil) &&
		slices.EqualFunc(a.Sets, b.Sets, slices.Equal[[]int]) && (a.Sets == nil) == (b.Sets == nil)
}

func mustBeBlock[T vec.Float](t *testing.T, got, want *CSRBlock[T]) {
	t.Helper()
	if !sameBlock(got, want) {
		t.Errorf("read %+v %+v, want %+v %+v", got, got.X, want, want.X)
	}
}

// TestCSRBlockGolden: files have the bytes that they had, and come back; any damage shows.
func TestCSRBlockGolden(t *testing.T) {
	containertest.Golden(t, csrBlocks[float32]("32"), ReadCSRBlock[float32], mustBeBlock[float32])
	containertest.Golden(t, csrBlocks[float64]("64"), ReadCSRBlock[float64], mustBeBlock[float64])
	file := containertest.Written(t, csrBlocks[float32]("")["csr-"])
	if _, err := ReadCSRBlock[float64](bytes.NewReader(file)); !errors.Is(err, ErrPrecision) {
		t.Errorf("float32 as float64: %v", err)
	}
}

func TestCSRBlocks(t *testing.T) { prove.Both(t, testCSRBlocks[float32], testCSRBlocks[float64]) }

// However a matrix is cut, its blocks, one after another, are its rows.
func testCSRBlocks[T vec.Float](t *testing.T) {
	x := sparseRows[T]()
	for cut := 1; cut <= x.Rows; cut++ {
		var file bytes.Buffer
		for from := 0; from < x.Rows; from += cut {
			to := min(from+cut, x.Rows)
			b := &CSRBlock[T]{First: from, X: x.Window(from, to), Y: []int{0, 1, 2, 3}[from:to]}
			if _, err := b.WriteTo(&file); err != nil {
				t.Fatal(err)
			}
		}
		rows := 0
		err := ReadCSRBlocks(bytes.NewReader(file.Bytes()), func(b *CSRBlock[T]) error {
			if b.First != rows || b.Y[0] != rows || !sameCSR(b.X, x.Window(rows, rows+b.X.Rows)) {
				t.Errorf("blocks of %d: %+v %+v at row %d", cut, b, b.X, rows)
			}
			rows += b.X.Rows
			return nil
		})
		if err != nil || rows != x.Rows {
			t.Errorf("blocks of %d: %d rows, %v", cut, rows, err)
		}
		stop, calls := errors.New("stop"), 0
		err = ReadCSRBlocks(&file, func(*CSRBlock[T]) error { calls++; return stop })
		if err != stop || calls != 1 {
			t.Errorf("%v after %d blocks", err, calls)
		}
	}
}

// TestCSRBlocksErrors: the number of the block that is wrong is told; nothing is read behind it.
func TestCSRBlocksErrors(t *testing.T) {
	count := 0
	read := func(in io.Reader) error {
		count = 0
		return ReadCSRBlocks(in, func(*CSRBlock[float32]) error { count++; return nil })
	}
	file := containertest.Written(t, csrBlocks[float32]("")["csr-"])
	if err := read(nil); err == nil || count != 0 {
		t.Error(err)
	}
	if err := read(strings.NewReader("")); err != nil || count != 0 {
		t.Errorf("%d blocks of an empty file, %v", count, err)
	}
	err := read(bytes.NewReader(append(slices.Repeat(file, 2), file[:30]...)))
	if !errors.Is(err, ErrCorrupt) || count != 2 || !strings.Contains(err.Error(), "block 2 of the input") {
		t.Errorf("%d blocks, %v", count, err)
	}
	if err := read(io.MultiReader(bytes.NewReader(file), failingReader{})); !errors.Is(err, errBroken) || count != 1 {
		t.Errorf("%d blocks, %v", count, err)
	}
}

var errBroken = errors.New("broken")

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errBroken }

// TestCSRBlockRefused: what is no block is not written, and an error that wraps ErrCorrupt where it was.
func TestCSRBlockRefused(t *testing.T) {
	x := sparseRows[float64]()
	for want, b := range map[string]*CSRBlock[float64]{
		"the sparse matrix is nil":                       {},
		"First = -1 of a block of 4 rows":                {First: -1, X: x},
		fmt.Sprintf("First = %d of a", math.MaxInt):      {First: math.MaxInt, X: x},
		"a block with Y and Sets":                        {X: x, Y: make([]int, 4), Sets: make([][]int, 4)},
		"3 labels of a block of 4 rows":                  {X: x, Y: make([]int, 3)},
		"5 sets of labels of a block of 4":               {X: x, Sets: make([][]int, 5)},
		"row 1 has the class -1":                         {X: x, Y: []int{0, -1, 0, 0}},
		"row 2 has the classes [3 3], want ascending":    {X: x, Sets: [][]int{{}, {}, {3, 3}, {}}},
		"row 0 has the classes [-1 0], want ascending":   {X: x, Sets: [][]int{{-1, 0}, {}, {}, {}}},
		"row 3, column 3: value NaN":                     {X: withValue(math.NaN())},
		"row 3, column 3: value +Inf, want a finite num": {X: withValue(math.Inf(1))},
	} {
		var file bytes.Buffer
		if n, err := b.WriteTo(&file); err == nil || !strings.Contains(err.Error(), want) || n != 0 || file.Len() > 0 {
			t.Errorf("%d bytes, %v, want %q", n, err, want)
		}
	}
	full := &failing{in: make([]byte, 0)}
	if _, err := (&CSRBlock[float64]{X: sparseRows[float64]()}).WriteTo(full); !errors.Is(err, errBroken) {
		t.Errorf("a writer that is full: %v", err)
	}
}

func (*failing) Write([]byte) (int, error) { return 0, errBroken }

func withValue(v float64) *CSR[float64] {
	x := sparseRows[float64]()
	x.Val[5] = v
	return x
}

// csrFile is the sections of a file of a block.
type csrFile struct {
	size, ptr, ends []int
	idx, labels     []int32
	val             []float64
	kind            string
	version         int
}

// TestCSRBlockCorrupt: files whose checksums are right, but that hold no block.
func TestCSRBlockCorrupt(t *testing.T) {
	good := func() csrFile {
		return csrFile{size: []int{0, 2, 3, 2, 0}, ptr: []int{0, 1, 2}, idx: []int32{2, 0}, val: []float64{1, 2},
			kind: kindCSR, version: versionCSR}
	}
	for want, change := range map[string]func(f *csrFile){
		"":                                      func(*csrFile) {},
		`kind "csr", version 2`:                 func(f *csrFile) { f.version = 2 },
		`kind "other", want "csr"`:              func(f *csrFile) { f.kind = "other" },
		`section "size" has 4 elements, want 5`: func(f *csrFile) { f.size = f.size[:4] },
		`section "size" holds -1, want at least 0`: func(f *csrFile) { f.size[0] = -1 },
		"labels of type 3, want one in 0..2":       func(f *csrFile) { f.size[4] = 3 },
		`section "ptr" has 3 elements, want`:       func(f *csrFile) { f.size[1] = math.MaxInt - 1 },
		"a block of ":                              func(f *csrFile) { f.size[1] = math.MaxInt },
		`section "col" has 2 elements, want`:       func(f *csrFile) { f.size[3] = math.MaxInt },
		`section "val" has 1 elements, want 2`:     func(f *csrFile) { f.val = f.val[:1] },
		"row 0 has column 2, value 1: want a col":  func(f *csrFile) { f.size[2] = 2 },
		"row 0 runs from 0 to 3":                   func(f *csrFile) { f.ptr[1] = 3 },
		"First = ":                                 func(f *csrFile) { f.size[0] = math.MaxInt - 1 },
		"row 1, column 0: value NaN":               func(f *csrFile) { f.val[1] = math.NaN() },
		`section "y" has 1 elements, want 2`:       func(f *csrFile) { f.size[4], f.labels = 1, []int32{1} },
		"row 1 has the class -4":                   func(f *csrFile) { f.size[4], f.labels = 1, []int32{1, -4} },
		"the classes of row 1 end at 1":            func(f *csrFile) { f.sets([]int{2, 1}, 1, 2) },
		"the classes of row 0 end at 3":            func(f *csrFile) { f.sets([]int{3, 3}, 1, 2) },
		"2 classes of rows, but the last row ends": func(f *csrFile) { f.sets([]int{0, 1}, 1, 2) },
		"row 1 has the classes [2 1]":              func(f *csrFile) { f.sets([]int{0, 2}, 2, 1) },
	} {
		f := good()
		change(&f)
		var b bytes.Buffer
		w := container.NewWriter(&b, f.kind, f.version)
		w.Ints("size", f.size...)
		w.Ints("ptr", f.ptr...)
		w.Int32s("col", f.idx)
		container.Floats(w, "val", f.val)
		switch tag := "y"; {
		case f.ends != nil:
			w.Ints("ends", f.ends...)
			tag = "sets"
			fallthrough
		case f.labels != nil:
			w.Int32s(tag, f.labels)
		}
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := ReadCSRBlock[float64](&b)
		if want == "" {
			if err != nil || !reflect.DeepEqual(got.X.Ptr, f.ptr) {
				t.Error(got, err)
			}
			continue
		}
		if err == nil || got != nil || !strings.HasPrefix(err.Error(), "dataset: ") ||
			!strings.Contains(err.Error(), want) || errors.Is(err, ErrCorrupt) == strings.HasPrefix(want, "kind") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// sets gives f sets of classes.
func (f *csrFile) sets(ends []int, classes ...int32) { f.size[4], f.ends, f.labels = 2, ends, classes }

// FuzzCSRBlock: what is read of any bytes is valid, is written, and read as the same.
func FuzzCSRBlock(f *testing.F) {
	for _, b := range csrBlocks[float32]("") {
		var file bytes.Buffer
		b.WriteTo(&file)
		f.Add(file.Bytes())
	}
	for _, b := range csrBlocks[float64]("") {
		var file bytes.Buffer
		b.WriteTo(&file)
		f.Add(append(file.Bytes(), file.Bytes()...))
		for _, file := range damage.Seeds(file.Bytes(), damage.Binary, 8) {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		in = containertest.Sealed(in) // else the checksum is all that is tried
		containertest.Reread(t, in, ReadCSRBlock[float32], mustBeBlock[float32])
		containertest.Reread(t, in, ReadCSRBlock[float64], mustBeBlock[float64])
		ReadCSRBlocks(bytes.NewReader(in), func(b *CSRBlock[float64]) error { return b.X.Validate() })
	})
}
