package predictor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers"
)

// fitted reads what was fitted on held-out scores: the calibration and the thresholds.
func (p *Predictor) fitted(outputs int) (err error) {
	if p.calibration, err = solvers.CalibrationOf(p.notes); err != nil {
		return fmt.Errorf("the note %q: %w", solvers.CalibrationNote, err)
	}
	if c := p.calibration; c != nil {
		if err := c.Check(outputs); err != nil {
			return fmt.Errorf("the note %q: %w", solvers.CalibrationNote, err)
		}
		alone := p.task == Sets || outputs == 1 // each output by itself
		if p.task == Queries || p.task == Numbers || alone != (c.Link == solvers.Sigmoid) {
			return fmt.Errorf("the note %q: %v for %d outputs of the task %q", solvers.CalibrationNote, c.Link, outputs,
				p.task)
		}
		p.probabilities = true
	}
	text, ok := p.notes[NoteThresholds]
	if !ok {
		return nil
	}
	if p.thresholds, err = parseThresholds(text); err != nil {
		return err
	}
	want := map[string]int{Sets: outputs, Classes: 1}[p.task]
	if len(p.thresholds) != want || p.task == Classes && outputs != 2 && !p.signed {
		return fmt.Errorf("the note %q: %d thresholds for %d outputs of the task %q", NoteThresholds, len(p.thresholds),
			outputs, p.task)
	}
	return nil
}

// FormatThresholds returns the text of thresholds in a note: decimals with blanks between them.
func FormatThresholds(thresholds []float64) string {
	words := make([]string, len(thresholds))
	for l, t := range thresholds {
		words[l] = strconv.FormatFloat(t, 'g', -1, 64)
	}
	return strings.Join(words, " ")
}

// parseThresholds reads what FormatThresholds wrote.
func parseThresholds(text string) (all []float64, err error) {
	for word := range strings.FieldsSeq(text) {
		t, err := strconv.ParseFloat(word, 64)
		if err != nil || t-t != 0 {
			return nil, fmt.Errorf("the note %q: %q, want finite numbers", NoteThresholds, word)
		}
		all = append(all, t)
	}
	return all, nil
}

// Calibration returns what makes probabilities of the scores, nil where the model has none. It must not be changed.
func (p *Predictor) Calibration() *solvers.Calibration { return p.calibration }

// Thresholds returns the thresholds that were chosen: of the task Sets one for each label, of two classes one, of the
// difference that Margin returns. It is nil where the note has none: labels are predicted where their scores are above
// 0, classes by the largest score. They must not be changed.
func (p *Predictor) Thresholds() []float64 { return p.thresholds }

// HasLabel reports whether a label is predicted, of the task Sets, where its score is v.
func (p *Predictor) HasLabel(label int, v float64) bool {
	if p.thresholds == nil {
		return v > 0
	}
	return v >= p.thresholds[label]
}

// Margin returns the score of the second of two classes less the score of the first, or the one score.
func Margin(scores []float64) float64 {
	if len(scores) == 1 {
		return scores[0]
	}
	return scores[1] - scores[0]
}

// Own returns the scores that the model itself has, as calibrations and thresholds take them: all scores of q, or the
// second alone where one score tells two classes apart. They are q's.
func (p *Predictor) Own(q *Prediction) []float64 {
	if p.signed {
		return q.Scores[1:]
	}
	return q.Scores
}

// Rank sets dst to the len(dst) best classes of an example: the one that is predicted, then the others by descending
// scores, of equal ones the smaller number first. It panics with a vec.ShapeError where dst is longer than the scores.
func (p *Predictor) Rank(dst []int, q *Prediction) {
	solvers.Rank(dst, q.Scores)
	if p.thresholds == nil || p.task != Classes || len(dst) == 0 || dst[0] == q.Class {
		return
	}
	at := slices.Index(dst, q.Class)
	if at < 0 {
		at = len(dst) - 1
	}
	copy(dst[1:at+1], dst[:at])
	dst[0] = q.Class
}
