package beam

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// fashion returns the 60000 images of Fashion-MNIST as float32 in a file, and their classes.
func fashion(t testing.TB) (path string, l *dataset.Labeled[*dataset.Dense[float32]]) {
	t.Helper()
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" || testing.Short() {
		t.Skip("needs DUALGAP_DATA, and is long")
	}
	found, _ := filepath.Glob(filepath.Join(dir, "fashion-mnist", "train-*"))
	if len(found) != 2 {
		t.Skip("no Fashion-MNIST in ", dir)
	}
	slices.Sort(found) // images before labels
	l, err := dataset.OpenIDX[float32](found[0], found[1], dataset.IDXOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.X.Data {
		l.X.Data[i] /= 255
	}
	var b bytes.Buffer
	if err := dataset.WriteNPY(&b, l.X, dataset.NPYOptions{}); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "rows.npy")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path, l
}

// TestTrainFashion: a certified gap of 1e-3 of the softmax loss in at most 15 passes, the same weights for 1, 8 and 100
// ranges.
func TestTrainFashion(t *testing.T) {
	path, l := fashion(t)
	n := len(l.Y)
	p := ProblemSpec{Loss: "topk-entropy", Lambda: 1 / (.01 * float64(n)), N: int64(n), Features: l.X.Cols, Classes: 10,
		Labels: classes(t, t.TempDir(), l.Y)}
	var first *linear.Model[float64]
	for _, cuts := range []int{1, 8, 100} {
		rows := split(t, path, Format{Kind: NPY, Cols: l.X.Cols}, n/cuts)
		start := time.Now()
		m, out, err := Train(t.Context(), driver(t), p, TrainOptions{Sample: 6000}, rows)
		check(t, err)
		t.Logf("%d ranges: %v, %v", len(rows), out, time.Since(start))
		if out.Status != solvers.Converged || out.Passes > 15 {
			t.Errorf("%d ranges: %v", len(rows), out)
		}
		if first == nil {
			first = m
		}
		if far := farthest(first, m); far > 1e-12 {
			t.Errorf("%d ranges: the weights differ by %v", len(rows), far)
		}
	}
}

// BenchmarkScore scores the 60000 images and ten times as many, pixels of a byte, in ranges of 1000: on Prism, and by
// the library, which reads the same file by blocks of 1000. The larger file takes 470 MB.
func BenchmarkScore(b *testing.B) {
	path, l := fashion(b)
	w := vec.NewMatrix[float32](l.X.Cols, 10)
	for i := range w.Data {
		w.Data[i] = float32(mix(uint64(i))%1000)/1000 - .5
	}
	m, err := linear.New(w, nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	m.WriteTo(&file)
	name := filepath.Join(b.TempDir(), "model")
	os.WriteFile(name, file.Bytes(), 0o644)
	a, err := AssetOf(b.Context(), name)
	if err != nil {
		b.Fatal(err)
	}
	n := len(l.Y)
	benchmarkScore(b, path, Format{Kind: NPY, Cols: l.X.Cols}, n, a, m)
	benchmarkScore(b, pixels(b, l.X, 10), Format{Kind: NPY, Cols: l.X.Cols, Scale: 1. / 255}, 10*n, a, m)
}

// pixels writes the rows of x some times over as an NPY file of bytes.
func pixels(b *testing.B, x *dataset.Dense[float32], times int) (path string) {
	b.Helper()
	path = filepath.Join(b.TempDir(), "pixels.npy")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	head := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }", times*x.Rows, x.Cols)
	head = fmt.Sprintf("%-117s\n", head)
	fmt.Fprintf(f, "\x93NUMPY\x01\x00%c\x00%s", len(head), head)
	bytes := make([]byte, 0, len(x.Data))
	for _, v := range x.Data {
		bytes = append(bytes, byte(math.Round(float64(255*v))))
	}
	for range times {
		if _, err := f.Write(bytes); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

func benchmarkScore(b *testing.B, path string, f Format, n int, a Asset, m *linear.Model[float32]) {
	rows, err := Split(b.Context(), path, f, 1000)
	if err != nil {
		b.Fatal(err)
	}
	for _, impl := range []string{"library", "prism"} {
		b.Run(fmt.Sprintf("rows=%d/impl=%s", n, impl), func(b *testing.B) {
			for b.Loop() {
				dir := b.TempDir()
				if impl == "library" {
					err = libraryScores(path, dir, f, &model.Model[float32]{Linear: m}, n)
				} else {
					err = ScoreFiles(b.Context(), Driver{Run: prism}, a, ScoreOptions{K: 3}, rows, dir)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// libraryScores reads blocks of 1000 rows into one matrix, scores them and writes a file for each.
func libraryScores(path, dir string, format Format, m *model.Model[float32], n int) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	in, err := dataset.NewNPYRows[float32](f, info.Size(), path,
		dataset.NPYOptions{Scale: format.Scale})
	if err != nil {
		return err
	}
	s, err := newScoring(m, nil, ScoreOptions{K: 3})
	if err != nil {
		return err
	}
	var x dataset.Dense[float32]
	for from := 0; from < n; from += 1000 {
		if err := in.Read(&x, from, from+1000); err != nil {
			return err
		}
		scores := vec.NewMatrix[float32](1000, 10)
		if err := m.Scores(scores, &x, nil); err != nil {
			return err
		}
		data, err := s.answers(scores)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, blockName(int64(from), 1000)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkPass is a pass over 1797 rows, 64 features and 10 classes: hardly more than what a pipeline costs by itself.
func BenchmarkPass(b *testing.B) {
	dir := b.TempDir()
	x := samples.Digits[float64]()
	var rows, labels, w bytes.Buffer
	dataset.WriteNPY(&rows, x.X, dataset.NPYOptions{})
	for _, c := range x.Y {
		binary.Write(&labels, binary.LittleEndian, int32(c))
	}
	dataset.WriteNPY(&w, &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](64, 10)}, dataset.NPYOptions{})
	for name, file := range map[string]*bytes.Buffer{"rows.npy": &rows, "labels": &labels, "w.npy": &w} {
		if err := os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	elements, err := Split(b.Context(), dir+"/rows.npy", Format{Kind: NPY, Cols: 64}, 256)
	if err != nil {
		b.Fatal(err)
	}
	a, err := AssetOf(b.Context(), dir+"/w.npy")
	if err != nil {
		b.Fatal(err)
	}
	p := ProblemSpec{Loss: "topk-entropy", Lambda: 1, N: int64(len(x.Y)), Features: 64, Classes: 10,
		Labels: dir + "/labels"}
	for b.Loop() {
		if _, _, err := Audit(b.Context(), Driver{Run: prism, Dir: dir}, p, a, elements); err != nil {
			b.Fatal(err)
		}
	}
}
