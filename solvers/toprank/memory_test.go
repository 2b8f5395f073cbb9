package toprank

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, with few features, with many, and with a kernel. Within
// queries the method is package interior's from the start, which elsewhere may take over, and counts.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		queries int
		method  Method
		states  bool
	}{
		"features":        {familytest.Sized{N: 5000, D: 100, M: 2}, 0, TopPush, false},
		"examples":        {familytest.Sized{N: 20000, D: 5, M: 2}, 0, TopPush, false},
		"many features":   {familytest.Sized{N: 400, D: 700, M: 2}, 20, TopPush, false},
		"kernel":          {familytest.Sized{N: 640, D: 50, M: 2, Kernel: true}, 20, TopPush, false},
		"Pat&Mat":         {familytest.Sized{N: 20000, D: 5, M: 2}, 0, PatMat, false},
		"states":          {familytest.Sized{N: 20000, D: 5, M: 2}, 0, TopPush, true},
		"Pat&Mat, states": {familytest.Sized{N: 20000, D: 5, M: 2}, 0, PatMat, true},
		"queries, states": {familytest.Sized{N: 400, D: 700, M: 2}, 20, TopPush, true},
		"kernel, states":  {familytest.Sized{N: 640, D: 50, M: 2, Kernel: true}, 20, TopPush, true},
	} {
		config := Config{Method: c.method, Epochs: 30, Tol: 1e-6, Workers: 2}
		if c.states {
			config.Checkpoint = familytest.Discarded()
		}
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, config, c.queries) })
		t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, config, c.queries) })
	}
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config, queries int) {
	x, k, y := familytest.Draw[T](t, s)
	p := Problem[T]{X: x, Kernel: k}
	for _, class := range y {
		p.Positive = append(p.Positive, class == 1)
	}
	for i := range s.N * min(1, queries) {
		p.Groups = append(p.Groups, i/2%queries)
	}
	familytest.Memory(t, p, c)
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](10000, 50)}
	positive := make([]bool, 10000)
	positive[0] = true
	m, err := Problem[float32]{X: x, Positive: positive}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}

// TestMemoryOfFactor: within queries of a kernel's examples, or of few with many features, package interior holds the
// factor of K, one matrix for a step and the sums of products, of 256 examples each.
func TestMemoryOfFactor(t *testing.T) {
	const n = 400
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](n, n+1)}
	p := Problem[float32]{X: x, Positive: make([]bool, n), Groups: make([]int, n)}
	for i := range n {
		x.Row(i)[i] = 1
		p.Positive[i], p.Groups[i] = i%2 == 0, i/4
	}
	for _, c := range []struct{ groups, want int }{{1, 4}, {0, 3}} {
		if c.groups == 0 {
			p.Groups = nil
		}
		told, err := p.Memory(Config{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, part := range told {
			if part.What == "K of the interior point method" {
				found = part.Bytes == float64(c.want*8*n*n)
			}
		}
		if !found {
			t.Errorf("%d groups: %v, want %d matrices of %d numbers", c.groups, told, c.want, n*n)
		}
	}
}
