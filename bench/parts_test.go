package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
)

// A training that was interrupted tells where it stands.
func TestCanceledModel(t *testing.T) {
	o, err := parse([]string{"-quick"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProblem(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := train(ctx, p, topk.TopKUsunier, 3, new(progress.Bar))
	if m == nil || !errors.Is(err, context.Canceled) || m.Status != solvers.Canceled || m.Certificate.RelativeGap() != 1 {
		t.Fatalf("model %+v, error %v", m, err)
	}
	var b bytes.Buffer
	if err := (&text{w: &b}).model(p, *m); err != nil || !strings.Contains(b.String(), " canceled\n") {
		t.Errorf("error %v, printed %q", err, b.String())
	}
}

// The certificate of the training that -lambda and -seed ask for depends on both.
func TestLambdaSeed(t *testing.T) {
	long(t)
	one := func(args ...string) jsonLine {
		stdout, _, err := command(t, append(args, "-quick", "-json", "-only=train", "-k=1", "-tol=0.1")...)
		if err != nil {
			t.Fatal(err)
		}
		return parseLines(t, stdout)[1]
	}
	a, b, c := one("-lambda=1", "-seed=1"), one("-lambda=1", "-seed=2"), one("-lambda=0.5", "-seed=1")
	if a.Lambda != 1 || c.Lambda != 0.5 || a.Primal == b.Primal || a.Primal == c.Primal {
		t.Errorf("lambda 1 with seeds 1 and 2, lambda 0.5:\n%+v\n%+v\n%+v", a, b, c)
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
		stdout, _, err := command(t, "-json", "-only=train", "-k=1", "-tol=0.1", "-data", data)
		if err != nil {
			t.Fatal(err)
		}
		if l := parseLines(t, stdout)[1]; l.N != 60 || l.Tests != 20 || l.Status != "converged" || l.Lambda != 1/(0.01*60) {
			t.Errorf("%s: %+v", data, l)
		}
	}
}

func TestBadData(t *testing.T) {
	all := []string{"train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"}
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
	if _, _, err := command(t, "-only=train", "-data", dir); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %s", err, want)
	}
}

// Whatever the clock, speeds are finite and positive, and there are those that the tier and gonum have.
func TestMeasure(t *testing.T) {
	for _, c := range []Case{{Name: "Dot", N: 1}, {Name: "Sum", N: 16}, {Name: "GemvT", M: 3, N: 20}, {Name: topKSimplex, N: 5, K: 2}} {
		k, err := measure(c, "float64", 8, gonum64, time.Microsecond)
		twin, rival := c.Name != topKSimplex && cpu.Level != cpu.Generic, c.Name == "Dot" || c.Name == "GemvT"
		if err != nil || !(k.NS > 0) || math.IsInf(k.GBps, 0) || (k.GoNS > 0) != twin || (k.GonumNS > 0) != rival {
			t.Errorf("%v: %+v, error %v", c, k, err)
		}
	}
}

// Implementations that disagree are not timed.
func TestAgree(t *testing.T) {
	double := func(p *operands[float32], iters int) { p.out *= 2 }
	right := ours[float32]()["Dot"]
	wrong := func(p *operands[float32], iters int) { right(p, iters); double(p, iters) }
	_, err := measure(Case{Name: "Dot", N: 5}, "float32", 4, map[string]loop[float32]{"Dot": wrong}, time.Microsecond)
	if err == nil || !strings.Contains(err.Error(), "Dot 5, float32: result[0]") || !strings.Contains(err.Error(), "gonum") {
		t.Errorf("error %v", err)
	}
}

// GB/s count every operand once when it is read and once when it is written.
func TestBytes(t *testing.T) {
	for _, c := range cases() {
		p := newOperands[float64](c)
		x, y, a := len(p.x), len(p.y), len(p.a.Data)
		want := x + y + a
		switch c.Name {
		case "SquaredNorm", "Sum", "AbsSum":
			want = x
		case "Scale":
			want = 2 * x
		case "Axpy":
			want = x + 2*y
		case "Ger":
			want = x + y + 2*a
		}
		if got := c.bytes(8); got != 8*want {
			t.Errorf("%s %v: %d bytes, want %d", c.Name, c, got, 8*want)
		}
	}
}

// The tier of a runner is in use while it runs, and not afterwards.
func TestRunnerTier(t *testing.T) {
	before := cpu.Level
	for _, tier := range cpu.Tiers() {
		r := runner[float64]{tier: tier, loop: func(*operands[float64], int) {
			if cpu.Level != tier {
				t.Errorf("tier %v, want %v", cpu.Level, tier)
			}
		}}
		if r.run(nil, 1); cpu.Level != before {
			t.Errorf("tier %v after %v, was %v", cpu.Level, tier, before)
		}
	}
}
