package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// parseRule reads what --threshold says: a constraint, and the class that is to be found, "" for the second of two.
func parseRule(text string) (class string, c metrics.Constraint, err error) {
	if text == "" {
		return "", c, nil
	}
	at := strings.LastIndexByte(text, ':')
	if at >= 0 {
		class = text[:at]
	}
	if c, err = metrics.ParseConstraint(text[at+1:]); err != nil {
		return "", c, usage("--threshold %s: want recall=R, precision=P or false-rate=F, shares from 0 to 1", text)
	}
	return class, c, nil
}

// fit returns the notes with what the flags ask for of the model p, by scores of examples that it has not seen, and
// lines that tell of it.
func (f *Fitting) fit(p *predictor.Predictor, scores vec.Matrix[float64], of truth) (notes map[string]string,
	told []string, err error) {
	notes = map[string]string{}
	truth := solvers.Truth{Y: of.y, Sets: of.sets, Positive: of.positive}
	var c *solvers.Calibration
	switch f.Calibrate {
	case "temperature":
		c, err = solvers.FitTemperature(scores, truth)
	case "platt":
		c, err = solvers.FitPlatt(scores, truth)
	}
	if err != nil {
		return nil, nil, err
	}
	if c != nil {
		notes = c.Note(notes)
		line, err := toldOf(c, scores, of)
		if err != nil {
			return nil, nil, err
		}
		told = append(told, line)
	}
	if f.Threshold != "" {
		line, err := f.choose(p, scores, of, notes)
		if err != nil {
			return nil, nil, fmt.Errorf("--threshold %s: %w", f.Threshold, err)
		}
		told = append(told, line)
	}
	return notes, told, nil
}

// toldOf tells how reliable probabilities are, and were as they come.
func toldOf(c *solvers.Calibration, scores vec.Matrix[float64], of truth) (string, error) {
	was, err := reliability(plain(of, scores.Cols), scores, of)
	if err != nil {
		return "", err
	}
	is, err := reliability(c, scores, of)
	what := "Platt's sigmoids"
	if t := c.Temperature(); t == t {
		what = fmt.Sprintf("temperature %.4g", t)
	}
	return fmt.Sprintf("%s: calibration error %.4f, without %.4f", what, is, was), err
}

// choose notes thresholds of p.
func (f *Fitting) choose(p *predictor.Predictor, scores vec.Matrix[float64], of truth, notes map[string]string) (string,
	error) {
	class, c, err := parseRule(f.Threshold)
	if err != nil {
		return "", err
	}
	if class != "" && p.Task() != predictor.Classes {
		return "", usage("a class, %s, is for two classes, and the model is of the task %s", class, p.Task())
	}
	notes[predictor.NoteChosen] = c.String()
	switch p.Task() {
	case predictor.Sets:
		choices, err := metrics.LabelThresholds(scores, of.sets, c)
		if err != nil {
			return "", err
		}
		return noteLabels(choices, notes), nil
	case predictor.Top:
		choice, err := metrics.Threshold(scores.Data, of.positive, c)
		if err != nil {
			return "", err
		}
		notes["threshold"] = strconv.FormatFloat(choice.At, 'g', -1, 64)
		return toldOfChoice(choice), nil
	case predictor.Classes:
		return chooseOfTwo(p, class, c, scores, of, notes)
	}
	return "", usage("scores of two queries do not compare")
}

// noteLabels notes the threshold of each label.
func noteLabels(choices []metrics.Choice[float64], notes map[string]string) string {
	at, never := make([]float64, len(choices)), 0
	recall, precision := 0.0, 0.0
	for l, choice := range choices {
		at[l] = choice.At
		recall, precision = recall+choice.Recall, precision+choice.Precision
		if choice.Unreachable {
			never++
			precision--
		}
	}
	notes[predictor.NoteThresholds] = predictor.FormatThresholds(at)
	reached := float64(max(1, len(choices)-never))
	told := fmt.Sprintf("thresholds of %d labels: mean recall %.4f, precision %.4f", len(choices)-never, recall/reached,
		precision/reached)
	if never > 0 {
		told += fmt.Sprintf("; %d others reach it nowhere, and are hardly ever predicted", never)
	}
	return told
}

// chooseOfTwo notes the threshold of two classes.
func chooseOfTwo(p *predictor.Predictor, class string, c metrics.Constraint, scores vec.Matrix[float64], of truth,
	notes map[string]string) (string, error) {
	names, find := p.Classes(), 1
	if len(names) != 2 || of.y == nil {
		return "", usage("%d classes, want two, sets of labels, or a ranker", len(names))
	}
	if class != "" {
		if find = place(names, class); find < 0 {
			return "", usage("no class %s, there are %s", class, list(names))
		}
	}
	margins, found := make([]float64, scores.Rows), make([]bool, scores.Rows)
	for i := range margins {
		found[i] = of.y[i] == find
		margins[i] = predictor.Margin(scores.Row(i))
		if find == 0 {
			margins[i] = -margins[i]
		}
	}
	choice, err := metrics.Threshold(margins, found, c)
	if err != nil {
		return "", err
	}
	at := choice.At
	if find == 0 { // the second class is where -margin < At
		at = math.Nextafter(-at, math.Inf(1))
	}
	notes[predictor.NoteThresholds] = predictor.FormatThresholds([]float64{at})
	return names[find] + ", " + toldOfChoice(choice), nil
}

// toldOfChoice tells what a threshold does.
func toldOfChoice(c metrics.Choice[float64]) string {
	return fmt.Sprintf("threshold %.6g: recall %.4f, precision %.4f, false alarms %.4f of all others", c.At, c.Recall,
		c.Precision, c.FalseRate)
}
