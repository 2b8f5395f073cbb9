package families

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/results"
)

// train trains the families that match, and returns what was measured.
func train(ctx context.Context, filter string, o Options) (*results.Set, error) {
	out := new(results.Set)
	return out, Train(ctx, o, regexp.MustCompile(filter), new(progress.Bar), out, func(string) error { return nil })
}

// late is a context that ends when it was asked so often.
type late struct {
	context.Context
	left int
}

func (l *late) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

func (l *late) Done() <-chan struct{} {
	if l.left < 0 {
		c := make(chan struct{})
		close(c)
		return c
	}
	return nil
}

// A training that was interrupted tells where it stands, and is the last.
func TestInterrupted(t *testing.T) {
	for _, f := range All {
		o := Options{Ks: []int{1, 3}, Tol: 1e-6, Quick: true}
		s, err := train(&late{context.Background(), 8}, "="+f.Name+"$", o)
		if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), f.Name) {
			t.Errorf("%s: error %v", f.Name, err)
		}
		if lines := s.Where("Train"); f.Name != "m3l" &&
			(len(lines) == 0 || lines[len(lines)-1].Key("status") != "canceled") {
			t.Errorf("%s: %+v", f.Name, lines)
		}
	}
}

// What done returns ends the run.
func TestDone(t *testing.T) {
	full := errors.New("no space left")
	err := Train(context.Background(), Options{Ks: []int{1}, Tol: .1, Quick: true}, regexp.MustCompile("toprank"),
		new(progress.Bar), new(results.Set),
		func(name string) error {
			if name != "toprank" {
				t.Errorf("trained %s", name)
			}
			return full
		})
	if !errors.Is(err, full) {
		t.Error(err)
	}
}

// What this package shows holds on a tenth of the examples: the prior helps, and the smaller p is, the more weight have
// the kernels that tell something.
func TestFindings(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: trains many models")
	}
	s, err := train(context.Background(), "m3l|mkl|tracenorm", Options{Tol: .01, Quick: true})
	if err != nil {
		t.Fatal(err)
	}
	m := s.Where("Train", "family", "m3l")
	if len(m) != 2 || !(m[1].Value("wrong-%") < m[0].Value("wrong-%")) {
		t.Errorf("the prior does not help: %+v", m)
	}
	for family, unit := range map[string]string{"mkl": "share-%", "tracenorm": "rank"} {
		lines := s.Where("Train", "family", family)
		if len(lines) != 3 || !(lines[0].Value(unit) < lines[1].Value(unit) && lines[1].Value(unit) <= lines[2].Value(
			unit)) {
			t.Errorf("%s: %+v", family, lines)
		}
	}
	for _, l := range s.Where("Train", "family", "mkl") {
		sum := 0.0
		for _, w := range s.Where("Weight", "model", l.Key("model")) {
			sum += w.Value("share-%")
		}
		if !(sum > 99.99 && sum < 100.01) {
			t.Errorf("%s: the shares add up to %v", l.Name(), sum)
		}
	}
	for _, l := range s.Where("Train", "family", "tracenorm") {
		if n := len(s.Where("Spectrum", "model", l.Key("model"))); float64(n) != l.Value("rank") {
			t.Errorf("%s: %d singular values", l.Name(), n)
		}
	}
}

// writeFashion writes a miniature of Fashion-MNIST: images of four pixels, ten classes told apart by their pixels.
func writeFashion(t *testing.T, dir string, n map[string]int) {
	t.Helper()
	for part, n := range n {
		images, labels := []byte{0, 0, 8, 3}, []byte{0, 0, 8, 1}
		for _, size := range []int{n, 2, 2} {
			images = binary.BigEndian.AppendUint32(images, uint32(size))
		}
		labels = binary.BigEndian.AppendUint32(labels, uint32(n))
		for i := range n {
			c := byte(i % 10)
			images = append(images, 25*c, 250-25*c, 25*(c%5), byte(i))
			labels = append(labels, c)
		}
		write(t, filepath.Join(dir, part+"-images-idx3-ubyte.gz"), images)
		write(t, filepath.Join(dir, part+"-labels-idx1-ubyte.gz"), labels)
	}
}

// write writes a file packed by gzip.
func write(t *testing.T, name string, data []byte) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestData(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "fashion-mnist")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	writeFashion(t, dir, map[string]int{"train": 60, "t10k": 20})
	for _, data := range []string{parent, dir} {
		s, err := train(context.Background(), "topk", Options{Data: data, Ks: []int{1}, Tol: .1})
		if err != nil {
			t.Fatal(err)
		}
		if l := s.Where("Train"); len(l) != 1 || l[0].Key("n") != "60" || l[0].Key("tests") != "20" ||
			l[0].Value("lambda") != 1/(DefaultC*60) {
			t.Errorf("%s: %+v", data, l)
		}
	}
}

func TestBadData(t *testing.T) {
	all := []string{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz",
		"t10k-labels-idx1-ubyte.gz"}
	for _, name := range all {
		dir := t.TempDir()
		writeFashion(t, dir, map[string]int{"train": 60, "t10k": 20})
		file := filepath.Join(dir, name)
		packed, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, content := range [][]byte{nil, packed[:len(packed)/2], []byte("neither gzip nor IDX")} {
			if err := os.WriteFile(file, content, 0o666); err != nil {
				t.Fatal(err)
			}
			fails(t, dir, name)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		fails(t, dir, name)
	}
	dir := t.TempDir()
	writeFashion(t, dir, map[string]int{"train": 60, "t10k": 20})
	write(t, filepath.Join(dir, all[2]), append([]byte{0, 0, 8, 2, 0, 0, 0, 20, 0, 0, 0, 3}, make([]byte, 60)...))
	fails(t, dir, "4 pixels in the training images, but 3")
}

func fails(t *testing.T, dir, want string) {
	t.Helper()
	if _, err := train(context.Background(), "topk", Options{Data: dir, Ks: []int{1}, Tol: .1}); err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %s", err, want)
	}
}
