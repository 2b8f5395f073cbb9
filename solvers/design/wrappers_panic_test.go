package design_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func TestWrappersPanic(t *testing.T) {
	x := sparse(rand.New(rand.NewPCG(9, 10)), 4, 6)
	y := sparse(rand.New(rand.NewPCG(9, 10)), 5, 2)
	mean := make([]float32, 6)
	for want, call := range map[string]func(){
		"design: Concat: 0 parts, want 1 at least": func() { design.Concat[float32]() },
		"design: Concat: 4 examples in part 0 and 5 in part 1": func() {
			design.Concat(x, design.Matrix[float32](y))
		},
		"design: Centered: a mean of 5 numbers for 6 features": func() { design.Centered(x, mean[:5]) },
		"design: Scaled: 7 factors for 6 features":             func() { design.Scaled(x, append(mean, 1)) },
		"design: Scores: W is 6-by-2, expected 12-by-2": func() {
			design.Concat(x, design.Matrix[float32](x)).Scores(matrix32(4, 2), matrix32(6, 2), nil)
		},
		"design: Scores: dst is 3-by-2, expected 4-by-2": func() {
			design.Scaled(x, mean).Scores(matrix32(3, 2), matrix32(6, 2), nil)
		},
		"design: Accumulate: A is 3-by-2, expected 4-by-2": func() {
			design.Scaled(x, mean).Accumulate(matrix32(6, 2), matrix32(3, 2), nil)
		},
		"design: Gram: dst is 1-by-1, expected 4-by-4": func() {
			design.Scaled(x, mean).Gram(matrix32(1, 1), nil, nil)
		},
		"design: Gather: dst is 4-by-6, expected 4-by-12": func() {
			design.Concat(x, design.Matrix[float32](x)).Gather(matrix32(4, 6), nil)
		},
		"design: SquaredNorms: 3 numbers for 4 examples": func() {
			design.Centered(x, mean).SquaredNorms(make([]float32, 3))
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
	if design.Sparse[float32](x.Dense) == design.Matrix[float32](x.Dense) {
		t.Fatal("zeros are not left out")
	}
	other := design.Matrix[float32](&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](9, 2)})
	ones := []float32{1, 1, 1, 1, 1}
	for _, x := range []design.Matrix[float32]{
		x, design.WithBias(x, 1), design.Subset(x, []int{1, 3, 2}), design.Window(x, 2, 5),
		design.Centered(x, ones),
		design.Scaled(x, ones), design.Concat(other, design.Matrix[float32](x)),
		design.Window(design.Concat(x, other), 1, 4),
	} {
		if design.Sparse(x) != x {
			t.Errorf("%T is copied", x)
		}
	}
}

type inFile struct{ *dataset.Dense[float32] }

func (inFile) InFile() bool { return true }
