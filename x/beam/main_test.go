package beam

import (
	"context"
	"encoding/binary"
	"flag"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/temp"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // Prism tells of every job, and of what fails with its whole plan
	code, err := temp.Within("beam-test-", m.Run)
	if err != nil {
		panic(err)
	}
	os.Exit(code)
}

// prism runs a pipeline on the embedded runner. One that hangs fails.
func prism(ctx context.Context, p *beam.Pipeline) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	_, err := beam.Run(ctx, "prism", p)
	return err
}

// driver returns one that runs on Prism, with a folder of its own that must be empty in the end.
func driver(t *testing.T) Driver {
	dir := t.TempDir()
	t.Cleanup(func() {
		if left := files(t, dir); len(left) > 0 {
			t.Errorf("files are left: %q", left)
		}
	})
	return Driver{Run: prism, Dir: dir}
}

// files returns the names of the files in a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// digits returns handwritten digits, their pixels in [0, 1].
func digits(t *testing.T) *dataset.Labeled[*dataset.Dense[float64]] {
	t.Helper()
	l := samples.Digits[float64]()
	for i := range l.X.Data {
		l.X.Data[i] /= 16
	}
	return l
}

// save writes a file and returns its path.
func save(t *testing.T, dir, name string, write func(io.Writer) error) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	check(t, err)
	check(t, write(f))
	check(t, f.Close())
	return path
}

// raw writes numbers, the low byte first.
func raw(t *testing.T, dir, name string, numbers any) string {
	t.Helper()
	return save(t, dir, name, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, numbers) })
}

// classes writes labels as integers of 4 bytes.
func classes(t *testing.T, dir string, y []int) string {
	t.Helper()
	numbers := make([]int32, len(y))
	for i, c := range y {
		numbers[i] = int32(c)
	}
	return raw(t, dir, "labels.i4", numbers)
}

// asset returns the asset of a file.
func asset(t *testing.T, path string) Asset {
	t.Helper()
	a, err := AssetOf(t.Context(), path)
	check(t, err)
	return a
}

// modelFile writes a model and returns its asset.
func modelFile(t *testing.T, dir, name string, m io.WriterTo) Asset {
	t.Helper()
	return asset(t, save(t, dir, name, func(w io.Writer) error { _, err := m.WriteTo(w); return err }))
}

// split returns the ranges of a file.
func split(t *testing.T, path string, f Format, rows int) []Rows {
	t.Helper()
	found, err := Split(t.Context(), path, f, rows)
	check(t, err)
	return found
}

// near reports whether a and b differ by at most eps.
func near(a, b, eps float64) bool { return math.Abs(a-b) <= eps }

// flatten returns the numbers of a matrix, row by row.
func flatten[T vec.Float](a vec.Matrix[T]) (all []T) {
	for i := range a.Rows {
		all = append(all, a.Row(i)...)
	}
	return all
}
