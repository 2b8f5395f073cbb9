package topk

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
)

func TestTiny(t *testing.T) {
	v := readTiny(t)
	if len(v.Results) != 18 {
		t.Fatalf("%d problems, want 18", len(v.Results))
	}
	a := dense[float64](v.X)
	for _, want := range v.Results {
		c := Config{K: want.K, Loss: lossNamed[want.Loss], Lambda: want.Lambda, Tol: 1e-9, Epochs: 100000}
		for name, x := range map[string]design.Matrix[float64]{"dense": a, "csr": sparse(a)} {
			if testing.Short() && (name == "csr" || want.Lambda < .01) {
				continue // thousands of epochs
			}
			t.Run(fmt.Sprintf("%s/%s/k%d/lambda%g", name, want.Loss, want.K, want.Lambda), func(t *testing.T) {
				r := fitHinge(t, x, v.Y, c)
				t.Log(r.Epochs, "epochs")
				if p, d := r.Certificate.Primal, r.Certificate.Dual; math.Abs(p-want.Primal) > 1e-6*want.Primal ||
					math.Abs(d-want.Dual) > 1e-6*want.Primal {
					t.Errorf("%.9g %.9g, want %.9g %.9g", p, d, want.Primal, want.Dual)
				}
			})
		}
	}
}

// A float32 training to 1e-5 ends within 1e-5 of the optimum.
func TestTinyFloat32(t *testing.T) {
	v := readTiny(t)
	a := dense[float32](v.X)
	for _, want := range v.Results {
		if testing.Short() && want.Lambda < .01 {
			continue
		}
		c := Config{K: want.K, Loss: lossNamed[want.Loss], Lambda: want.Lambda, Tol: 1e-5, Epochs: 100000}
		r := fitHinge(t, design.Matrix[float32](a), v.Y, c)
		if p := r.Certificate.Primal; p < want.Dual*(1-1e-6) || p > want.Primal*(1+1.1e-5) {
			t.Errorf("%v: %.9g, want %.9g", c, p, want.Primal)
		}
	}
}

func TestMNIST(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: 8000 images, to small gaps")
	}
	path := filepath.Join(os.Getenv("DUALGAP_DATA"), "..", "truth", "topk_mnist10k.json")
	raw, err := os.ReadFile(path)
	if err != nil || os.Getenv("DUALGAP_DATA") == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets beside the folder of the truth")
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
			inside(t, c, fitHinge(t, design.Matrix[float32](first(x32, 8000)), y, c).Certificate, want.Dual,
				want.Primal)
			c.Tol = 1e-4
			r := fitHinge(t, design.Matrix[float64](first(x64, 8000)), y, c)
			inside(t, c, r.Certificate, want.Dual, want.Primal)
		})
	}
}

// inside checks that the interval of a certificate meets the known bracket of the optimum, low to high for C n P, and
// that it reaches no farther beyond it than the tolerance allows.
func inside(t *testing.T, c Config, got solvers.Certificate, low, high float64) {
	t.Helper()
	scale := 1 / c.Lambda // C n P = P / lambda
	p, d := got.Primal*scale, got.Dual*scale
	if p < low || d > high || p > high*(1+c.Tol) || d < low*(1-c.Tol) {
		t.Errorf("%+v: %.9g to %.9g, want it around %.9g to %.9g", c, d, p, low, high)
	}
}
