package m3l

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

// TestMemory: what is told before is enough, and not much more, where weights, dual variables or the kernel take most.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes up to 50 MB")
	}
	if !familytest.Measures(t) {
		return
	}
	for name, c := range map[string]struct {
		familytest.Sized
		loss Loss
		tol  float64
		more string // a prior, states, correlations, or these of low rank
	}{
		"weights":        {familytest.Sized{N: 300, D: 500, M: 250}, Hamming, 1e-6, ""},
		"dual variables": {familytest.Sized{N: 2000, D: 40, M: 40}, SquaredHinge, 1e-9, ""},
		"sparse":         {familytest.Sized{N: 1000, D: 800, M: 60, Share: .02}, Hamming, 1e-6, ""},
		"kernel":         {familytest.Sized{N: 600, D: 50, M: 60, Kernel: true}, Hamming, 1e-6, ""},
		"prior":          {familytest.Sized{N: 300, D: 500, M: 250}, Hamming, 1e-6, "prior"},
		"logistic":       {familytest.Sized{N: 2000, D: 40, M: 40}, Logistic, 1e-6, ""},
		"correlations":   {familytest.Sized{N: 2000, D: 40, M: 40}, Hamming, 1e-6, "correlations"},
		"low rank":       {familytest.Sized{N: 1000, D: 80, M: 120}, Hamming, 1e-6, "low rank"},
		"kernel, correlations": {familytest.Sized{N: 600, D: 50, M: 60, Kernel: true}, Hamming, 1e-6,
			"correlations"},
		"states":               {familytest.Sized{N: 2000, D: 40, M: 40}, Hamming, 1e-6, "states"},
		"correlations, states": {familytest.Sized{N: 2000, D: 40, M: 40}, Hamming, 1e-6, "correlations, states"},
		"kernel, states":       {familytest.Sized{N: 600, D: 50, M: 60, Kernel: true}, Hamming, 1e-6, "states"},
	} {
		config := Config{Epochs: 300, Tol: c.tol, Workers: 2, Loss: c.loss}
		if strings.Contains(c.more, "states") {
			config.Checkpoint = familytest.Discarded()
		}
		t.Run(name+"/f32", func(t *testing.T) { memoryOf[float32](t, c.Sized, config, c.more) })
		t.Run(name+"/f64", func(t *testing.T) { memoryOf[float64](t, c.Sized, config, c.more) })
	}
}

func memoryOf[T vec.Float](t *testing.T, s familytest.Sized, c Config, more string) {
	var p Problem[T]
	p.X, p.Kernel, p.Y = familytest.Draw[T](t, s)
	switch {
	case more == "prior":
		p.Prior = vec.NewMatrix[float64](s.D, s.M)
		p.Prior.Row(0)[0] = 1
	case more == "low rank":
		p.P, p.Ridge = vec.NewMatrix[float64](5, s.M), .5
		for l := range s.M {
			p.P.Row(l % 5)[l] = 1
		}
	case strings.HasPrefix(more, "correlations"):
		p.R = vec.NewMatrix[float64](s.M, s.M)
		for l := range s.M {
			p.R.Row(l)[l], p.R.Row(l)[l^1] = 1, .5
		}
	}
	familytest.Memory(t, p, c)
}

func ExampleProblem_Memory() {
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1000, 500)}
	y := make([]int, 1000)
	y[0] = 99
	m, err := Problem[float32]{X: x, Y: y}.Memory(Config{Workers: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Bytes() < 10e6)
	// Output: true
}
