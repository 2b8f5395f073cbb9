package topk

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// tiny is topk_tiny.json, described in testdata/README.md.
type tiny struct {
	X       [][]float64 `json:"X"`
	Y       []int       `json:"y"`
	Results []struct {
		Lambda float64 `json:"lam"`
		Loss   string  `json:"loss"`
		K      int     `json:"k"`
		Primal float64 `json:"primal"`
		Dual   float64 `json:"dual"`
	} `json:"results"`
}

func readTiny(t *testing.T) tiny {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "topk_tiny.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var v tiny
	if err := json.NewDecoder(z).Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func dense[T vec.Float](rows [][]float64) *dataset.Dense[T] {
	x := vec.NewMatrix[T](len(rows), len(rows[0]))
	for i, row := range rows {
		for j, v := range row {
			x.Row(i)[j] = T(v)
		}
	}
	return &dataset.Dense[T]{Matrix: x}
}

// sparse is the same numbers without the zeros.
func sparse[T vec.Float](a *dataset.Dense[T]) *dataset.CSR[T] {
	b := &dataset.CSR[T]{Rows: a.Rows, Cols: a.Cols, Ptr: []int{0}}
	for i := range a.Rows {
		for j, v := range a.Row(i) {
			if v != 0 {
				b.Idx, b.Val = append(b.Idx, int32(j)), append(b.Val, v)
			}
		}
		b.Ptr = append(b.Ptr, len(b.Val))
	}
	return b
}

var lossNamed = map[string]Loss{"alpha": Alpha, "beta": Beta}

// train fits, fails the test unless it converged, and verifies the certificate.
func train[T vec.Float](t *testing.T, x solvers.Features[T], y []int, c Config) *Result[T] {
	t.Helper()
	r, err := Fit(context.Background(), x, y, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != solvers.Converged {
		t.Fatalf("%+v: %v after %d epochs, %v", c, r.Status, r.Epochs, r.Certificate)
	}
	verify(t, x, y, c, r)
	return r
}

// verify computes the certificate again, by loops in float64 from the weights, the dual variables and the data, and the
// losses by sorting.
func verify[T vec.Float](t *testing.T, x solvers.Features[T], y []int, c Config, r *Result[T]) {
	t.Helper()
	n, d := x.Dims()
	if c.Bias != 0 {
		x, d = solvers.WithBias(x, T(c.Bias)), d+1
	}
	_, m := r.Dims()
	k, radius := max(1, c.K), 1/(c.Lambda*float64(n))
	w, sum, loss := r.Weights(), 0.0, 0.0
	fromDuals := make([]float64, d*m)
	row := vec.NewMatrix[T](1, d)
	for i := range n {
		x.Gather(row, []int{i})
		a := make([]float64, m)
		most, least := 0.0, 0.0
		for j, v := range r.Duals.Row(i) {
			if j != y[i] {
				a[j] = float64(v)
				a[y[i]] -= a[j]
				most, least = max(most, -a[j]), min(least, -a[j])
			}
		}
		sum += a[y[i]]
		limit := radius
		if c.Loss == Alpha {
			limit = a[y[i]]
		}
		if out := max(-least, most-limit/float64(k), a[y[i]]-radius); out > 1e-12*radius {
			t.Fatalf("dual variables of row %d leave their set by %g", i, out)
		}
		scores := make([]float64, m)
		for j, v := range row.Data {
			if v == 0 {
				continue
			}
			for cl := range m {
				scores[cl] += float64(v) * float64(w.Row(j)[cl])
				fromDuals[j*m+cl] += float64(v) * a[cl]
			}
		}
		h := []float64{}
		for cl, s := range scores {
			if cl != y[i] {
				h = append(h, 1+s-scores[y[i]])
			}
		}
		slices.Sort(h)
		phi := 0.0
		for _, v := range h[len(h)-k:] {
			if c.Loss == Alpha || v > 0 {
				phi += v / float64(k)
			}
		}
		loss += max(0, phi)
	}
	norm, normDual := 0.0, 0.0
	for j := range d {
		for cl := range m {
			norm += float64(w.Row(j)[cl]) * float64(w.Row(j)[cl])
			normDual += fromDuals[j*m+cl] * fromDuals[j*m+cl]
		}
	}
	primal, dual := loss/float64(n)+c.Lambda/2*norm, c.Lambda*(sum-normDual/2)
	if math.Abs(primal-r.Certificate.Primal) > 1e-9*primal || math.Abs(dual-r.Certificate.Dual) > 1e-9*primal {
		t.Fatalf("certificate %v %v, recomputed %v %v", r.Certificate.Primal, r.Certificate.Dual, primal, dual)
	}
	if gap := r.Certificate.Gap(); !(gap >= -1e-14*primal) {
		t.Fatalf("gap %g", gap)
	}
}

func TestTiny(t *testing.T) {
	v := readTiny(t)
	if len(v.Results) != 18 {
		t.Fatalf("%d problems, want 18", len(v.Results))
	}
	a := dense[float64](v.X)
	for _, want := range v.Results {
		c := Config{K: want.K, Loss: lossNamed[want.Loss], Lambda: want.Lambda, Tol: 1e-9, Epochs: 100000}
		for name, x := range map[string]solvers.Features[float64]{"dense": a, "csr": sparse(a)} {
			if testing.Short() && (name == "csr" || want.Lambda < .01) {
				continue // thousands of epochs
			}
			t.Run(fmt.Sprintf("%s/%s/k%d/lambda%g", name, want.Loss, want.K, want.Lambda), func(t *testing.T) {
				r := train(t, x, v.Y, c)
				t.Log(r.Epochs, "epochs")
				if p, d := r.Certificate.Primal, r.Certificate.Dual; math.Abs(p-want.Primal) > 1e-6*want.Primal || math.Abs(d-want.Dual) > 1e-6*want.Primal {
					t.Errorf("%.9g %.9g, want %.9g %.9g", p, d, want.Primal, want.Dual)
				}
			})
		}
	}
}

// A float32 training to 1e-5 ends within that of the optimum.
func TestTinyFloat32(t *testing.T) {
	v := readTiny(t)
	a := dense[float32](v.X)
	for _, want := range v.Results {
		if testing.Short() && want.Lambda < .01 {
			continue
		}
		c := Config{K: want.K, Loss: lossNamed[want.Loss], Lambda: want.Lambda, Tol: 1e-5, Epochs: 100000}
		r := train(t, solvers.Features[float32](a), v.Y, c)
		if p := r.Certificate.Primal; p < want.Dual*(1-1e-6) || p > want.Primal*(1+1.1e-5) {
			t.Errorf("%v: %.9g, want %.9g", c, p, want.Primal)
		}
	}
}

// mnist reads the 10,000 test images of MNIST; the first 8000 are for training.
func mnist[T vec.Float](t testing.TB) (*dataset.Dense[T], []int) {
	t.Helper()
	return images[T](t, "mnist", "t10k")
}

// images returns the set of that name, "train" or "t10k".
func images[T vec.Float](t testing.TB, name, part string) (*dataset.Dense[T], []int) {
	t.Helper()
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	file := func(kind string) string { return filepath.Join(data, name, part+"-"+kind+"-ubyte.gz") }
	set, err := dataset.OpenIDX[T](file("images-idx3"), file("labels-idx1"), dataset.IDXOptions{Scale: 1.0 / 255})
	if err != nil {
		t.Skip(err)
	}
	return set.X, set.Y
}

func first[T vec.Float](x *dataset.Dense[T], n int) *dataset.Dense[T] {
	return &dataset.Dense[T]{Matrix: x.Slice(0, n, 0, x.Cols)}
}

func TestMNIST(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: 8000 images, to small gaps")
	}
	path := filepath.Join(os.Getenv("DUALGAP_DATA"), "..", "truth", "topk_mnist10k.json")
	raw, err := os.ReadFile(path)
	if err != nil || os.Getenv("DUALGAP_DATA") == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets beside that of the truth")
	}
	truth := map[string]struct {
		Primal float64 `json:"primal_C_upper"`
		Dual   float64 `json:"dual_C_lower"`
	}{}
	if err := json.Unmarshal(raw, &truth); err != nil {
		t.Fatal(err)
	}
	if len(truth) != 5 {
		t.Fatalf("%d problems, want 5", len(truth))
	}
	x32, y := mnist[float32](t)
	x64, _ := mnist[float64](t)
	y = y[:8000]
	for name, want := range truth {
		var k int
		if _, err := fmt.Sscanf(name[strings.Index(name, "/k")+2:], "%d", &k); err != nil {
			t.Fatal(err)
		}
		c := Config{K: k, Loss: lossNamed[strings.Split(name, "/")[1]], Lambda: 1 / (.01 * 8000)}
		t.Run(name, func(t *testing.T) {
			c.Tol = 1e-3
			inside(t, c, train(t, solvers.Features[float32](first(x32, 8000)), y, c).Certificate, want.Dual, want.Primal)
			c.Tol = 1e-4
			r := train(t, solvers.Features[float64](first(x64, 8000)), y, c)
			inside(t, c, r.Certificate, want.Dual, want.Primal)
		})
	}
}

// inside checks that the interval of a certificate meets the known bracket of the optimum, low to high for C n P, and that
// it reaches no farther beyond it than the tolerance allows.
func inside(t *testing.T, c Config, got solvers.Certificate, low, high float64) {
	t.Helper()
	scale := 1 / c.Lambda // C n P = P / lambda
	p, d := got.Primal*scale, got.Dual*scale
	if p < low || d > high || p > high*(1+c.Tol) || d < low*(1-c.Tol) {
		t.Errorf("%+v: %.9g to %.9g, want it around %.9g to %.9g", c, d, p, low, high)
	}
}
