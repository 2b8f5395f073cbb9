package linear_test

import (
	"fmt"
	"log"
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// The weights of a model, with its offsets as the weights of a constant feature of value 2.
func ExampleModel_Prior() {
	m, err := linear.New(vec.MatrixOf(2, 2, []float32{1, 2, 3, 4}), []float32{5, 6}, nil)
	if err != nil {
		log.Fatal(err)
	}
	w0, err := m.Prior(2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(w0.Data)
	// Output: [1 2 3 4 2.5 3]
}

// TestPrior: the size goes by the constant feature, and offsets without one are an error.
func TestPrior(t *testing.T) {
	w := vec.MatrixOf(2, 2, []float64{1, 2, 3, 4})
	plain, err := linear.New(w, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	offsets, err := linear.WithConstant(vec.MatrixOf(2, 2, []float64{1, 2, 3, 4}), 3, nil)
	if err != nil {
		t.Fatal(err)
	}
	zero, err := linear.New(w, []float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		m    *linear.Model[float64]
		bias float64
		want []float64
	}{
		{plain, 0, []float64{1, 2, 3, 4}},
		{plain, 5, []float64{1, 2, 3, 4, 0, 0}},
		{offsets, 3, []float64{1, 2, 3, 4}},
		{offsets, 6, []float64{1, 2, 1.5, 2}},
		{zero, 0, []float64{1, 2, 3, 4}},
	} {
		got, err := c.m.Prior(c.bias)
		if err != nil || fmt.Sprint(got.Data) != fmt.Sprint(c.want) || got.Validate() != nil {
			t.Errorf("bias %v: %v, %v, want %v", c.bias, got, err, c.want)
		}
	}
	if w0, err := plain.Prior(0); err != nil {
		t.Error(err)
	} else if w0.Data[0] = 9; plain.Weights().Data[0] != 1 {
		t.Error("the model changes with the prior")
	}
	for want, err := range map[string]error{
		"the offset 9 of output 0, and Bias = 0": second(offsets.Prior(0)),
		"Bias = NaN":                             second(plain.Prior(math.NaN())),
		"Bias = +Inf":                            second(plain.Prior(math.Inf(1))),
		"the zero Model has no weights":          second((&linear.Model[float64]{}).Prior(1)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func second(_ vec.Matrix[float64], err error) error { return err }
