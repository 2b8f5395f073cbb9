package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Random small problems of all shapes: each converges and has an honest certificate.
func TestProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	count := 300
	if testing.Short() {
		count = 30
	}
	for range count {
		n, d, m := 2+rng.IntN(30), 1+rng.IntN(10), 2+rng.IntN(7)
		x, y := blobs[float64](rng, n, d, m)
		scale := math.Pow(10, float64(rng.IntN(7)-3))
		for i := range x.Data {
			x.Data[i] *= scale
			if rng.IntN(4) == 0 {
				x.Data[i] = 0
			}
		}
		if rng.IntN(3) == 0 {
			copy(x.Row(n-1), x.Row(0)) // a duplicate
		}
		c := Config{
			K: 1 + rng.IntN(m-1), Loss: []Loss{TopKHinge, TopKUsunier}[rng.IntN(2)], Classes: m, Tol: 1e-5,
			Epochs: 1 << 20, Seed: rng.Uint64(),
			Lambda: scale * scale * math.Pow(10, -rng.Float64()*3), BlockSize: rng.IntN(6), Bias: float64(rng.IntN(2)) *
				scale,
		}
		if rng.IntN(2) == 0 {
			fitHinge(t, design.Matrix[float64](sparse(x)), y, c)
		} else {
			fitHinge(t, design.Matrix[float64](x), y, c)
		}
	}
}

// The storage and the precision change the way, not the end.
func TestSameObjective(t *testing.T) {
	v := readTiny(t)
	x64, x32 := dense[float64](v.X), dense[float32](v.X)
	for _, l := range []Loss{TopKHinge, TopKUsunier} {
		c := Config{K: 2, Loss: l, Lambda: .01, Tol: 5e-7, Epochs: 100000}
		a := fitHinge(t, design.Matrix[float64](x64), v.Y, c).Certificate.Primal
		b := fitHinge(t, design.Matrix[float64](sparse(x64)), v.Y, c).Certificate.Primal
		if math.Abs(a-b) > 1e-6*a {
			t.Errorf("%v: dense %v, sparse %v", l, a, b)
		}
		c.Tol = 1e-5
		for name, x := range map[string]design.Matrix[float32]{"dense": x32, "sparse": sparse(x32)} {
			if b := fitHinge(t, x, v.Y, c).Certificate.Primal; math.Abs(a-b) > 1e-5*a {
				t.Errorf("%v: float64 %v, float32 %s %v", l, a, name, b)
			}
		}
	}
}

// Blocks of any size are the same updates in exact arithmetic.
func TestBlocksAgree(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(3, 4)), 100, 20, 5)
	c := Config{K: 2, Lambda: .01, Epochs: 3, Tol: 1e-12, BlockSize: 1, Workers: 1}
	want, err := Fit(context.Background(), design.Matrix[float64](x), y, c)
	if err != nil {
		t.Fatal(err)
	}
	for _, c.BlockSize = range []int{2, 7, 100, 1000} {
		got, err := Fit(context.Background(), design.Matrix[float64](x), y, c)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got.Duals.Data {
			if math.Abs(v-want.Duals.Data[i]) > 1e-9 {
				t.Fatalf("blocks of %d: dual variable %d is %v, want %v", c.BlockSize, i, v, want.Duals.Data[i])
			}
		}
	}
}

func TestSameSeedSameBits(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(5, 6)), 200, 20, 6)
	c := Config{K: 3, Lambda: .001, Tol: 1e-4, Seed: 7, Workers: 1}
	a, b := fitHinge(t, design.Matrix[float32](x), y, c), fitHinge(t, design.Matrix[float32](x), y, c)
	if !slices.Equal(a.Duals.Data, b.Duals.Data) || !slices.Equal(a.Linear.Weights().Data, b.Linear.Weights().Data) ||
		a.Certificate != b.Certificate {
		t.Error("two runs differ")
	}
	c.Seed = 8
	if b := fitHinge(t, design.Matrix[float32](x), y, c); slices.Equal(a.Duals.Data, b.Duals.Data) {
		t.Error("the seed does not matter")
	}
}

// Examples without a number that is not 0 add a constant to the objective, and nothing to W.
func TestZeroRows(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(7, 8)), 60, 5, 4)
	for i := 40; i < 60; i++ {
		clear(x.Row(i))
	}
	for _, l := range []Loss{TopKHinge, TopKUsunier} {
		c := Config{K: 2, Loss: l, Lambda: .01, Tol: 1e-9, Epochs: 1 << 20}
		all := fitHinge(t, design.Matrix[float64](x), y, c)
		c.Lambda = .01 * 60 / 40
		some := fitHinge(t, design.Matrix[float64](first(x, 40)), y[:40], c)
		if want := some.Certificate.Primal*40/60 + 20.0/60; math.Abs(all.Certificate.Primal-want) > 1e-8 {
			t.Errorf("%v: %v, want %v", l, all.Certificate.Primal, want)
		}
	}
}

