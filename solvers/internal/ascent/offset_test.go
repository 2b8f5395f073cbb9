package ascent

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// withOffsets are problems of one output with an offset, by their losses: of classes, of targets and of one class.
func withOffsets(t *testing.T, x design.Matrix[float32], y []int) map[string]Problem[float32] {
	t.Helper()
	labels := family.Labels{Sets: make([][]int, len(y))}
	targets := &loss.Targets{Y: make([]float64, len(y)), Epsilon: .1}
	for i, c := range y {
		if targets.Y[i] = float64(c); c == 1 {
			labels.Sets[i] = []int{0}
		}
	}
	radii, err := family.Radii[float32](1, "C", &labels, nil, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	of := func(l loss.Loss[float32], exact loss.Loss[float64]) Problem[float32] {
		return Problem[float32]{X: x, Labels: labels, Outputs: 1, Radius: radii, Lambda: 1, Loss: l, Exact: exact,
			Offset: true}
	}
	one := of(loss.OneClass[float32]{}, loss.OneClass[float64]{})
	one.Sum = .3 * float64(len(y))
	return map[string]Problem[float32]{
		"hinge":         of(loss.LabelHinge[float32]{}, loss.LabelHinge[float64]{}),
		"squared hinge": of(loss.SquaredHinge[float32]{}, loss.SquaredHinge[float64]{}),
		"logistic":      of(loss.Logistic[float32]{}, loss.Logistic[float64]{}),
		"insensitive": of(loss.EpsilonInsensitive[float32]{Targets: targets},
			loss.EpsilonInsensitive[float64]{Targets: targets}),
		"squared": of(loss.SquaredEpsilonInsensitive[float32]{Targets: targets},
			loss.SquaredEpsilonInsensitive[float64]{Targets: targets}),
		"one class": one,
	}
}

// TestOffsetAllocs: with an offset an epoch allocates nothing, on features as they are, less their mean, and sparse,
// and on a kernel; nor do on features the certificate and the new origin behind it.
func TestOffsetAllocs(t *testing.T) {
	x, y := blobs[float32](rand.New(rand.NewPCG(23, 24)), 300, 10, 2)
	far := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](x.Rows, x.Cols)}
	for i, v := range x.Data {
		x.Data[i], far.Data[i] = v+1, v+30
	}
	k, err := kernel.New(design.Matrix[float32](x), kernel.Gaussian{Gamma: .1}, 1<<22)
	if err != nil {
		t.Fatal(err)
	}
	for form, f := range map[string]design.Matrix[float32]{"dense": x, "sparse": sparse(t, x), "far from 0": far,
		"sparse, far from 0": sparse(t, far), "kernel": nil} {
		for name, p := range withOffsets(t, f, y) {
			if f != nil && p.Sum != 0 { // package oneclass
				continue
			}
			for _, size := range []int{1, 16} {
				o := Options{Options: solvers.Options{Tol: 1e-9, Workers: 1}, BlockSize: size}
				var s Solver[float32]
				if f == nil {
					p.Kernel = k
					if s, err = newKernelSolver(p, o); err != nil {
						t.Fatal(err)
					}
				} else {
					s = training(t, p, o)
				}
				step := func() {
					s.Epoch(context.Background())
					s.Estimate()
					if f == nil { // products with a kernel take memory of their own
						return
					}
					if _, err := s.Certify(); err != nil {
						t.Fatal(err)
					}
					s.Reconsider()
				}
				step()
				if n := prove.Allocs(10, step); n != 0 {
					t.Errorf("%s, %s, blocks of %d: %v allocations an epoch", form, name, size, n)
				}
			}
		}
	}
}
