package kernel

import (
	"reflect"
	"strings"
	"testing"
)

// TestEncodeAll: what is encoded is decoded, and nothing else.
func TestEncodeAll(t *testing.T) {
	for _, want := range [][]Kernel{
		nil, {Linear{}},
		{Gaussian{Gamma: .5}, Linear{}, Polynomial{Degree: 3, Scale: 2, Offset: 1}, Constant{Value: 4}},
	} {
		codes, numbers, err := EncodeAll(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := DecodeAll(codes, numbers); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v: %v", got, want, err)
		}
	}
	for _, c := range []struct {
		codes   []int
		numbers []float64
	}{
		{nil, nil}, {[]int{codeNone}, []float64{1}}, {[]int{codeNone, codeNone}, nil},
		{[]int{codeLinear, codeNone}, nil},
		{[]int{codeLinear}, []float64{1}}, {[]int{codeGaussian}, nil}, {[]int{codeGaussian}, []float64{0}},
		{[]int{codeSum, 1, codeLinear}, []float64{1}}, {[]int{99}, nil},
	} {
		if got, err := DecodeAll(c.codes, c.numbers); err == nil || !strings.Contains(err.Error(), "no kernels in") {
			t.Errorf("%v of codes %v and numbers %v: %v", got, c.codes, c.numbers, err)
		}
	}
}
