package topk

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/progress"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// problem is the three parts of a set, and what is trained on it.
type problem struct {
	name, file     string // of the set, in titles and in names of files
	x, val, test   design.Matrix[float32]
	y, valY, testY []int
	m              int      // classes
	baselines      []method // the first rows of the table
	methods        []method // its other rows
	tops           []int    // its columns
	config         topk.Config
	bar            *progress.Bar
}

// The columns of the paper's table, and of a table of ten classes, among ten guesses of which is always the right one.
var tops, smallTops = []int{1, 2, 3, 4, 5, 10}, []int{1, 2, 3, 4, 5}

// open reads the three parts of Caltech-101 Silhouettes.
func open(dir report.Folder) (*problem, error) {
	var names []string
	for _, part := range []string{"train", "val", "test"} {
		names = append(names, "caltech101-silhouettes28-"+part+".svm.gz")
	}
	parts, err := report.LIBSVM[float32](dir, dataset.LIBSVMOptions{Cols: 784}, names...)
	if err != nil {
		return nil, err
	}
	train, val, test := parts[0], parts[1], parts[2]
	if k := slices.Max(tops); len(train.Classes) < k {
		return nil, fmt.Errorf("%s: %d classes, want %d", names[0], len(train.Classes), k)
	}
	x, err := train.X.Dense() // more than half of the pixels are 1
	if err != nil {
		return nil, err
	}
	return &problem{
		name: "Caltech-101 Silhouettes", x: x, val: val.X, test: test.X, y: train.Y, valY: val.Y, testY: test.Y,
		m: len(train.Classes), baselines: printedBaselines, methods: printed, tops: tops,
	}, nil
}

// embedded returns the sets that come with the library: of the training part of Fashion-MNIST's first images a third
// validates; of the digits, whose pixels are divided by 16, a quarter tests and a third of the others validates.
func embedded() ([]*problem, error) {
	train, test := samples.FashionMNIST[float32]()
	images := &problem{name: "the first images of Fashion-MNIST, embedded", file: "-fashion", test: test.X,
		testY: test.Y}
	digits := samples.Digits[float32]()
	vec.Scale(1./16, digits.X.Data)
	numbers := &problem{name: "digits of 8 x 8 pixels, embedded", file: "-digits"}
	rest, rows, err := cut(digits.X, digits.Y, 1./4)
	if err != nil {
		return nil, err
	}
	numbers.test, numbers.testY = pick(digits.X, digits.Y, rows)
	x, y := pick(digits.X, digits.Y, rest)
	if err := images.split(train.X, train.Y); err != nil {
		return nil, err
	}
	return []*problem{images, numbers}, numbers.split(x, y)
}

// split sets the training and the validation part, two thirds and a third of the examples, and what is trained on them.
func (p *problem) split(x design.Matrix[float32], y []int) error {
	rest, rows, err := cut(x, y, 1./3)
	if err != nil {
		return err
	}
	p.x, p.y = pick(x, y, rest)
	p.val, p.valY = pick(x, y, rows)
	p.m, p.baselines, p.methods, p.tops = slices.Max(y)+1, smallBaselines(), small(), smallTops
	return nil
}

// cut draws a share of the examples by seed 1, the classes in proportion.
func cut(x design.Matrix[float32], y []int, share float64) (rest, drawn []int, err error) {
	parts, err := solvers.Strata{Y: y}.Split(share, 1)
	return parts.Train, parts.Test, err
}

// pick returns a copy of the examples rows.
func pick(x design.Matrix[float32], y []int, rows []int) (design.Matrix[float32], []int) {
	_, d := x.Dims()
	some, classes := vec.NewMatrix[float32](len(rows), d), make([]int, len(rows))
	x.Gather(some, rows)
	for k, i := range rows {
		classes[k] = y[i]
	}
	return &dataset.Dense[float32]{Matrix: some}, classes
}

// accuracies returns the accuracies of a model on x and y at the tops, in percent.
func (p *problem) accuracies(m solvers.Scorer[float32], x design.Matrix[float32], y []int) ([]float64, error) {
	most := slices.Max(p.tops)
	ranked, err := solvers.TopK(m, x, most, 0)
	if err != nil {
		return nil, err
	}
	all, err := metrics.TopKRanked(ranked, y, most)
	if err != nil {
		return nil, err
	}
	percent := make([]float64, len(p.tops))
	for j, k := range p.tops {
		percent[j] = 100 * all[k-1]
	}
	return percent, nil
}
