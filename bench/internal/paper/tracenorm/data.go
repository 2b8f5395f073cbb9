package tracenorm

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/caltech"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// part is examples and their classes.
type part struct {
	x design.Matrix[float32]
	y []int
}

// of returns the examples rows of p.
func (p part) of(rows []int) part {
	q := part{x: design.Subset(p.x, rows), y: make([]int, len(rows))}
	if x, ok := p.x.(*dataset.Dense[float32]); ok { // in one piece: products of all rows need no list
		m := vec.NewMatrix[float32](len(rows), x.Cols)
		x.Gather(m, rows)
		q.x = &dataset.Dense[float32]{Matrix: m}
	}
	for k, i := range rows {
		q.y[k] = p.y[i]
	}
	return q
}

// set is a data set with its two parts.
type set struct {
	name, file  string // file: in the names of files
	train, test part
	classes     int
}

// of returns the examples of the given classes, which are numbered anew.
func (s set) of(classes []int) set {
	number := make([]int, s.classes)
	for k := range number {
		number[k] = -1
	}
	for k, c := range classes {
		number[c] = k
	}
	pick := func(p part) part {
		var rows []int
		for i, y := range p.y {
			if number[y] >= 0 {
				rows = append(rows, i)
			}
		}
		p = p.of(rows)
		for i, y := range p.y {
			p.y[i] = number[y]
		}
		return p
	}
	return set{s.name, s.file, pick(s.train), pick(s.test), len(classes)}
}

// images returns the set with as many training examples a class, or all where a class has fewer, drawn by seed.
func (s set) images(count int, seed uint64) set {
	taken := make([]int, s.classes)
	var rows []int
	for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(len(s.train.y)) {
		if y := s.train.y[i]; taken[y] < count {
			taken[y]++
			rows = append(rows, i)
		}
	}
	slices.Sort(rows)
	s.train = s.train.of(rows)
	return s
}

// order returns the classes in the order drawn by seed.
func (s set) order(seed uint64) []int { return rand.New(rand.NewPCG(seed, 0)).Perm(s.classes) }

// embedded returns the first images of Fashion-MNIST.
func embedded() set {
	train, test := samples.FashionMNIST[float32]()
	return set{
		"Fashion-MNIST, first images", "fashion", part{train.X, train.Y}, part{test.X, test.Y}, len(train.Classes),
	}
}

// fisher opens the Fisher vectors of Caltech-101: 30 training images of each of 102 classes, of norm 1.
func fisher(dir report.Folder) (s set, err error) {
	images, err := caltech.Open(dir)
	if err != nil {
		return s, err
	}
	train, test, err := images.Cue("fv")
	if err != nil {
		return s, err
	}
	return set{"Caltech-101, Fisher vectors", "fisher", part{train, images.Y}, part{test, images.TestY},
		images.Classes}, nil
}

// silhouettes opens Caltech-101 Silhouettes: 28 x 28 pixels, 0 or 1; the validation part is not used.
func silhouettes(dir report.Folder) (s set, err error) {
	const name = "caltech101-silhouettes28-"
	parts, err := report.LIBSVM[float32](dir, dataset.LIBSVMOptions{Cols: 28 * 28}, name+"train.svm.gz",
		name+"test.svm.gz")
	if err != nil {
		return s, err
	}
	train, test := parts[0], parts[1]
	return set{"Silhouettes", "silhouettes", part{train.X, train.Y}, part{test.X, test.Y}, len(train.Classes)}, nil
}

// mnist opens the first 8000 test images of MNIST, in the folder mnist or the folder itself.
func mnist(dir report.Folder) (p part, classes int, err error) {
	names := []string{"t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"}
	if _, err := os.Stat(filepath.Join(string(dir), "mnist")); err == nil {
		dir = report.Folder(filepath.Join(string(dir), "mnist"))
	}
	paths, err := dir.Path(names...)
	if err != nil {
		return p, 0, err
	}
	l, err := dataset.OpenIDX[float32](paths[0], paths[1], dataset.IDXOptions{Scale: 1.0 / 255, MaxRows: 8000})
	if err != nil {
		return p, 0, err
	}
	return part{l.X, l.Y}, len(l.Classes), nil
}

// grid returns count numbers from one to another in equal ratios.
func grid(from, to float64, count int) []float64 {
	values := make([]float64, count)
	for k := range values {
		values[k] = from * math.Pow(to/from, float64(k)/float64(max(1, count-1)))
	}
	return values
}
