package pq

import "testing"

// TestScalarImages: of the images' neighbors codes of 98 bytes find as many, and proofs read as few originals, as the
// package's doc says.
func TestScalarImages(t *testing.T) {
	base, queries := images(t, "fashion-mnist")
	queries = queries.Slice(0, 200, 0, queries.Cols)
	want := truth(base, queries, L2, 10)
	for _, c := range []struct {
		ScalarConfig
		recall, read float64
	}{
		{ScalarConfig{Dims: 196, Bits: 4}, 0.85, 0.008}, {ScalarConfig{Dims: 98, Bits: 8, Tails: 3}, 0.77, 0.006},
		{ScalarConfig{Dims: 196, Bits: 8}, 0.88, 0.002}, {ScalarConfig{Dims: 392, Bits: 8}, 0.95, 0.0005},
		{ScalarConfig{Turn: Hadamard, Bits: 2}, 0.83, 0.03},
	} {
		ix := boundsOf(t, trainScalar(t, base, c.ScalarConfig), L2, base, nil)
		answers, err := ix.SearchBatch(queries, Search{K: 10}, 0)
		if err != nil {
			t.Fatal(err)
		}
		got, proofs, err := ix.CertifyBatch(queries, Search{K: 10, Vector: Rows(base)}, 0)
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for i, p := range proofs {
			if read += p.Read; found(got[i:i+1], want[i:i+1]) != 1 || p.Gap() != 0 {
				t.Fatalf("%+v, query %d: %v, %+v, want %v", c.ScalarConfig, i, got[i], p, want[i])
			}
		}
		part, recall := float64(read)/float64(base.Rows*queries.Rows), found(answers, want)
		if t.Logf("%+v: recall %.3f, read %.5f", c.ScalarConfig, recall, part); recall < c.recall || part > c.read {
			t.Errorf("%+v: recall %.3f, read %.5f, want %.3f, %.5f", c.ScalarConfig, recall, part, c.recall, c.read)
		}
	}
}
