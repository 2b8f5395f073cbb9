package dataset

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkReadLIBSVM reads texts in the shape of public sets: pixels, which are small integers, and words, whose
// values have six or more digits.
func BenchmarkReadLIBSVM(b *testing.B) {
	for _, shape := range []struct {
		name           string
		d, nnz, digits int
	}{{"pixels", 784, 150, 0}, {"words", 47236, 75, 6}, {"words", 47236, 75, 17}} {
		text := libsvmText(4<<20, shape.d, shape.nnz, shape.digits)
		b.Run(fmt.Sprintf("data=%s/digits=%d", shape.name, shape.digits), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadLIBSVM[float32](bytes.NewReader(text), "text", LIBSVMOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// libsvmText returns about size bytes of lines with nnz of d features, with a number of digits behind the point.
func libsvmText(size, d, nnz, digits int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var text []byte
	for len(text) < size {
		text = fmt.Appendf(text, "%d", r.IntN(10))
		for j := r.IntN(2 * d / nnz); j < d; j += 1 + r.IntN(2*d/nnz) {
			if digits == 0 {
				text = fmt.Appendf(text, " %d:%d", j+1, 1+r.IntN(255))
			} else {
				text = fmt.Appendf(text, " %d:%.*g", j+1, digits, r.Float64()/8)
			}
		}
		text = append(text, '\n')
	}
	return text
}
