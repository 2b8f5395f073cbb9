package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/exchange"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/predictor"
)

var errFull = errors.New("no space is left")

// limited takes a number of bytes.
type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.left {
		n := l.left
		l.left = 0
		return n, errFull
	}
	l.left -= len(p)
	return len(p), nil
}

// writers are all functions of the library that write, by name.
func writers(t *testing.T) map[string]func(io.Writer) error {
	t.Helper()
	all := map[string]func(io.Writer) error{}
	to := func(name string, m io.WriterTo) {
		all[name] = func(w io.Writer) error { _, err := m.WriteTo(w); return err }
	}
	digits, radar := digits(t), radar(t)
	for name, args := range map[string]string{
		"linear": "topk " + digits, "kernel": "topk -t gaussian -g .001 " + digits,
		"low rank":     "tracenorm -e .1 " + digits,
		"many kernels": "mkl -e .01 --kernels gaussian:.1,linear -c 10 " + radar,
	} {
		path := filepath.Join(t.TempDir(), "m.dg")
		must(t, append(strings.Fields("train "+args), path)...)
		p, err := predictor.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		m, _ := p.Models()
		to(name, m)
		if m.Kernels == nil { // which these formats have no models of
			all[name+", safetensors"] = func(w io.Writer) error { return exchange.WriteSafetensors(w, m) }
			all[name+", ONNX"] = p.WriteONNX
		}
		if m.Linear != nil {
			all["LIBLINEAR"] = func(w io.Writer) error { return m.Linear.WriteLIBLINEAR(w, linear.LIBLINEAROptions{}) }
		}
		if m.Kernel != nil {
			all["LIBSVM, model"] = func(w io.Writer) error { return m.Kernel.WriteLIBSVM(w, 0, [2]int{1, 0}) }
		}
	}
	d := samples.Digits[float32]()
	sparse, err := d.X.CSR()
	if err != nil {
		t.Fatal(err)
	}
	all["CSV"] = func(w io.Writer) error { return dataset.WriteCSV(w, d) }
	all["LIBSVM"] = func(w io.Writer) error {
		return dataset.WriteLIBSVM(w, &dataset.Labeled[*dataset.CSR[float32]]{X: sparse, Labels: d.Labels},
			dataset.LIBSVMOptions{})
	}
	all["NPY"] = func(w io.Writer) error { return dataset.WriteNPY(w, d.X, dataset.NPYOptions{}) }
	all["fvecs"] = func(w io.Writer) error {
		return dataset.WriteVecs(w, d.X, dataset.VecsOptions{Format: "fvecs"})
	}
	to("sparse block", &dataset.CSRBlock[float32]{X: sparse, Y: d.Y})
	q, err := pq.Train(context.Background(), d.X.Matrix, pq.Config{M: 8, NBits: 4})
	if err != nil {
		t.Fatal(err)
	}
	s, err := pq.TrainScalar(context.Background(), d.X.Matrix, pq.ScalarConfig{Turn: pq.PCA, Dims: 8, Bits: 4})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := pq.NewIndexOf(q, pq.IndexConfig{Vectors: true, Bounds: true})
	if err == nil {
		err = ix.Add(d.X.Matrix, 1)
	}
	if err != nil {
		t.Fatal(err)
	}
	to("quantizer", q)
	to("scalar quantizer", s)
	to("index", ix)
	return all
}

// TestWritersFail: wherever what is written to takes no more, a writer of the library returns its error.
func TestWritersFail(t *testing.T) {
	for name, write := range writers(t) {
		var whole bytes.Buffer
		if err := write(&whole); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		n := whole.Len()
		for _, left := range []int{0, 1, 7, 24, 100, n / 5, n / 3, n / 2, 2 * n / 3, 4 * n / 5, n - 100, n - 9, n - 4,
			n - 1} {
			if left = max(0, min(left, n-1)); !errors.Is(write(&limited{left}), errFull) {
				t.Errorf("%s: %v after %d of %d bytes", name, write(&limited{left}), left, n)
			}
		}
	}
}
