package main

import (
	"slices"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// reliable collects probabilities of what may be right: of the predicted class of each example, of each label, or of
// being positive.
type reliable struct {
	of            truth
	probabilities []float64
	right         []bool
}

// add takes the probabilities p of example i, whose class is predicted to be class, where it has one.
func (r *reliable) add(i, class int, p []float64) {
	switch {
	case r.of.y != nil:
		v := p[min(class, len(p)-1)]
		if len(p) == 1 && class == 0 { // one output tells two classes apart
			v = 1 - v
		}
		r.say(v, class == r.of.y[i])
	case r.of.positive != nil:
		r.say(p[0], r.of.positive[i])
	case r.of.sets != nil:
		for l, v := range p {
			_, has := slices.BinarySearch(r.of.sets[i], l)
			r.say(v, has)
		}
	}
}

func (r *reliable) say(p float64, right bool) {
	r.probabilities = append(r.probabilities, min(p, 1)) // a sum may have been rounded
	r.right = append(r.right, right)
}

// measure returns how far probabilities are from how often they are right.
func (r *reliable) measure() (*calibration, error) {
	bins, err := metrics.Calibration(r.probabilities, r.right, 10)
	if err != nil {
		return nil, err
	}
	c := &calibration{Error: metrics.CalibrationError(bins)}
	for _, b := range bins {
		c.Bins = append(c.Bins, bin{b.Low, b.High, b.Count, b.Mean, b.Fraction})
	}
	return c, nil
}

// plain makes probabilities of scores as they come: their softmax, or the sigmoid of each.
func plain(of truth, outputs int) *solvers.Calibration {
	c := &solvers.Calibration{Link: solvers.Sigmoid, Slope: []float64{1}}
	if of.y != nil && outputs > 1 {
		c.Link = solvers.Softmax
	}
	return c
}

// reliability is the error of the probabilities that a calibration makes of scores. The class of each example is the
// most probable one.
func reliability(c *solvers.Calibration, scores vec.Matrix[float64], of truth) (float64, error) {
	r, p := reliable{of: of}, make([]float64, scores.Cols)
	for i := range scores.Rows {
		c.Apply(p, scores.Row(i))
		class := vec.ArgMax(p)
		if len(p) == 1 && p[0] > .5 {
			class = 1
		}
		r.add(i, class, p)
	}
	found, err := r.measure()
	if err != nil {
		return 0, err
	}
	return found.Error, nil
}

// withReliability adds to what takes the prediction of each example, and to its end, how reliable probabilities are:
// the model's, and where these are calibrated the ones of its scores as they come.
func withReliability(r *report, m *predictor.Predictor, of truth, use func(int, *predictor.Prediction) error,
	end func() error) (func(int, *predictor.Prediction) error, func() error) {
	if !m.HasProbabilities() || of.y == nil && of.sets == nil && of.positive == nil ||
		of.sets != nil && m.Task() != predictor.Sets {
		return use, end
	}
	after, before := reliable{of: of}, reliable{of: of}
	var as *solvers.Calibration // scores as they come
	_, outputs := m.Dims()
	if m.Calibration() != nil {
		as = plain(of, outputs)
	}
	p := make([]float64, outputs)
	return func(i int, q *predictor.Prediction) error {
			after.add(i, q.Class, q.Probabilities)
			if as != nil {
				as.Apply(p, m.Own(q))
				before.add(i, q.Class, p)
			}
			return use(i, q)
		}, func() (err error) {
			if r.Calibration, err = after.measure(); err == nil && as != nil {
				r.Calibration.Uncalibrated, err = before.measure()
			}
			if err != nil {
				return err
			}
			return end()
		}
}
