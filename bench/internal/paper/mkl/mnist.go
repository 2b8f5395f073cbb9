package mkl

import (
	"fmt"
	"math"
	"path/filepath"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// digits are images in quarters.
type digits struct {
	set, file   string
	train, test []vec.Matrix[float32] // the quarters
	y, testY    []int
	classes     int
}

// openDigits returns the first most training images of MNIST, and its test images, from the folder mnist of dir, or
// embedded images where dir is "".
func openDigits(dir report.Folder, most int) (*digits, error) {
	if dir == "" {
		train, test := samples.FashionMNIST[float32]()
		return newDigits("Fashion-MNIST, embedded", "fashion", train, test), nil
	}
	var parts [2]*dataset.Labeled[*dataset.Dense[float32]]
	for k, part := range []string{"train", "t10k"} {
		paths, err := dir.Path(filepath.Join("mnist", part+"-images-idx3-ubyte.gz"), filepath.Join("mnist",
			part+"-labels-idx1-ubyte.gz"))
		if err != nil {
			return nil, err
		}
		o := dataset.IDXOptions{Scale: 1. / 255}
		if k == 0 {
			o.MaxRows = most
		} else {
			o.Classes = parts[0].Classes
		}
		if parts[k], err = dataset.OpenIDX[float32](paths[0], paths[1], o); err != nil {
			return nil, err
		}
		if parts[k].X.Cols != fashion.Side*fashion.Side {
			return nil, fmt.Errorf("%s: %d pixels, want %d", paths[0], parts[k].X.Cols, fashion.Side*fashion.Side)
		}
	}
	return newDigits("MNIST", "mnist", parts[0], parts[1]), nil
}

func newDigits(set, file string, train, test *dataset.Labeled[*dataset.Dense[float32]]) *digits {
	return &digits{set, file, fashion.Quarters(train.X.Matrix), fashion.Quarters(test.X.Matrix), train.Y, test.Y,
		len(train.Classes)}
}

// tests returns the test images, quarters side by fashion.Side.
func (d *digits) tests() design.Matrix[float32] { return sideBySide(d.test) }

// sideBySide returns the features of the same examples of all matrices.
func sideBySide(blocks []vec.Matrix[float32]) design.Matrix[float32] {
	parts := make([]design.Matrix[float32], len(blocks))
	for q, b := range blocks {
		parts[q] = &dataset.Dense[float32]{Matrix: b}
	}
	return design.Concat(parts...)
}

// kinds are the kernels of each quarter.
var kinds = []string{"linear", "polynomial", "Gaussian"}

// groups returns three kernels for each quarter of the first n training images, linear, polynomial (1 + <x,z>/mean
// |x|²)^5 and Gaussian exp(-4 d²/mean d²), each with a diagonal of mean 1.
func (d *digits) groups(n int) (groups []bundle.Group[float32], err error) {
	for q, whole := range d.train {
		x := whole.Slice(0, n, 0, whole.Cols)
		mean, square, power := make([]float64, x.Cols), 0.0, 0.0
		for i := range n {
			square += float64(vec.SquaredNorm(x.Row(i))) / float64(n)
			for j, v := range x.Row(i) {
				mean[j] += float64(v) / float64(n)
			}
		}
		distance := 2 * (square - vec.SquaredNorm(mean)) // the mean of |x - z|² over all pairs
		if !(distance > 0) {
			return nil, fmt.Errorf("%s: quarter %d of all %d images is the same", d.set, q, n)
		}
		for i := range n {
			power += math.Pow(1+float64(vec.SquaredNorm(x.Row(i)))/square, 5) / float64(n)
		}
		root := math.Pow(power, -.2)
		groups = append(groups, bundle.Group[float32]{X: &dataset.Dense[float32]{Matrix: x}, Kernels: []kernel.Kernel{
			kernel.Polynomial{Degree: 1, Scale: 1 / square}, kernel.Polynomial{Degree: 5, Scale: root / square,
				Offset: root},
			kernel.Gaussian{Gamma: 4 / distance},
		}})
	}
	return groups, nil
}
