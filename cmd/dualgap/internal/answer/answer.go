// Package answer writes predictions, each as a line: of text, of JSON or of CSV.
package answer

import (
	"strconv"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// Options say what of a prediction is written beside its label, or its labels.
type Options struct {
	// in place of the labels the K best classes, best first, and of these the numbers; 0: what the model decides
	K             int
	Probabilities bool
	Scores        bool
}

// check returns an error where the model has not what o asks for.
func (o Options) check(p *predictor.Predictor) error {
	if o.K != 0 {
		if err := p.CheckTopK(o.K); err != nil {
			return err
		}
	}
	if o.Probabilities && !p.HasProbabilities() {
		return predictor.ErrNoProbabilities
	}
	return nil
}

// A Line appends the line of a prediction, without its end. It is for one goroutine at a time.
type Line func(b []byte, q *predictor.Prediction) []byte

// order returns what finds the classes that are written of a prediction: the K best, best first, or all.
func (o Options) order(p *predictor.Predictor) func(q *predictor.Prediction) []int {
	if o.K == 0 {
		all := upTo(len(p.Classes()))
		return func(*predictor.Prediction) []int { return all }
	}
	best := make([]int, o.K)
	return func(q *predictor.Prediction) []int {
		p.Rank(best, q)
		return best
	}
}

func upTo(n int) []int {
	all := make([]int, n)
	for c := range all {
		all[c] = c
	}
	return all
}

// appendNumber appends a score with as many digits as the model's numbers have.
func appendNumber(b []byte, v float64, p *predictor.Predictor) []byte {
	return strconv.AppendFloat(b, v, 'g', -1, p.Bits())
}
