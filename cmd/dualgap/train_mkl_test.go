package main

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
)

// TestKernelsOfOneSize: the values k(x, x) of every kernel have the mean 1, whatever units the features have, but where
// kernels are to be as they are.
func TestKernelsOfOneSize(t *testing.T) {
	wine := samples.RedWine[float64]().X
	for _, plain := range []bool{false, true} {
		train := &TrainMKL{Kernels: []string{"linear", "poly:3", "poly:2:.5:7", "gaussian:.01"},
			Groups: []string{"1-4", "5-11"},
			Cache:  10, Plain: plain}
		b, names, err := bundleOf(train, wine)
		if err != nil {
			t.Fatal(err)
		}
		for k, name := range names {
			d := make([]float64, wine.Rows)
			b.Diagonal(d, k)
			mean := 0.0
			for _, v := range d {
				mean += v / float64(len(d))
			}
			// Sums and powers of positive numbers, at most ten roundings a value besides the sum's n.
			if one := math.Abs(mean-1) < float64(len(d)+100)*0x1p-53; one == plain && name[0] != 'g' {
				t.Errorf("%s, plain %v: the mean of the diagonal is %v", name, plain, mean)
			}
		}
	}
	if k := normalized(must1(kernelOf("linear", 3)), make([]float64, 5)); k != must1(kernelOf("linear", 3)) {
		t.Errorf("examples of zeros: %v", k)
	}
}

func must1[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}
