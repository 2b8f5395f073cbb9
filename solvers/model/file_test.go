package model

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// golden returns the committed files of all kinds of models, which end in 32.bin or 64.bin.
func golden(t testing.TB) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, dir := range []string{"linear", "kernel", "kernel/bundle"} {
		paths, err := filepath.Glob(filepath.Join("..", dir, "testdata", "*.bin"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[path] = b
		}
	}
	if len(files) < 8 {
		t.Fatalf("%d files", len(files))
	}
	return files
}

// Models of every kind are read, each as the one that it is, and written as they were.
func TestRead(t *testing.T) {
	kinds := map[string]int{}
	for path, b := range golden(t) {
		single, double, err := ReadAny(bytes.NewReader(b))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		var again bytes.Buffer
		if strings.HasSuffix(path, "32.bin") {
			if double != nil {
				t.Fatalf("%s: float64", path)
			}
			_, err = single.WriteTo(&again)
			kinds[kindOf(single)]++
		} else {
			if single != nil {
				t.Fatalf("%s: float32", path)
			}
			_, err = double.WriteTo(&again)
			kinds[kindOf(double)]++
		}
		if err != nil || !bytes.Equal(again.Bytes(), b) {
			t.Errorf("%s: written otherwise, %v", path, err)
		}
	}
	for _, kind := range []string{"linear", "lowrank", "kernel", "kernels"} {
		if kinds[kind] < 2 {
			t.Errorf("%d files of kind %s", kinds[kind], kind)
		}
	}
}

func kindOf[T vec.Float](m *Model[T]) string {
	switch {
	case m.Linear != nil:
		return "linear"
	case m.LowRank != nil:
		return "lowrank"
	case m.Kernel != nil:
		return "kernel"
	}
	return "kernels"
}

// Read takes no byte behind a model, and says which of its errors are the file's.
func TestReadErrors(t *testing.T) {
	for path, b := range golden(t) {
		stream := io.MultiReader(bytes.NewReader(b), strings.NewReader("rest"))
		var err, other error
		if strings.HasSuffix(path, "32.bin") {
			_, err = Read[float32](stream)
			_, other = Read[float64](bytes.NewReader(b))
		} else {
			_, err = Read[float64](stream)
			_, other = Read[float32](bytes.NewReader(b))
		}
		if rest, _ := io.ReadAll(stream); err != nil || string(rest) != "rest" {
			t.Errorf("%s: %v, and %q is left", path, err, rest)
		}
		if !errors.Is(other, ErrPrecision) || errors.Is(other, ErrCorrupt) {
			t.Errorf("%s as the other type: %v", path, other)
		}
		for _, n := range []int{0, 23, 24, len(b) / 2, len(b) - 1} {
			if _, _, err := ReadAny(bytes.NewReader(b[:n])); !errors.Is(err, ErrCorrupt) {
				t.Errorf("%s, cut to %d bytes: %v", path, n, err)
			}
		}
	}
	_, err := Read[float32](nil)
	if _, _, any := ReadAny(nil); err == nil || any == nil {
		t.Errorf("nil readers: %v, %v", err, any)
	}
	var state bytes.Buffer
	container.NewWriter(&state, "state", 1).Close()
	if _, err := Read[float32](&state); err == nil || !strings.Contains(err.Error(), `"state"`) {
		t.Errorf("a state: %v", err)
	}
}

// A Model of low rank is its LowRank.
func TestLowRank(t *testing.T) {
	u, v := vec.MatrixOf(2, 1, []float64{1, 2}), vec.MatrixOf(3, 1, []float64{3, 4, 5})
	lr, err := linear.NewLowRank(u, v, nil, []string{"a", "b", "c"})
	if err != nil {
		t.Fatal(err)
	}
	m := (&Model[float64]{LowRank: lr}).WithNotes(map[string]string{"key": "value"})
	if d, k := m.Dims(); d != 2 || k != 3 || m.Names()[2] != "c" || m.Notes()["key"] != "value" || lr.Notes() != nil {
		t.Errorf("%d features, %d outputs, names %q, notes %q", d, k, m.Names(), m.Notes())
	}
	var _ solvers.Scorer[float64] = m
	if _, err := (&Model[float64]{}).WriteTo(io.Discard); err == nil {
		t.Error("a model of nothing is written")
	}
}

func FuzzRead(f *testing.F) {
	for _, b := range golden(f) {
		for _, b := range damage.Seeds(b, damage.Binary, 4) {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = containertest.Sealed(b) // else the checksum is all that is tried
		single, double, err := ReadAny(bytes.NewReader(b))
		if (single == nil) == (double == nil) == (err == nil) {
			t.Fatalf("%v, %v, %v", single, double, err)
		}
		if err != nil {
			return
		}
		var again bytes.Buffer
		if single != nil {
			_, err = single.WriteTo(&again)
		} else {
			_, err = double.WriteTo(&again)
		}
		if err != nil || !bytes.HasPrefix(b, again.Bytes()) {
			t.Fatalf("%d bytes are written as %d others, %v", len(b), again.Len(), err)
		}
	})
}
