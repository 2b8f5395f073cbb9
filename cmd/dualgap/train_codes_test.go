package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/vec"
)

// TestCodes: families on features train on codes, tell what that costs, and refuse what makes none.
func TestCodes(t *testing.T) {
	images, sets := digits(t), topics(t)
	for _, c := range []struct{ args, file, metric string }{
		{"topk --codes 16", images, "Accuracy of"},
		{"topk --codes 16,4 --float64 --scale unit", images, "Accuracy of"},
		{"topk --codes 8,4 --kernel gaussian", images, "Accuracy of"},
		{"topk --codes 8,4 -cv 2 --grid-c .01,.1", images, "Accuracy of"},
		{"tracenorm --codes 8,4", images, "Accuracy of"},
		{"l1 --codes 8,4", images, "Accuracy of"},
		{"toprank --codes 8,4 --positive 3", images, "Precision at Recall 0.2 of"},
		{"m3l --codes 4,4", sets, "Hamming Loss of"},
	} {
		args := append(append([]string{"train"}, strings.Fields(c.args)...), c.file, filepath.Join(t.TempDir(), "m.dg"))
		code, said, _ := command(t, args...)
		for _, want := range []string{"codes of ", " times smaller; they lose ", c.metric, "by their codes"} {
			if code != 0 || !strings.Contains(said, want) {
				t.Fatalf("%s: exit code %d, no %q in\n%s", c.args, code, want, said)
			}
		}
	}
	for args, want := range map[string]string{
		"topk --codes 99 " + images:   "want 1 <= M <= d",
		"m3l --codes 4 " + sets:       "150 training vectors for 256 centroids",
		"topk --codes 16,5 " + images: "8 or 4 bits", "topk --codes x " + images: "want a number of codes",
		"topk --codes 0 " + images: "want a number of codes", "topk --codes 4,4,4 " + images: "8 or 4 bits",
		"mkl --codes 4 " + images: "unknown flag",
	} {
		code, _, said := command(t, append(append([]string{"train"}, strings.Fields(args)...), "m.dg")...)
		if code == 0 || !strings.Contains(said, want) {
			t.Errorf("%s: exit code %d, no %q in\n%s", args, code, want, said)
		}
	}
}

// TestCompress: what is trained on are the rows that a quantizer of the same sample decodes, and the variance that they
// lose is theirs.
func TestCompress(t *testing.T) {
	t.Run("float32", testCompress[float32])
	t.Run("float64", testCompress[float64])
}

func testCompress[T vec.Float](t *testing.T) {
	e, err := data.Open[T](digits(t), data.Options{Format: "auto", Header: "auto"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n, d := e.X.Dims()
	x, y := vec.NewMatrix[T](n, d), vec.NewMatrix[T](n, d)
	e.X.Gather(x, nil)
	z, err := compress(t.Context(), &Training{Reading: Reading{codes: pq.Config{M: 8, NBits: 4}}, Seed: 5}, e)
	if err != nil {
		t.Fatal(err)
	}
	e.Features().Gather(y, nil)
	narrow := vec.NewMatrix[float32](n, d)
	for i, v := range x.Data {
		narrow.Data[i] = float32(v)
	}
	q, err := pq.Train(t.Context(), narrow, pq.Config{M: 8, NBits: 4, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	codes, decoded := make([]byte, n*q.CodeSize()), vec.NewMatrix[float32](n, d)
	if err := q.Encode(codes, narrow, 1); err != nil {
		t.Fatal(err)
	}
	if err := q.Decode(decoded, codes, 1); err != nil {
		t.Fatal(err)
	}
	lost, variance, mean := 0.0, 0.0, make([]float64, d)
	for i := range n {
		for j, v := range x.Row(i) {
			if y.At(i, j) != T(decoded.At(i, j)) {
				t.Fatalf("row %d, feature %d is %v, want %v", i, j, y.At(i, j), decoded.At(i, j))
			}
			mean[j] += float64(v) / float64(n)
		}
	}
	for i := range n {
		for j, v := range x.Row(i) {
			lost += math.Pow(float64(v)-float64(y.At(i, j)), 2)
			variance += math.Pow(float64(v)-mean[j], 2)
		}
	}
	if math.Abs(z.lost-lost/variance) > 1e-5 || z.size != n*q.CodeSize() {
		t.Errorf("%d bytes, a share of %v lost, want %d and %v", z.size, z.lost, n*q.CodeSize(), lost/variance)
	}
	for p, i := range z.rows {
		for j, v := range z.exact.Row(p) {
			if v != x.At(i, j) {
				t.Fatalf("kept row %d is not example %d", p, i)
			}
		}
	}
	if rows := spreadRows(10, 4); len(rows) != 4 || rows[0] != 0 || rows[1] != 2 || rows[3] != 7 {
		t.Errorf("4 rows of 10: %v", rows)
	}
}
