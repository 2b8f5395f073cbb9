package beam

import (
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// BenchmarkPassFashion makes the passes of a training over the 60000 images of Fashion-MNIST: on Prism, W written and
// the bound computed, and the same sums by the same code in this process. What the first takes longer is the time of
// the driver and of Beam.
func BenchmarkPassFashion(b *testing.B) {
	path, l := fashion(b)
	n, dir := len(l.Y), b.TempDir()
	p := ProblemSpec{Loss: "topk-entropy", Lambda: 1 / (.01 * float64(n)), N: int64(n), Features: l.X.Cols, Classes: 10}
	numbers := make([]byte, 4*n)
	for i, c := range l.Y {
		numbers[4*i] = byte(c)
	}
	p.Labels = dir + "/labels"
	if err := writeFile(b.Context(), p.Labels, numbers); err != nil {
		b.Fatal(err)
	}
	rows, err := Split(b.Context(), path, Format{Kind: NPY, Cols: l.X.Cols}, 4096)
	if err != nil {
		b.Fatal(err)
	}
	w := vec.NewMatrix[float64](p.Features, p.Classes)
	for i := range w.Data {
		w.Data[i] = float64(mix(uint64(i))%1000)/5000 - .1
	}
	b.Run("prism", func(b *testing.B) {
		t := &training{driver: Driver{Run: prism, Dir: dir}, problem: p, rows: rows, sums: sums, name: "weights",
			solvers: []stepper{&sampleSolver{problem: &p}}, value: &bound{lambda: p.Lambda, most: passesKept(&p)}}
		for k := 0; b.Loop(); k++ {
			s, err := t.pass(b.Context(), w, k)
			if err != nil {
				b.Fatal(err)
			}
			t.value.primal(s, w)
			t.value.mix(s)
		}
	})
	b.Run("here", func(b *testing.B) {
		for b.Loop() {
			s, err := newPass(&p, weights{w})
			if err != nil {
				b.Fatal(err)
			}
			for _, e := range rows {
				if err := s.add(b.Context(), e); err != nil {
					b.Fatal(err)
				}
			}
			s.take()
		}
	})
}
