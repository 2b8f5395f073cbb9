package toprank

import (
	"fmt"
	"slices"

	"github.com/dualgap/dualgap/bench/internal/fashion"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// part is examples and which of them are positive.
type part struct {
	x        *dataset.Dense[float32]
	positive []bool
}

// newPart returns the examples of d; examples of the given classes are positive.
func newPart(d *dataset.Labeled[*dataset.Dense[float32]], classes ...string) part {
	p := part{x: d.X, positive: make([]bool, len(d.Y))}
	for i, y := range d.Y {
		p.positive[i] = slices.Contains(classes, d.Classes[y])
	}
	return p
}

// of returns a copy of the examples rows of p.
func (p part) of(rows []int) part {
	q := part{&dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](len(rows), p.x.Cols)}, make([]bool, len(rows))}
	p.x.Gather(q.x.Matrix, rows)
	for k, i := range rows {
		q.positive[k] = p.positive[i]
	}
	return q
}

// first returns the first n examples.
func (p part) first(n int) part { return part{p.x.Window(0, n), p.positive[:n]} }

// ordered returns a copy of p with the positive examples first.
func (p part) ordered() part {
	var rows []int
	for _, first := range []bool{true, false} {
		for i, y := range p.positive {
			if y == first {
				rows = append(rows, i)
			}
		}
	}
	return p.of(rows)
}

// percent returns how many examples in a hundred are positive.
func (p part) percent() float64 {
	count := 0
	for _, y := range p.positive {
		if y {
			count++
		}
	}
	return 100 * float64(count) / float64(len(p.positive))
}

// set is a data set of the paper's Table 2.
type set struct {
	name  string
	train part
	test  *part // nil: a quarter of train
}

// Names of sets, as the paper has them.
const (
	ionosphere = "Ionosphere"
	images     = "Fashion-MNIST"
)

// openSets returns the sets in the paper's order, of Fashion-MNIST the first 3000 training and 1000 test images.
func openSets() []set {
	train, test := samples.FashionMNIST[float32]()
	return []set{
		{name: ionosphere, train: newPart(samples.Ionosphere[float32](), "g")},
		{name: "Spambase", train: newPart(samples.Spambase[float32](), "1")},
		{name: "WhiteWineQuality", train: newPart(samples.WhiteWine[float32](), "7", "8", "9")},
		{name: "RedWineQuality", train: newPart(samples.RedWine[float32](), "7", "8", "9")},
		newImages(train, test),
	}
}

func newImages(train, test fashion.Images) set {
	shirts := train.Classes[0]
	p := newPart(test, shirts)
	return set{images, newPart(train, shirts), &p}
}

// split is a data set in its parts.
type split struct{ train, valid, test part }

// parts are the parts of a split in order.
func (s *split) parts() []*part { return []*part{&s.train, &s.valid, &s.test} }

// split draws the parts by seed, with as many positive examples in proportion: a half to train, a quarter to validate
// and a quarter to test; of a set with a test part a validation part of the same size.
func (s set) split(seed uint64) (split, error) {
	all, test := s.train, 0
	if s.test != nil {
		test = len(s.test.positive)
	}
	draw := func(rows []int, share float64) (rest, drawn []int, err error) {
		y := make([]int, len(rows))
		for k, i := range rows {
			if all.positive[i] {
				y[k] = 1
			}
		}
		parts, err := solvers.Strata{Y: y}.Split(share, seed)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.name, err)
		}
		rest, drawn = parts.Train, parts.Test
		for _, list := range [][]int{rest, drawn} {
			for k, place := range list {
				list[k] = rows[place]
			}
		}
		return rest, drawn, nil
	}
	rows := make([]int, len(all.positive))
	for i := range rows {
		rows[i] = i
	}
	if s.test != nil {
		train, valid, err := draw(rows, float64(test)/float64(len(rows)))
		return split{all.of(train), all.of(valid), *s.test}, err
	}
	rest, train, err := draw(rows, .5) // the odd one is drawn
	if err != nil {
		return split{}, err
	}
	valid, last, err := draw(rest, .5)
	return split{all.of(train), all.of(valid), all.of(last)}, err
}

// standardized returns the same split with features of mean 0 and variance 1 in the training part.
func (s split) standardized() (split, error) {
	scaling, err := dataset.Standardize(s.train.x)
	if err != nil {
		return s, err
	}
	for _, p := range s.parts() {
		if p.x, err = p.x.Scaled(scaling); err != nil {
			return s, err
		}
	}
	return s, nil
}
