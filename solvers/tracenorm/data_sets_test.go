package tracenorm

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// folder names the folder of larger sets.
func folder(t testing.TB) string {
	t.Helper()
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	return data
}

// mnist returns the first 8000 test images of MNIST, of numbers from 0 to 1.
func mnist[T vec.Float](t testing.TB) Problem[T] {
	t.Helper()
	file := func(name string) string { return filepath.Join(folder(t), "mnist", name) }
	set, err := dataset.OpenIDX[T](file("t10k-images-idx3-ubyte.gz"), file("t10k-labels-idx1-ubyte.gz"),
		dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		t.Skip(err)
	}
	return Problem[T]{X: set.X.Window(0, 8000), Y: set.Y[:8000]}
}

// silhouettes returns the training set of Caltech-101's silhouettes.
func silhouettes[T vec.Float](t testing.TB) Problem[T] {
	t.Helper()
	set, err := dataset.OpenLIBSVM[T](filepath.Join(folder(t), "caltech101-silhouettes28-train.svm.gz"),
		dataset.LIBSVMOptions{})
	if err != nil {
		t.Skip(err)
	}
	return Problem[T]{X: set.X, Y: set.Y}
}

// TestMNIST: the optimum that FISTA found in half an hour, and how many passes a certificate takes.
func TestMNIST(t *testing.T) {
	c := Config{Lambda1: .01, Lambda2: 1e-3, Raw: true, Workers: 1}
	passes := func(p Problem[float32], tol, most float64) {
		t.Helper()
		c := c
		c.Tol = tol
		if r := fit(t, p, c); !(r.Passes <= most) {
			t.Errorf("%s, want %v passes at most", told(r), most)
		} else {
			t.Log(told(r))
		}
	}
	narrow := mnist[float32](t)
	passes(narrow, 1e-3, 30)
	passes(narrow, 1e-5, 45)
	if testing.Short() {
		return
	}
	c.Tol = 1e-7
	const optimum = .564596474119951
	r := fit(t, mnist[float64](t), c)
	if off := r.Certificate.Primal/optimum - 1; !(math.Abs(off) <= 1e-6) || r.Certificate.Dual > optimum*(1+1e-9) {
		t.Errorf("%s, off by %.3g of the optimum %v", told(r), off, optimum)
	}
}

// TestSilhouettes: passes to a gap of 1e-3, with and without the mean.
func TestSilhouettes(t *testing.T) {
	p := silhouettes[float32](t)
	for _, c := range []struct {
		raw  bool
		most float64
	}{{false, 60}, {true, 150}} {
		r := fit(t, p, Config{Lambda1: .01, Lambda2: 1e-3, Raw: c.raw, Workers: 1})
		if t.Log(told(r)); !(r.Passes <= c.most) {
			t.Errorf("%s, want %v passes at most", told(r), c.most)
		}
	}
}

// TestPathPasses: a path of 10 by 10 values to 1e-2 takes no more passes than the test says.
func TestPathPasses(t *testing.T) {
	p := mnist[float32](t)
	if testing.Short() {
		t.Skip("takes a minute")
	}
	geometric := func(from, to float64) (all []float64) {
		for e := range 10 {
			all = append(all, from*math.Pow(to/from, float64(e)/9))
		}
		return all
	}
	for _, c := range []struct {
		path PathConfig
		most float64
	}{
		{PathConfig{Lambda1s: geometric(.2, .002), Lambda2s: geometric(.1, 1e-4)}, 350},
		{PathConfig{Lambda1s: geometric(.2, .01), Lambda2s: geometric(1e-2, 1e-3)}, 180},
	} {
		points, err := p.Path(t.Context(), Config{Tol: 1e-2, Raw: true, Workers: 1}, c.path)
		if err != nil || len(points) != 100 {
			t.Fatal(len(points), err)
		}
		sum := 0.0
		for _, q := range points {
			sum += q.Result.Passes
			if q.Result.Status != solvers.Converged {
				t.Errorf("%v, %v: %s", q.Lambda1, q.Lambda2, told(q.Result))
			}
		}
		if t.Logf("%.1f passes", sum); !(sum <= c.most) {
			t.Errorf("%v passes, want %v at most", sum, c.most)
		}
	}
}