func TestBias(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(9, 10)), 60, 5, 4)
	wide := vec.NewMatrix[float64](60, 6)
	for i := range 60 {
		copy(wide.Row(i), x.Row(i))
		wide.Row(i)[5] = 2
	}
	c := Config{Lambda: .01, Tol: 1e-9, Epochs: 1 << 20}
	want := fitHinge(t, design.Matrix[float64](&dataset.Dense[float64]{Matrix: wide}), y, c)
	c.Bias = 2
	got := fitHinge(t, design.Matrix[float64](x), y, c)
	if math.Abs(got.Certificate.Primal-want.Certificate.Primal) > 1e-8 {
		t.Errorf("%v, want %v", got.Certificate, want.Certificate)
	}
	if d, m := got.Dims(); d != 5 || m != 4 || got.Linear.Weights().Rows != 5 || len(got.Linear.Bias()) != 4 ||
		got.Linear.Constant() != 2 {
		t.Errorf("%d features, %d classes, %d rows of W, bias %v of %v", d, m, got.Linear.Weights().Rows,
			got.Linear.Bias(), got.Linear.Constant())
	}
	s, s2 := make([]float64, 4), make([]float64, 4)
	for i := range 60 {
		got.Linear.ScoresOf(s, x.Row(i))
		want.Linear.ScoresOf(s2, wide.Row(i))
		for c := range s {
			if math.Abs(s[c]-s2[c]) > 1e-3 {
				t.Fatalf("row %d: %v, want %v", i, s, s2)
			}
		}
	}
}

func TestEpochLimitAndProgress(t *testing.T) {
	x, y := blobs[float64](rand.New(rand.NewPCG(13, 14)), 100, 10, 5)
	var seen []solvers.Progress
	c := Config{Lambda: 1e-4, Tol: 1e-9, Epochs: 100, Progress: func(p solvers.Progress) { seen = append(seen, p) }}
	r, err := Fit(context.Background(), design.Matrix[float64](x), y, c)
	if err != nil || r.Status != solvers.EpochLimit || r.Visits < 100*100 || r.Visits >= 101*100 || r.Epochs < 100 {
		t.Fatalf("%s, %v", told(r), err)
	}
	verify(t, design.Matrix[float64](x), y, c, r)
	certified := 0
	for i, p := range seen {
		if p.Epoch != i+1 {
			t.Fatalf("epoch %d told as %d", i+1, p.Epoch)
		}
		if p.Primal < r.Certificate.Dual || p.Dual > r.Certificate.Primal {
			t.Errorf("epoch %d: %v, at the end %v", p.Epoch, p.Certificate, r.Certificate)
		}
		if p.Certified {
			certified++
		}
	}
	if last := seen[len(seen)-1]; len(seen) != r.Epochs || certified < 1 || !last.Certified ||
		last.Certificate != r.Certificate {
		t.Errorf("%d calls, %d certified", len(seen), certified)
	}
}

// What float32 cannot reach it does not claim.
func TestStalled(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(15, 16)), 60, 10, 5)
	c := Config{K: 2, Lambda: .01, Tol: 1e-12, Epochs: 1 << 20}
	r, err := Fit(context.Background(), design.Matrix[float32](x), y, c)
	if err != nil || r.Status != solvers.Stalled {
		t.Fatalf("%s, %v", told(r), err)
	}
	verify(t, design.Matrix[float32](x), y, c, r)
	if gap := r.Certificate.RelativeGap(); gap < 1e-12 || gap > 1e-4 {
		t.Errorf("stalled at gap %g after %d epochs", gap, r.Epochs)
	}
}

// Scores beyond float32 end in an error, not in NaN.
func TestOverflow(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(19, 20)), 20, 3, 3)
	for i := range x.Data {
		x.Data[i] *= 1e18
	}
	r, err := Fit(context.Background(), design.Matrix[float32](x), y, Config{Lambda: 1e-25, Epochs: 50})
	if err == nil {
		verify(t, design.Matrix[float32](x), y, Config{Lambda: 1e-25}, r)
	} else if !strings.Contains(err.Error(), "outgrew float32") {
		t.Error(err)
	}
}

// TestUnscaled: where features differ much in size, as in raw Spambase, training that ends far from the tolerance says
// so, and what to do.
func TestUnscaled(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: 4601 mails, several passes")
	}
	mails := samples.Spambase[float64]()
	r, err := Fit(context.Background(), design.Matrix[float64](mails.X), mails.Y,
		Config{Lambda: 1 / float64(len(mails.Y)), Epochs: 20})
	if err != nil {
		t.Fatal(err)
	}
	const hint = "far from the 1.0e-03 asked for: if features differ much in size, scale them"
	if s := r.String(); r.Status != solvers.EpochLimit || !strings.Contains(s, hint) {
		t.Errorf("%q, want %q", s, hint)
	}
}
