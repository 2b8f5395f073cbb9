package exchange

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

func throughSafetensors[T vec.Float](t *testing.T, m *model.Model[T]) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteSafetensors(&b, m); err != nil {
		t.Fatal(err)
	}
	single, double, err := ReadSafetensors(&b)
	if err != nil {
		t.Fatal(err)
	}
	var back *model.Model[T]
	switch any(back).(type) {
	case *model.Model[float32]:
		back, _ = any(single).(*model.Model[T])
	default:
		back, _ = any(double).(*model.Model[T])
	}
	if back == nil || (single == nil) == (double == nil) {
		t.Fatalf("a model of another type: %v, %v", single != nil, double != nil)
	}
	if !bytes.Equal(bits(t, back), bits(t, m)) || !slices.Equal(scores(t, back), scores(t, m)) {
		t.Fatalf("another model: %v, %v", m.Notes(), back.Notes())
	}
}

// 100 random models of either type of numbers come back bit for bit, with their names and notes.
func TestSafetensors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		throughSafetensors(t, randomModel[float32](t, rng))
		throughSafetensors(t, randomModel[float64](t, rng))
	}
	lowRanks[float32](t, rng)
	lowRanks[float64](t, rng)
}

// lowRanks and given kernels, which ONNX has not as they are.
func lowRanks[T vec.Float](t *testing.T, rng *rand.Rand) {
	for range 10 {
		d, m := 3+rng.IntN(9), 3+rng.IntN(4)
		bias := matrix[T](rng, 1, m, 0).Data
		if rng.IntN(2) == 0 {
			bias = nil
		}
		own, err := linear.NewLowRank(matrix[T](rng, d, 2, 0), matrix[T](rng, m, 2, 0), bias, randomNames(rng, m))
		if err != nil {
			t.Fatal(err)
		}
		throughSafetensors(t, &model.Model[T]{LowRank: own.WithNotes(randomNotes(t, rng, d))})
		k := vec.NewMatrix[T](d, d)
		vec.Gram(k, matrix[T](rng, d, 3, 0))
		given, err := kernel.Precomputed(k)
		if err != nil {
			t.Fatal(err)
		}
		e, err := kernel.NewExpansion(given, matrix[T](rng, d, m, .5), nil)
		if err != nil {
			t.Fatal(err)
		}
		throughSafetensors(t, &model.Model[T]{Kernel: e})
	}
}
