package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/solvers/predictor"
	"github.com/dualgap/dualgap/vec"
)

// truth is what examples are labelled with: y or sets, of a ranker positive, of numbers targets, or nothing.
type truth struct {
	targets  []float64
	y        []int
	sets     [][]int
	positive []bool
	has      func(label int, v float64) bool // of sets: whether the model predicts a label of this score
}

// newTruth returns the labels of e, which were read with what p knows.
func newTruth[T vec.Float](p *predictor.Predictor, e *data.Examples[T]) (t truth) {
	switch {
	case e.Y == nil && e.Sets == nil:
	case p.Task() == predictor.Numbers:
		t.targets = e.Values
	case p.Task() == predictor.Queries: // no answer is right or wrong by itself
	case p.Task() == predictor.Top:
		t.positive = e.Among(p.Positive())
	default:
		t.y, t.sets, t.has = e.Y, e.Sets, p.HasLabel
	}
	return t
}

// tally counts right and wrong answers.
type tally struct {
	examples, right   int // those whose labels are known
	decisions, missed int // of sets: on each label of each example
	guessed           int // examples with sets of labels, of which one is guessed
	labels, nonzeros  int // that the model does not know
	numbers           int // that are predicted, and whose targets are known
	squares           float64
	remarks           []string
}

// count takes the prediction of example i.
func (t *tally) count(of truth, i int, q *predictor.Prediction) {
	right := false
	switch {
	case of.targets != nil:
		off := q.Scores[0] - of.targets[i]
		t.numbers, t.squares = t.numbers+1, t.squares+off*off
		return
	case of.y != nil:
		right = q.Class == of.y[i]
	case of.positive != nil:
		right = q.Positive == of.positive[i]
	case of.sets != nil && q.Class >= 0:
		right = slices.Contains(of.sets[i], q.Class)
		t.guessed++
	case of.sets != nil:
		missed := 0
		for c, v := range q.Scores {
			if _, has := slices.BinarySearch(of.sets[i], c); has != of.has(c, v) {
				missed++
			}
		}
		right = missed == 0
		t.decisions, t.missed = t.decisions+len(q.Scores), t.missed+missed
	default:
		return
	}
	t.examples++
	if right {
		t.right++
	}
}

// print tells what was counted, and warns of what the model does not know in the file path.
func (t *tally) print(out, warnings io.Writer, path string) {
	for _, line := range t.remarks {
		fmt.Fprintln(warnings, line)
	}
	if t.nonzeros > 0 {
		fmt.Fprintf(warnings, "%s: %d nonzeros in columns beyond the model's features are left out\n", path, t.nonzeros)
	}
	if t.labels > 0 {
		fmt.Fprintf(warnings, "%s: %d labels are none that the model knows, and count as missed\n", path, t.labels)
	}
	switch {
	case t.numbers > 0:
		fmt.Fprintf(out, "Mean squared error = %.6g (%d examples)\n", t.squares/float64(t.numbers), t.numbers)
	case t.examples == 0:
	case t.decisions > 0:
		fmt.Fprintf(out, "Hamming loss = %.5g, sets without a fault = %.4g%% (%d/%d)\n",
			float64(t.missed)/float64(t.decisions), percent(t.right, t.examples), t.right, t.examples)
	case t.guessed > 0:
		fmt.Fprintf(out, "First guess among the labels = %.4g%% (%d/%d)\n", percent(t.right, t.examples), t.right,
			t.examples)
	default:
		fmt.Fprintf(out, "Accuracy = %.4g%% (%d/%d)\n", percent(t.right, t.examples), t.right, t.examples)
	}
}

func percent(a, n int) float64 { return 100 * float64(a) / float64(n) }
