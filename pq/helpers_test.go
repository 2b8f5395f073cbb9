package pq

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// sift returns real descriptors: all 5000 where the larger data are at hand, or the 1000 that are committed.
func sift(t testing.TB) vec.Matrix[float32] {
	t.Helper()
	name, all := "testdata/sift1k.u8.gz", false
	if dir := os.Getenv("DUALGAP_DATA"); dir != "" && !testing.Short() {
		name, all = filepath.Join(dir, "sift5k.npy.gz"), true
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if all { // behind the header of NumPy's format, whose last byte is a line feed
		raw = raw[bytes.IndexByte(raw, '\n')+1:]
	}
	x := vec.NewMatrix[float32](len(raw)/128, 128)
	for i, v := range raw[:x.Rows*128] {
		x.Data[i] = float32(v)
	}
	if x.Rows != 1000 && x.Rows != 5000 {
		t.Fatalf("%s holds %d vectors", name, x.Rows)
	}
	return x
}

// clustered returns n vectors around a few centres, with numbers that round.
func clustered(n, d int, seed uint64) vec.Matrix[float32] {
	r := rand.New(rand.NewPCG(seed, 7))
	centres := vec.NewMatrix[float32](30, d)
	for i := range centres.Data {
		centres.Data[i] = float32(r.NormFloat64())
	}
	x := vec.NewMatrix[float32](n, d)
	for i := range n {
		c := centres.Row(r.IntN(centres.Rows))
		for t := range d {
			x.Row(i)[t] = c[t] + 0.3*float32(r.NormFloat64())
		}
	}
	return x
}

// train is Train with few iterations, which must succeed.
func train(t testing.TB, x vec.Matrix[float32], c Config) *Quantizer {
	t.Helper()
	if c.Iterations == 0 {
		c.Iterations = 4
	}
	q, err := Train(context.Background(), x, c)
	if err != nil {
		t.Fatalf("Train(%dx%d, %+v): %v", x.Rows, x.Cols, c, err)
	}
	return q
}

func encode(t testing.TB, q *Quantizer, x vec.Matrix[float32]) []byte {
	t.Helper()
	codes := make([]byte, x.Rows*q.CodeSize())
	if err := q.Encode(codes, x, 0); err != nil {
		t.Fatal(err)
	}
	return codes
}

// shapes are the kinds of quantizers that every test goes through.
func shapes(t testing.TB) map[string]*Quantizer {
	shapesOnce.Do(func() {
		n, iterations := 600, 4
		if testing.Short() {
			n, iterations = 260, 1
		}
		x := clustered(n, 20, 1)
		allShapes = map[string]*Quantizer{}
		for name, c := range map[string]Config{
			"8 bits":         {M: 5},
			"8 bits, uneven": {M: 3, Uneven: true},
			"4 bits":         {M: 10, NBits: 4},
			"4 bits, odd":    {M: 7, NBits: 4, Uneven: true},
			"M=d":            {M: 20},
			"M=1":            {M: 1},
			"rotated":        {M: 5, Rotations: 2},
			"rotated 4 bits": {M: 5, NBits: 4, Rotations: 2},
		} {
			c.Iterations = iterations
			allShapes[name] = train(t, x, c)
		}
	})
	return allShapes
}

var (
	shapesOnce sync.Once
	allShapes  map[string]*Quantizer
)
