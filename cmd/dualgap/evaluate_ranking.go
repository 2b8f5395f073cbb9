package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// ranking is what is measured of one score that is to find positive examples.
type ranking struct {
	Positive int      `json:"positive"` // examples
	At       []recall `json:"precisionAtRecall"`
	PRArea   float64  `json:"averagePrecision"`
	ROCArea  *float64 `json:"rocArea,omitempty"` // where there are negative examples
	First    int      `json:"positiveAtTop"`     // positive examples above all negative ones

	// At the threshold of a ranker.
	Threshold *float64 `json:"threshold,omitempty"`
	Above     int      `json:"aboveThreshold,omitempty"`
	Right     int      `json:"positiveAboveThreshold,omitempty"`
}

// recall is the precision at a recall.
type recall struct {
	Recall    float64 `json:"recall"`
	Precision float64 `json:"precision"`
	Threshold float64 `json:"threshold"`
}

// rank measures scores of p that are to be large for positive examples. A ranker has a threshold.
func rank(r *report, p *predictor.Predictor, scores []float64, positive []bool) error {
	n := 0
	for _, is := range positive {
		if is {
			n++
		}
	}
	if n == 0 {
		return fmt.Errorf("no example is positive")
	}
	m := &ranking{Positive: n}
	for _, at := range []float64{.01, .05, .1, .25, .5, .75, .9, 1} {
		precision, t, err := metrics.PrecisionAtRecall(scores, positive, at)
		if err != nil {
			return err
		}
		m.At = append(m.At, recall{at, precision, t})
	}
	pr, err := metrics.PrecisionRecall(scores, positive)
	if err != nil {
		return err
	}
	m.PRArea = pr.Area
	var roc *metrics.ROCCurve[float64]
	if n < len(positive) {
		if roc, err = metrics.ROC(scores, positive); err != nil {
			return err
		}
		m.ROCArea = &roc.Area
		var worst []float64
		for i, s := range scores {
			if !positive[i] {
				worst = append(worst, s)
			}
		}
		top := slices.Max(worst)
		for i, s := range scores {
			if positive[i] && s > top {
				m.First++
			}
		}
	} else {
		m.First = n
	}
	if p.Task() == predictor.Top {
		threshold := p.Threshold()
		m.Threshold = &threshold
		for i, s := range scores {
			if s >= threshold {
				m.Above++
				if positive[i] {
					m.Right++
				}
			}
		}
	}
	r.Ranking, r.curves = m, []curves{{"", pr, roc}}
	r.curve = func(w io.Writer) error { return writeCurve(w, pr, roc, p.Bits()) }
	return nil
}

// writeCurve writes a line for each score that occurs, the largest first. Scores have the given number of bits.
func writeCurve(w io.Writer, pr *metrics.PRCurve[float64], roc *metrics.ROCCurve[float64], bits int) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, curveHeader)
	for j, t := range pr.Threshold {
		fmt.Fprintf(b, "%s,%v,%v,", strconv.FormatFloat(t, 'g', -1, bits), pr.Precision[j], pr.Recall[j])
		if roc != nil {
			fmt.Fprint(b, roc.FalseRate[j])
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}
