package exchange

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// optionsFor are what a model of m outputs may decide.
func optionsFor(rng *rand.Rand, m int, linear bool) (o ONNXOptions) {
	o.Decision = []Decision{Classes, Labels, Scores}[rng.IntN(3)]
	if m == 1 {
		o.Decision = []Decision{Ranks, Scores}[rng.IntN(2)]
	}
	if o.Decision == Ranks {
		o.Threshold, o.OneClass = float64(float32(rng.NormFloat64())), rng.IntN(2) == 0
	}
	o.Softmax = o.Decision == Classes && linear && rng.IntN(2) == 0
	return o
}

// told is what ReadONNX says of the options: one label and one rank look alike.
func told(o ONNXOptions, m int) ONNXOptions {
	if o.Decision == Labels && m == 1 {
		o.Decision, o.Threshold = Ranks, 1e-45
	}
	return o
}

func throughONNX[T vec.Float](t *testing.T, m *model.Model[T], o ONNXOptions) *model.Model[float32] {
	t.Helper()
	var b bytes.Buffer
	if err := WriteONNX(&b, m, o); err != nil {
		t.Fatal(err)
	}
	back, found, err := ReadONNX(&b)
	if err != nil {
		t.Fatalf("%+v: %v", o, err)
	}
	if _, outputs := m.Dims(); found.Decision != told(o, outputs).Decision || found.Softmax != o.Softmax ||
		found.OneClass != o.OneClass || o.Decision == Ranks && found.Threshold != o.Threshold {
		t.Errorf("%+v, want %+v", found, o)
	}
	return back
}

// 100 random models of float32 come back bit for bit with their names and notes; as many of float64 with the scores to
// 1e-6.
func TestONNX(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		m := randomModel[float32](t, rng)
		_, outputs := m.Dims()
		back := throughONNX(t, m, optionsFor(rng, outputs, m.Linear != nil))
		if !bytes.Equal(bits(t, back), bits(t, m)) {
			t.Fatalf("another model: %d and %d bytes, %v, %v", len(bits(t, back)), len(bits(t, m)), m.Notes(),
				back.Notes())
		}
		if !slices.Equal(scores(t, back), scores(t, m)) {
			t.Fatal("other scores")
		}
		wide := randomModel[float64](t, rng)
		_, outputs = wide.Dims()
		narrow := throughONNX(t, wide, optionsFor(rng, outputs, wide.Linear != nil))
		closeTo(t, "float64", scores(t, narrow), scores(t, wide))
		if !slices.Equal(narrow.Names(), wide.Names()) {
			t.Errorf("names %q, want %q", narrow.Names(), wide.Names())
		}
	}
}
