package mkl

import (
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/caltech"
	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
)

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
		return &source{set: "Caltech-101", file: "caltech", images: images, y: images.Y, testY: images.TestY,
			classes: images.Classes}, nil
	}
	train, test := samples.FashionMNIST[float32]()
	s := &source{set: "Fashion-MNIST, embedded", file: "fashion", y: train.Y[:embeddedTrain],
		testY: test.Y[:embeddedTest], classes: len(train.Classes)}
	a, b := fashion.Quarters(train.X.Matrix.Slice(0, embeddedTrain, 0, train.X.Cols)),
		fashion.Quarters(test.X.Matrix.Slice(0,
			embeddedTest, 0, test.X.Cols))
	for q := range a {
		s.blocks = append(s.blocks, a[q], b[q])
	}
	return s, nil
}

// seven returns a kernel for each cue, and with more, for the seven of Caltech-101, eleven others: the ones with twice
// the exponent, and the levels of phog180. Of embedded images these are four, and four with twice the exponent.
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
			return fmt.Errorf("phog180: %d columns, want %d", train.Cols, to)
		}
		a, b := train.Slice(0, train.Rows, from, to), test.Slice(0, test.Rows, from, to)
		if err := c.add(fmt.Sprintf("level %d", l), a, b, 1); err != nil {
			return err
		}
		from = to
	}
	return nil
}
