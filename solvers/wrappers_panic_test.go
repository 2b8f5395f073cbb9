package solvers_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

func TestWrappersPanic(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(9, 10)), 4, 6)
	y := sparse(rand.New(rand.NewPCG(9, 10)), 5, 2)
	mean := make([]float32, 6)
	for want, call := range map[string]func(){
		"solvers: Concat: 0 parts, need 1 at least": func() { solvers.Concat[float32]() },
		"solvers: Concat: 4 examples in part 0 and 5 in part 1": func() {
			solvers.Concat(x, solvers.Features[float32](y))
		},
		"solvers: Centered: a mean of 5 numbers for 6 features": func() { solvers.Centered(x, mean[:5]) },
		"solvers: Scaled: 7 factors for 6 features":             func() { solvers.Scaled(x, append(mean, 1)) },
		"solvers: Scores: W is 6-by-2, expected 12-by-2": func() {
			solvers.Concat(x, solvers.Features[float32](x)).Scores(matrix32(4, 2), matrix32(6, 2), nil)
		},
		"solvers: Scores: dst is 3-by-2, expected 4-by-2": func() {
			solvers.Scaled(x, mean).Scores(matrix32(3, 2), matrix32(6, 2), nil)
		},
		"solvers: Accumulate: A is 3-by-2, expected 4-by-2": func() {
			solvers.Scaled(x, mean).Accumulate(matrix32(6, 2), matrix32(3, 2), nil)
		},
		"solvers: Gram: dst is 1-by-1, expected 4-by-4": func() {
			solvers.Scaled(x, mean).Gram(matrix32(1, 1), nil, nil)
		},
		"solvers: Gather: dst is 4-by-6, expected 4-by-12": func() {
			solvers.Concat(x, solvers.Features[float32](x)).Gather(matrix32(4, 6), nil)
		},
		"solvers: SquaredNorms: 3 numbers for 4 examples": func() {
			solvers.Centered(x, mean).SquaredNorms(make([]float32, 3))
		},
	} {
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
					t.Errorf("panic %v, want a ShapeError %q", got, want)
				}
			}()
			call()
		}()
	}
	for name, w := range wrappers(t, rand.New(rand.NewPCG(9, 10)), 9) {
		n, d := w.x.Dims()
		for method, call := range map[string]func(){
			"Gather":     func() { w.x.Gather(matrix32(1, d), []int{n}) },
			"Scores":     func() { w.x.Scores(matrix32(1, 1), matrix32(d, 1), []int{-1}) },
			"Accumulate": func() { w.x.Accumulate(matrix32(d, 1), matrix32(1, 1), []int{n}) },
		} {
			if strings.Contains(name, "codes") {
				continue // a storage of this test
			}
			func() {
				defer func() {
					if got, ok := recover().(vec.ShapeError); !ok {
						t.Errorf("%s, %s: panic %v for a row out of range, want a ShapeError", name, method, got)
					}
				}()
				call()
			}()
		}
	}
}

// A storage that says so is not copied, in whatever it is wrapped.
func TestSparseLeavesFiles(t *testing.T) {
	x := inFile{&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](9, 5)}}
	if solvers.Sparse[float32](x.Dense) == solvers.Features[float32](x.Dense) {
		t.Fatal("zeros are not left out")
	}
	other := solvers.Features[float32](&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](9, 2)})
	ones := []float32{1, 1, 1, 1, 1}
	for _, x := range []solvers.Features[float32]{
		x, solvers.WithBias(x, 1), solvers.Subset(x, []int{1, 3, 2}), solvers.Window(x, 2, 5),
		solvers.Centered(x, ones),
		solvers.Scaled(x, ones), solvers.Concat(other, solvers.Features[float32](x)),
		solvers.Window(solvers.Concat(x, other), 1, 4),
	} {
		if solvers.Sparse(x) != x {
			t.Errorf("%T is copied", x)
		}
	}
}

type inFile struct{ *dataset.Dense[float32] }

func (inFile) InFile() bool { return true }
