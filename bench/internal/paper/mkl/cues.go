package mkl

import (
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/caltech"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// cues are kernels of the same images, given as matrices.
type cues struct {
	set, file string // its name, and that in the names of files
	names     []string
	kernels   []*kernel.Matrix[float32] // of the training images with each other
	tests     []vec.Matrix[float32]     // of the test images, the rows, with the training images
	y, testY  []int
	classes   int
}

// add adds the kernels exp(-t d / mean d) of a cue for each of the times t, d being the squared distances of the images, and
// the mean that over all pairs of training images.
func (c *cues) add(name string, train, test vec.Matrix[float32], times ...float64) error {
	d, mean := vec.NewMatrix[float32](train.Rows, train.Rows), 0.0
	vec.SquaredDistancesWorkers(d, train, train, 0)
	for i := range d.Rows {
		mean += float64(vec.Sum(d.Row(i))) / float64(d.Rows) / float64(d.Cols)
	}
	if !(mean > 0) {
		return fmt.Errorf("%s: all training images are alike", name)
	}
	for _, t := range times {
		k, err := kernel.FromDistances(d, t/mean)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		values := vec.NewMatrix[float32](test.Rows, train.Rows)
		vec.SquaredDistancesWorkers(values, test, train, 0)
		vec.ExpScaled(values.Data, float32(-t/mean), values.Data)
		full := name
		if t != 1 {
			full = fmt.Sprintf("%s x%v", name, t)
		}
		c.names, c.kernels, c.tests = append(c.names, full), append(c.kernels, k), append(c.tests, values)
	}
	return nil
}

// bundle returns the kernels of the training images.
func (c *cues) bundle() (*kernel.Bundle[float32], error) {
	groups := make([]kernel.Group[float32], len(c.kernels))
	for j, k := range c.kernels {
		groups[j].Matrix = k
	}
	return kernel.NewBundle(0, groups...)
}

// test returns what a model of given matrices is tested with: the kernels' values, side by side.
func (c *cues) test() solvers.Features[float32] {
	parts := make([]solvers.Features[float32], len(c.tests))
	for j, t := range c.tests {
		parts[j] = &dataset.Dense[float32]{Matrix: t}
	}
	return solvers.Concat(parts...)
}

// only returns the images with some of the kernels.
func (c *cues) only(some ...int) *cues {
	o := *c
	o.names, o.kernels, o.tests = nil, nil, nil
	for _, j := range some {
		o.names, o.kernels, o.tests = append(o.names, c.names[j]), append(o.kernels, c.kernels[j]), append(o.tests, c.tests[j])
	}
	return &o
}

// of returns the training images rows alone, with kernels as wide as before.
func (c *cues) of(rows []int) (*cues, error) {
	o := *c
	o.kernels, o.tests, o.y = nil, nil, make([]int, len(rows))
	for p, i := range rows {
		o.y[p] = c.y[i]
	}
	for j, k := range c.kernels {
		some, err := k.Subset(rows)
		if err != nil {
			return nil, err
		}
		t := vec.NewMatrix[float32](len(c.testY), len(rows))
		for l := range t.Rows {
			from := c.tests[j].Row(l)
			for p, i := range rows {
				t.Row(l)[p] = from[i]
			}
		}
		o.kernels, o.tests = append(o.kernels, some), append(o.tests, t)
	}
	return &o, nil
}

// average returns the images with one kernel, the mean of all.
func (c *cues) average() (*cues, error) {
	b, err := c.bundle()
	if err != nil {
		return nil, err
	}
	mix, err := b.Mix()
	if err != nil {
		return nil, err
	}
	weights, o := make([]float64, len(c.kernels)), *c
	t := vec.NewMatrix[float32](len(c.testY), len(c.y))
	for j := range weights {
		weights[j] = 1 / float64(len(weights))
		vec.Axpy(float32(weights[j]), c.tests[j].Data, t.Data)
	}
	mix.Weigh(weights, 0)
	o.names, o.kernels, o.tests = []string{"average"}, []*kernel.Matrix[float32]{mix.Matrix}, []vec.Matrix[float32]{t}
	return &o, nil
}

// source is where the cues come from.
type source struct {
	set, file string
	images    *caltech.Images       // nil: the embedded images
	blocks    []vec.Matrix[float32] // of these: training and test images of each block in turn
	y, testY  []int
	classes   int
}

// What the embedded images of Fashion-MNIST stand for where there is no folder: their quarters for cues.
const embeddedTrain, embeddedTest = 1000, 1000

// cueNames are the cues of Caltech-101.
var cueNames = []string{"phog180", "phog360", "lbp", "hsv", "gist", "bow", "fv"}

// levels are the columns of phog180 that the levels of its pyramid end at.
var levels = []int{20, 100, 420, 1700}

// openSource returns Caltech-101 of a folder, or the embedded images where dir is "".
func openSource(dir report.Folder) (*source, error) {
	if dir != "" {
		images, err := caltech.Open(dir)
		if err != nil {
			return nil, err
		}
		return &source{set: "Caltech-101", file: "caltech", images: images, y: images.Y, testY: images.TestY, classes: images.Classes}, nil
	}
	train, test := samples.FashionMNIST[float32]()
	s := &source{set: "Fashion-MNIST, embedded", file: "fashion", y: train.Y[:embeddedTrain], testY: test.Y[:embeddedTest], classes: len(train.Classes)}
	a, b := quarters(train.X.Matrix.Slice(0, embeddedTrain, 0, train.X.Cols)), quarters(test.X.Matrix.Slice(0, embeddedTest, 0, test.X.Cols))
	for q := range a {
		s.blocks = append(s.blocks, a[q], b[q])
	}
	return s, nil
}

// seven returns a kernel for each cue, and with more, for the seven of Caltech-101, eleven others: those with twice the
// exponent, and those of the levels of phog180. Of embedded images these are four, and four with twice the exponent.
func (s *source) seven(more bool) (*cues, error) {
	c, times := s.none(), []float64{1}
	if more {
		times = append(times, 2)
	}
	if s.images == nil {
		return c, s.addBlocks(c, times)
	}
	for _, name := range cueNames {
		train, test, err := s.images.Cue(name)
		if err == nil {
			err = c.add(name, train.Matrix, test.Matrix, times...)
		}
		if err == nil && more && name == "phog180" {
			err = addLevels(c, train.Matrix, test.Matrix)
		}
		if err != nil {
			return nil, err
		}
	}
	return c, nil
}

// four returns the kernels of the four levels of phog180, or of the quarters of embedded images.
func (s *source) four() (*cues, error) {
	c := s.none()
	if s.images == nil {
		return c, s.addBlocks(c, []float64{1})
	}
	train, test, err := s.images.Cue("phog180")
	if err != nil {
		return nil, err
	}
	return c, addLevels(c, train.Matrix, test.Matrix)
}

func (s *source) none() *cues {
	return &cues{set: s.set, file: s.file, y: s.y, testY: s.testY, classes: s.classes}
}

func (s *source) addBlocks(c *cues, times []float64) error {
	for q := range len(s.blocks) / 2 {
		if err := c.add(fmt.Sprintf("block %d", q), s.blocks[2*q], s.blocks[2*q+1], times...); err != nil {
			return err
		}
	}
	return nil
}

func addLevels(c *cues, train, test vec.Matrix[float32]) error {
	from := 0
	for l, to := range levels {
		if to > train.Cols {
			return fmt.Errorf("phog180: %d columns, need %d", train.Cols, to)
		}
		a, b := train.Slice(0, train.Rows, from, to), test.Slice(0, test.Rows, from, to)
		if err := c.add(fmt.Sprintf("level %d", l), a, b, 1); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// side is the number of pixels in a row of an image, and in a column.
const side = 28

// quarters cuts images into four blocks of 14 by 14 pixels: upper left, upper right, lower left, lower right.
func quarters(x vec.Matrix[float32]) (blocks []vec.Matrix[float32]) {
	const half = side / 2
	for q := range 4 {
		b := vec.NewMatrix[float32](x.Rows, half*half)
		for i := range x.Rows {
			for r := range half {
				at := (q/2*half+r)*side + q%2*half
				copy(b.Row(i)[half*r:], x.Row(i)[at:at+half])
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}
