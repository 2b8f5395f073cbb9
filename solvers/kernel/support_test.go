package kernel

import (
	"bytes"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestOnSupport: the scores of examples by their values with the support vectors are those by the values with all, also
// of the model as it comes back from its file.
func TestOnSupport(t *testing.T) { prove.Both(t, onSupport[float32], onSupport[float64]) }

func onSupport[T vec.Float](t *testing.T) {
	const n = 7
	gram := vec.NewMatrix[T](n, n)
	for i := range n {
		for j := range n {
			gram.Row(i)[j] = T(min(i, j) + 1)
		}
	}
	k, err := Precomputed(gram)
	if err != nil {
		t.Fatal(err)
	}
	a := vec.NewMatrix[T](n, 2)
	for _, i := range []int{1, 4, 6} {
		a.Row(i)[0], a.Row(i)[1] = T(i), T(1-i)
	}
	m, err := NewExpansion(k, a, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	small := m.OnSupport()
	if d, _ := small.Dims(); d != 3 || small.Len() != 3 || len(m.Support()) != 3 || m.Support()[2] != 6 {
		t.Fatalf("%d features, %d examples; the model itself has %v", d, small.Len(), m.Support())
	}
	var file bytes.Buffer
	if _, err := small.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := ReadExpansion[T](&file)
	if err != nil {
		t.Fatal(err)
	}
	want, got := vec.NewMatrix[T](n, 2), vec.NewMatrix[T](n, 2)
	if err := m.ScoresOf(want, gram); err != nil {
		t.Fatal(err)
	}
	some := vec.NewMatrix[T](n, 3)
	for i := range n {
		for p, j := range m.Support() {
			some.Row(i)[p] = gram.Row(i)[j]
		}
	}
	for _, m := range []*Expansion[T]{small, again} {
		if err := m.ScoresOf(got, some); err != nil {
			t.Fatal(err)
		}
		for i, v := range want.Data {
			if got.Data[i] != v {
				t.Fatalf("score %d is %v, want %v", i, got.Data[i], v)
			}
		}
	}
	if err := small.ScoresOf(got, gram); err == nil {
		t.Error("values with all training examples were taken")
	}
	none, err := NewExpansion(k, vec.NewMatrix[T](n, 1), nil)
	if err != nil || none.OnSupport() != none {
		t.Error("a model without support vectors changed", err)
	}
}
