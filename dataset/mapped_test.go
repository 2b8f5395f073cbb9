package dataset_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

var (
	_ design.Matrix[float32] = dataset.Mapped[float32](nil)
	_ design.Matrix[float64] = dataset.Mapped[float64](nil)
)

// npyFile writes x to a file.
func npyFile[T vec.Float](t testing.TB, x vec.Matrix[T], o dataset.NPYOptions) string {
	t.Helper()
	var file bytes.Buffer
	if err := dataset.WriteNPY(&file, &dataset.Dense[T]{Matrix: x}, o); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func mapped[T vec.Float](t testing.TB, path string, o dataset.NPYOptions) dataset.Mapped[T] {
	t.Helper()
	x, err := dataset.MapNPY[T](path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if x.CheckSizes() == nil {
			x.Close()
		}
	})
	return x
}

func TestMapped(t *testing.T) { prove.Both(t, testMapped[float32], testMapped[float64]) }

// Every method sees the same numbers, whatever type they have in the file, and rows are offered where they lie there.
func testMapped[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, size := range [][3]int{{1, 1, 1}, {5, 17, 3}, {9, 300, 10}, {6, 33, 0}, {3, 33000, 1}, {90, 400, 2}} {
		n, d, m := size[0], size[1], size[2]
		if testing.Short() && n*d > 1<<14 {
			continue
		}
		whole := vec.NewMatrix[T](n, d)
		for i := range whole.Data {
			whole.Data[i] = T(rng.IntN(100)-50) / 4
		}
		for kind, o := range map[string]dataset.NPYOptions{
			"f4": {}, "f8": {}, "i1": {Scale: .25}, "u1": {Scale: .25, Offset: -20}, "i2": {Scale: .25},
			"u4": {Scale: .125, Offset: -40},
		} {
			o.Type = kind
			x := mapped[T](t, npyFile(t, whole, o), o)
			same := kind == "f4" && prove.IsF32[T]() || kind == "f8" && !prove.IsF32[T]()
			if rows, ok := x.(design.DenseRows[T]); ok != (same && !bigEndian) {
				t.Errorf("%s: has rows: %v", kind, ok)
			} else if ok {
				if one, again := rows.Row(0), rows.Row(0); &one[0] != &again[0] {
					t.Error("rows are copies")
				}
			}
			for _, rows := range [][]int{nil, {}, {n - 1}, {0, n - 1, 0, n / 2, n - 1, n / 3, n / 2}} {
				t.Run(fmt.Sprintf("%s/%dx%dx%d/%v", kind, n, d, m, rows),
					func(t *testing.T) { checkFeatures(t, rng, whole, x, rows, m) })
			}
			if err := x.Validate(); err != nil {
				t.Error(err)
			}
			o.MaxRows = 3
			first := mapped[T](t, npyFile(t, whole, o), o)
			checkFeatures(t, rng, whole.Slice(0, min(n, 3), 0, d), first, nil, m)
		}
	}
}

// Files of numpy are mapped as they are read, where they are row by row.
func TestMapGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.npy")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		x, err := dataset.MapNPY[float32](path, dataset.NPYOptions{})
		if strings.Contains(path, "fortran") {
			mustSay(t, err, []string{path + ": byte 59", "3 by 4 in Fortran's order", "ReadNPY"})
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := dataset.ReadNPY[float32](bytes.NewReader(file), path, dataset.NPYOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n, d := x.Dims()
		got := vec.NewMatrix[float32](n, d)
		x.Gather(got, nil)
		if fmt.Sprint(got) != fmt.Sprint(want.Matrix) {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestMapErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, err := os.ReadFile("testdata/f4.npy")
	if err != nil {
		t.Fatal(err)
	}
	nan := append([]byte(nil), good...)
	copy(nan[128+4*5:], []byte{0, 0, 0xc0, 0x7f})
	for path, parts := range map[string][]string{
		write("short", good[:175]):         {"short: byte 175", "a file of 175 bytes", "want 176"},
		write("long", append(good, 0, 0)):  {"long: byte 176", "a file of 178 bytes", "want 176"},
		write("text", []byte("1 2 3 4 5")): {"text: byte 0", "NUMPY"},
		write("none", nil):                 {"none: byte 0", "end of the file"},
		write("packed", packedFile(good)):  {"packed: byte", "compressed"},
		filepath.Join(dir, "missing"):      {"missing"},
	} {
		x, err := dataset.MapNPY[float32](path, dataset.NPYOptions{})
		if x != nil || err == nil {
			t.Errorf("%s is mapped", path)
			continue
		}
		mustSay(t, err, parts)
	}
	if _, err := dataset.MapNPY[float32]("testdata/f4.npy", dataset.NPYOptions{MaxRows: -2}); err == nil {
		t.Error("MaxRows -2")
	}
	path := write("nan", nan)
	for _, o := range []dataset.NPYOptions{{}, {Scale: 2}} {
		if err := mapped[float32](t, path, o).Validate(); err == nil ||
			err.Error() != "dataset: row 1, column 1: value NaN, want a finite number" {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// After Close solvers return an error, and calls that name a row panic.
func TestMappedClosed(t *testing.T) {
	for _, o := range []dataset.NPYOptions{{}, {Scale: 2}} {
		x := mapped[float32](t, "testdata/f4.npy", o)
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		want := "dataset: the examples of testdata/f4.npy are closed"
		for _, err := range []error{x.Close(), x.CheckSizes(), x.Validate()} {
			if err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
		}
		if _, _, err := design.Check[float32](x); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Error(err)
		}
		w, s := vec.NewMatrix[float32](4, 2), vec.NewMatrix[float32](1, 2)
		for name, call := range map[string]func(){
			"Gather":       func() { x.Gather(vec.NewMatrix[float32](1, 4), []int{0}) },
			"Scores":       func() { x.Scores(s, w, []int{0}) },
			"Accumulate":   func() { x.Accumulate(w, s, []int{0}) },
			"Gram":         func() { x.Gram(vec.NewMatrix[float32](1, 1), []int{0}, []int{0}) },
			"SquaredNorms": func() { x.SquaredNorms(make([]float32, 3)) },
			"Row":          func() { design.Window[float32](x, 0, 1) },
		} {
			func() {
				defer func() {
					if got, ok := recover().(vec.ShapeError); !ok {
						t.Errorf("%s: %v, want a ShapeError", name, got)
					}
				}()
				call()
			}()
		}
	}
}

// Several goroutines read at a time.
func TestMappedConcurrent(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	whole := vec.NewMatrix[float32](100, 100)
	for i := range whole.Data {
		whole.Data[i] = float32(rng.IntN(256))
	}
	for _, kind := range []string{"u1", "f4"} {
		x := mapped[float32](t, npyFile(t, whole, dataset.NPYOptions{Type: kind}), dataset.NPYOptions{})
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() { checkFeatures(t, rand.New(rand.NewPCG(1, 1)), whole, x, nil, 3) })
		}
		group.Wait()
	}
}

// bigEndian reports whether this machine has the high byte first: the files of these tests have the low one.
var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

func packedFile(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

func mustSay(t *testing.T, err error, parts []string) {
	t.Helper()
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("error %v, want %q in it", err, part)
		}
	}
}
