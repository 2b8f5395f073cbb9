package solvers

import (
	"io"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// CrossValidation says how a path compares its points. Every family's PathConfig has one. The zero value is no
// cross-validation.
//
// Every family's Path trains on all examples at each point of its grid in turn, each training starting from the result
// of the one before, the first from the Problem's Start. With parts it then does so without each of them in turn as
// well, and measures the models on the part that was left out; Config.Workers parts are trained side by side. The
// points are returned in the order of the trainings, and [Best] picks one. Config.Progress tells of the trainings on
// all examples only, and Config.Checkpoint keeps what has been measured, for State. There are no parts of a kernel
// matrix that is given without its examples. PathFold runs a share of a Path, so that many processes run all of it: see
// [JoinFolds].
//
// When ctx ends Path returns ctx.Err() and the points it has reached; those are without measures if it ends among the
// parts.
type CrossValidation struct {
	Folds  int   // parts, as equal in size and labels as can be, drawn by Config.Seed; or
	Fold   []int // the part of each example, from 0 on
	Groups []int // the group of each example: a group is in one part; default: each example stands by itself

	Measures  []Measure // what to measure; default: what the family's Path says
	FoldsOnly bool      // train without each part alone, not on all examples: points have no Result
	Points    []int     // the places of points in the path, ascending: these alone are trained; default: all

	// Trained is called, if not nil, after each training, by one goroutine at a time.
	Trained func(PathProgress)

	// State goes on with a path of the same data and settings, whose state Config.Checkpoint has saved: what that path
	// has measured is not measured again. Where it was amid a part, the trainings without that part are repeated from
	// its first point, since each starts from the one before; the measures have the same bits. Epochs may differ, of
	// what is not measured yet. When the context ends, the state is saved at once, with all that is measured, and again
	// when Path returns. nil: from the beginning.
	State io.Reader
}

// PathProgress is what a path tells after each training.
type PathProgress struct {
	Done, Trainings int // trainings that are over, in earlier runs too, of all
}

// Measure is a way to tell how good a model is, by scores of examples that its training has left out. Package metrics
// has what Of may return.
type Measure struct {
	Name    string // such as "accuracy"
	Smaller bool   // the smaller the better, as of a loss

	// Of returns the measure of some examples: row p of scores has the scores of example rows[p] of the problem, one
	// for each output. It is called by several goroutines at a time. nil: a family's own.
	Of func(scores vec.Matrix[float64], rows []int) (float64, error)
}

// Measured is what cross-validation has found of a Measure at a point of a path.
type Measured struct {
	Name    string
	Smaller bool

	Folds        []float64 // the measure on each part, by the model that was trained without it
	Mean, Spread float64   // of Folds: the mean and the standard deviation
}

// NewMeasured returns the mean and the standard deviation of a measure over the parts. O(len(folds)).
func NewMeasured(m Measure, folds []float64) Measured {
	of, n := Measured{Name: m.Name, Smaller: m.Smaller, Folds: folds}, float64(len(folds))
	for _, v := range folds {
		of.Mean += v / n
	}
	for _, v := range folds {
		of.Spread += (v - of.Mean) * (v - of.Mean) / n
	}
	of.Spread = math.Sqrt(of.Spread)
	return of
}

// StandardError is how far the mean is from that over very many parts, about: Spread / sqrt(number of parts).
func (m Measured) StandardError() float64 { return m.Spread / math.Sqrt(float64(len(m.Folds))) }

// better reports whether m is better than other by more than margin.
func (m Measured) better(other Measured, margin float64) bool {
	if m.Smaller {
		return m.Mean < other.Mean-margin
	}
	return m.Mean > other.Mean+margin
}

// Validation is what a path has found of one of its points. Every family's Point has one.
type Validation struct {
	Measures []Measured // in the order of CrossValidation.Measures, or as the family's Path says; nil without folds
	Order    int        // place among the points of the path, the most regularized first, from 0
}

func (v Validation) validation() Validation { return v }

// Validated is a point of a path: what a Validation is embedded in.
type Validated interface{ validation() Validation }

// Best returns the index of the point whose mean of a measure, the number of which is given, is the best: the largest,
// or the smallest where that is better. Of equal ones it is the most regularized point, then the first. It is -1 where
// no point has the measure.
func Best[P Validated](points []P, measure int) int {
	best := -1
	for i, p := range points {
		v := p.validation()
		if measure < 0 || measure >= len(v.Measures) || math.IsNaN(v.Measures[measure].Mean) {
			continue
		}
		if best < 0 {
			best = i
			continue
		}
		was := points[best].validation()
		a, b := v.Measures[measure], was.Measures[measure]
		if a.better(b, 0) || !b.better(a, 0) && v.Order < was.Order {
			best = i
		}
	}
	return best
}

// OneStandardError returns the index of the most regularized point whose mean is within one standard error of the mean
// of [Best], the first of equals: the differences between these points are as likely by chance, and the model is
// simpler. The standard error is the best point's. It is -1 where no point has the measure. (Breiman and others,
// Classification and Regression Trees, 1984, section 3.4.3.)
func OneStandardError[P Validated](points []P, measure int) int {
	best := Best(points, measure)
	if best < 0 {
		return best
	}
	top := points[best].validation().Measures[measure]
	simplest := best
	for i, p := range points {
		v := p.validation()
		if measure >= len(v.Measures) || math.IsNaN(v.Measures[measure].Mean) ||
			top.better(v.Measures[measure], top.StandardError()) {
			continue
		}
		if order := points[simplest].validation().Order; v.Order < order || v.Order == order && i < simplest {
			simplest = i
		}
	}
	return simplest
}
