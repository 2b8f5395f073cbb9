package pq

import (
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// BenchmarkScalar: searches for 10 of 60000 images by codes of 98 and 196 bytes, with and without a proof, beside
// searches by a Quantizer; ns a vector.
func BenchmarkScalar(b *testing.B) {
	base, queries := images(b, "fashion-mnist")
	for _, c := range []struct {
		name  string
		codec Codec
	}{
		{"PQ/M=98", train(b, base, Config{M: 98, Iterations: 2, PointsPerCentroid: 16})},
		{"PQ/M=196/4 bits", train(b, base, Config{M: 196, NBits: 4, Iterations: 2, PointsPerCentroid: 64})},
		{"PQ/M=196", train(b, base, Config{M: 196, Iterations: 2, PointsPerCentroid: 16})},
		{"PCA/196 x 4 bits", trainScalar(b, base, ScalarConfig{Dims: 196})},
		{"PCA/98 x 8 bits", trainScalar(b, base, ScalarConfig{Dims: 98, Bits: 8, Tails: 3})},
		{"PCA/196 x 8 bits", trainScalar(b, base, ScalarConfig{Dims: 196, Bits: 8})},
		{"PCA/392 x 2 bits", trainScalar(b, base, ScalarConfig{Dims: 392, Bits: 2})},
		{"Hadamard/1 bit", trainScalar(b, base, ScalarConfig{Turn: Hadamard, Bits: 1})},
		{"Hadamard/2 bits", trainScalar(b, base, ScalarConfig{Turn: Hadamard, Bits: 2})},
	} {
		ix := boundsOf(b, c.codec, L2, base, nil)
		for name, search := range map[string]func(q []float32){
			"search": func(q []float32) { _, _ = ix.Search(nil, q, Search{K: 10}) },
			"prove":  func(q []float32) { _, _, _ = ix.Certify(nil, q, Search{K: 10, Vector: Rows(base)}) },
		} {
			b.Run(c.name+"/"+name, func(b *testing.B) { perVector(b, queries, base.Rows, search) })
		}
	}
}

func perVector(b *testing.B, queries vec.Matrix[float32], n int, search func(q []float32)) {
	i := 0
	for b.Loop() {
		search(queries.Row(i % queries.Rows))
		i++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vector")
}
