package solvers

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Link says how the numbers t of an example's outputs become probabilities.
type Link int

// The links.
const (
	Softmax    Link = iota // of classes: e^t_c / sum e^t
	Sigmoid                // of labels, each for itself, and of a model of one output: 1/(1 + e^-t_l)
	Normalized             // of classes: the sigmoid of each over their sum
)

// links are the words of the links in texts.
var links = [...]string{"softmax", "sigmoid", "normalized"}

// String returns the link in a word.
func (l Link) String() string {
	if l >= 0 && int(l) < len(links) {
		return links[l]
	}
	return fmt.Sprintf("Link(%d)", int(l))
}

// Calibration makes probabilities of scores: the Link of the numbers t_l = Slope_l s_l + Offset_l. [FitTemperature] and
// [FitPlatt] find it by scores of examples that the training has not seen: scores of examples that it has are larger
// than others. It changes no decision that is made by the largest score where all slopes are the same and positive and
// there are no offsets, as of a temperature.
type Calibration struct {
	Link   Link
	Slope  []float64 // of each output, or one for all
	Offset []float64 // of each output; nil: 0
}

// Temperature is what scores are divided by, 1/Slope: +Inf for a slope of 0. It is NaN where outputs differ.
func (c *Calibration) Temperature() float64 {
	if len(c.Slope) != 1 || c.Offset != nil {
		return math.NaN()
	}
	return 1 / c.Slope[0]
}

// Check returns an error unless c is a calibration of that many outputs: it has a known link, one slope or as many as
// outputs, as many offsets or none, and all of them are finite; a Softmax, or Normalized, has two outputs at least.
func (c *Calibration) Check(outputs int) error {
	switch {
	case c.Link < Softmax || c.Link > Normalized:
		return fmt.Errorf("solvers: a calibration by the unknown %v", c.Link)
	case outputs < 1 || outputs < 2 && c.Link != Sigmoid:
		return fmt.Errorf("solvers: a calibration by %v of %d outputs", c.Link, outputs)
	case len(c.Slope) != 1 && len(c.Slope) != outputs:
		return fmt.Errorf("solvers: a calibration of %d slopes for %d outputs, want as many, or one", len(c.Slope),
			outputs)
	case c.Offset != nil && len(c.Offset) != outputs:
		return fmt.Errorf("solvers: a calibration of %d offsets for %d outputs, want as many, or none", len(c.Offset),
			outputs)
	}
	for _, all := range [][]float64{c.Slope, c.Offset} {
		for l, v := range all {
			if v-v != 0 {
				return fmt.Errorf("solvers: a calibration with the number %v of output %d, want finite ones", v, l)
			}
		}
	}
	return nil
}

// Apply sets dst to the probabilities of one example's scores; dst may be scores. It panics with a vec.ShapeError where
// the lengths differ. A score that is NaN makes NaN. O(outputs).
func (c *Calibration) Apply(dst, scores []float64) {
	if len(dst) != len(scores) {
		panic(shape.Errorf("solvers.Calibration.Apply", "%d probabilities of %d scores", len(dst), len(scores)))
	}
	copy(dst, scores)
	slope := c.Slope[0]
	for l, s := range dst {
		if len(c.Slope) > 1 {
			slope = c.Slope[l]
		}
		t := slope * s
		if c.Offset != nil {
			t = float64(slope*s) + c.Offset[l]
		}
		dst[l] = min(max(t, -math.MaxFloat64), math.MaxFloat64)
	}
	switch c.Link {
	case Softmax:
		vec.Softmax(dst, dst)
	case Sigmoid:
		for l, t := range dst {
			dst[l] = sigmoid(t)
		}
	case Normalized: // the softmax of log sigmoid, which does not underflow
		for l, t := range dst {
			dst[l] = -softplus(-t)
		}
		vec.Softmax(dst, dst)
	}
}

// sigmoid is 1/(1 + e^-t).
func sigmoid(t float64) float64 {
	if t < 0 {
		e := math.Exp(t)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-t))
}

// softplus is log(1 + e^t).
func softplus(t float64) float64 { return max(t, 0) + math.Log1p(math.Exp(-math.Abs(t))) }

// String returns c as [ParseCalibration] reads it: "softmax slope 0.5", "sigmoid slope 2 3 offset 0.1 -1".
func (c *Calibration) String() string {
	var b strings.Builder
	b.WriteString(c.Link.String())
	write := func(name string, all []float64) {
		if all == nil {
			return
		}
		b.WriteString(name)
		for _, v := range all {
			b.WriteString(" " + strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	write(" slope", c.Slope)
	write(" offset", c.Offset)
	return b.String()
}

// ParseCalibration reads what String wrote. A word that is out of place is an error.
func ParseCalibration(text string) (*Calibration, error) {
	words := strings.Fields(text)
	if len(words) < 3 || words[1] != "slope" || !slices.Contains(links[:], words[0]) {
		return nil, fmt.Errorf("solvers: the calibration %q, want softmax, sigmoid or normalized, slope and numbers",
			text)
	}
	c := &Calibration{Link: Link(slices.Index(links[:], words[0]))}
	slopes, offsets, err := words[2:], []string(nil), error(nil)
	if at := slices.Index(words, "offset"); at >= 0 {
		slopes, offsets = words[2:max(2, at)], words[at+1:]
		if c.Offset, err = finite(offsets); err != nil {
			return nil, err
		}
	}
	if c.Slope, err = finite(slopes); err != nil {
		return nil, err
	}
	return c, nil
}

// finite returns the numbers of words, of which there is one at least.
func finite(words []string) (all []float64, err error) {
	for _, word := range words {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || v-v != 0 {
			return nil, fmt.Errorf("solvers: a calibration with the word %q, want a finite number", word)
		}
		all = append(all, v)
	}
	if all == nil {
		return nil, fmt.Errorf("solvers: a calibration with an empty list, want one number at least")
	}
	return all, nil
}

// CalibrationNote is the key of the note of a model that has its calibration, as String writes it.
const CalibrationNote = "calibration"

// Note returns a copy of the notes of a model with c among them.
func (c *Calibration) Note(notes map[string]string) map[string]string {
	noted := map[string]string{}
	maps.Copy(noted, notes)
	noted[CalibrationNote] = c.String()
	return noted
}

// CalibrationOf returns the calibration that the notes of a model have, nil where they have none, or an error where it
// cannot be read.
func CalibrationOf(notes map[string]string) (*Calibration, error) {
	text, ok := notes[CalibrationNote]
	if !ok {
		return nil, nil
	}
	return ParseCalibration(text)
}

// CalibratedProbabilities returns the probabilities that c makes of the scores of each example of x, n-by-outputs. A
// score that is NaN is an error that names its row and output, and so is a calibration of other outputs than the
// model's. workers is the number of goroutines, 0 for all cores.
func CalibratedProbabilities[T vec.Float](m Scorer[T], c *Calibration, x design.Matrix[T], workers int) (
	vec.Matrix[float64], error) {
	var p vec.Matrix[float64]
	if _, err := checkScorer(m, x); err != nil {
		return p, err
	}
	_, outputs := m.Dims()
	if c == nil {
		return p, fmt.Errorf("solvers: no calibration")
	}
	if err := c.Check(outputs); err != nil {
		return p, err
	}
	err := scoreEach(m, x, 1, workers, func(n int) {
		p = vec.NewMatrix[float64](n, outputs)
	}, func(i int, scores []T) {
		vec.Convert(p.Row(i), scores)
		c.Apply(p.Row(i), p.Row(i))
	})
	return p, err
}
