package mkl

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
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

// add adds the kernels exp(-t d / mean d) of a cue for each of the times t, d being the squared distances of the
// images, and the mean that over all pairs of training images.
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
func (c *cues) bundle() (*bundle.Bundle[float32], error) {
	groups := make([]bundle.Group[float32], len(c.kernels))
	for j, k := range c.kernels {
		groups[j].Matrix = k
	}
	return bundle.New(0, groups...)
}

// test returns what a model of given matrices is tested with: the kernels' values, side by side.
func (c *cues) test() design.Matrix[float32] { return sideBySide(c.tests) }

// only returns the images with some of the kernels.
func (c *cues) only(some ...int) *cues {
	o := *c
	o.names, o.kernels, o.tests = nil, nil, nil
	for _, j := range some {
		o.names, o.kernels, o.tests = append(o.names, c.names[j]), append(o.kernels, c.kernels[j]), append(o.tests,
			c.tests[j])
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
	mix, err := b.Mix(0)
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
