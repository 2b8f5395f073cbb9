package pq

import "testing"

// goldenQuantizer is what the quantizers in testdata were made of: 4 bits, subspaces of two widths, a rotation that float32
// holds exactly; or 8 bits without a rotation.
func goldenQuantizer(t testing.TB, nbits int) *Quantizer {
	t.Helper()
	d, m := 5, 3
	rotation := []float32{
		0, 1, 0, 0, 0,
		-1, 0, 0, 0, 0,
		0, 0, 0, 0, 1,
		0, 0, 1, 0, 0,
		0, 0, 0, -1, 0,
	}
	if nbits == 8 {
		d, m, rotation = 2, 2, nil
	}
	centroids := make([]float32, d<<nbits)
	for i := range centroids {
		centroids[i] = float32(i*i%97)/8 - 5
	}
	q, err := New(d, m, nbits, centroids, rotation)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// goldenCodes are n codes for it; the unused half of a byte is zero.
func goldenCodes(q *Quantizer, n int) []byte {
	codes, parts := make([]byte, n*q.CodeSize()), make([]byte, q.m+q.m%2)
	for i := range n {
		for j := range q.m {
			parts[j] = byte((7*i + 5*j + i*j) % q.ksub)
		}
		q.pack(codes[i*q.CodeSize():(i+1)*q.CodeSize()], parts)
	}
	return codes
}
