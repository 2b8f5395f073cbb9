package main

import (
	"io"

	"github.com/dualgap/dualgap/solvers/metrics"
)

// report is what is measured; what does not apply is left out.
type report struct {
	Examples int    `json:"examples"`
	Task     string `json:"task"`
	unseen

	Accuracy    *float64     `json:"accuracy,omitempty"`
	TopK        []float64    `json:"topK,omitempty"`
	MeanRecall  *float64     `json:"meanRecall,omitempty"`
	Calibration *calibration `json:"calibration,omitempty"`

	HammingLoss *float64  `json:"hammingLoss,omitempty"`
	Faultless   *float64  `json:"subsetAccuracy,omitempty"`
	MicroF1     *float64  `json:"microF1,omitempty"`
	MacroF1     *float64  `json:"macroF1,omitempty"`
	RankingLoss *float64  `json:"rankingLoss,omitempty"`
	PrecisionAt []float64 `json:"precisionAtK,omitempty"`

	*numbersReport

	Ranking *ranking `json:"ranking,omitempty"`
	ByQuery *byQuery `json:"byQuery,omitempty"`

	Classes   []classLine `json:"classes,omitempty"`
	Confusion [][]int     `json:"confusion,omitempty"`

	curve  func(io.Writer) error
	curves []curves
}

// unseen is what the data have and the model does not know.
type unseen struct {
	Unknown int `json:"unknownLabels,omitempty"`   // they count as missed
	LeftOut int `json:"unknownNonzeros,omitempty"` // in columns beyond the model's features
}

// numbersReport is what is measured of numbers that are predicted.
type numbersReport struct {
	SquaredError  float64 `json:"meanSquaredError"`
	AbsoluteError float64 `json:"meanAbsoluteError"`
	R2            float64 `json:"r2"`
}

// curves are the curves of a score that is to be large for positive examples. roc is nil where there are no others.
type curves struct {
	of  string
	pr  *metrics.PRCurve[float64]
	roc *metrics.ROCCurve[float64]
}

// classLine is what is measured of one class.
type classLine struct {
	Name      string  `json:"name"`
	Count     int     `json:"examples"`
	Predicted int     `json:"predicted"`
	Correct   int     `json:"correct"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// bin is what is measured of the examples whose probability is from Low to High.
type bin struct {
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Count int     `json:"examples"`
	Mean  float64 `json:"meanProbability"`
	Right float64 `json:"accuracy"`
}

// calibration compares the probability of the predicted class with how often it is right; of label sets the probability
// of each label, of rankers of being positive.
type calibration struct {
	Error float64 `json:"error"`
	Bins  []bin   `json:"bins"`

	Uncalibrated *calibration `json:"uncalibrated,omitempty"` // the same by the scores as they come
}

// guesses is how many guesses are measured at most.
const guesses = 10
