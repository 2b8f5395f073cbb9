package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// truth is what examples are labelled with: y or sets, of a ranker positive, or nothing.
type truth struct {
	y        []int
	sets     [][]int
	positive []bool
}

// newTruth returns the labels of e, which were read with what m knows.
func newTruth[T vec.Float](m *models.Model[T], e *data.Examples[T]) (t truth) {
	switch {
	case e.Y == nil && e.Sets == nil:
	case m.Task == models.Top:
		t.positive = e.Among(m.Positive)
	default:
		t.y, t.sets = e.Y, e.Sets
	}
	return t
}

// tally counts right and wrong answers.
type tally struct {
	examples, right   int // those whose labels are known
	decisions, missed int // of sets: on each label of each example
	guessed           int // examples with sets of labels, of which one is guessed
	labels, nonzeros  int // that the model does not know
}

// count takes the scores of example i.
func count[T vec.Float](t *tally, m *models.Model[T], of truth, i int, scores []T) {
	right := false
	switch {
	case of.y != nil:
		var best [1]int
		solvers.Rank(best[:], scores)
		right = best[0] == of.y[i]
	case of.positive != nil:
		right = (float64(scores[0]) >= m.Threshold) == of.positive[i]
	case of.sets != nil && m.Task == models.Classes:
		var best [1]int
		solvers.Rank(best[:], scores)
		right = slices.Contains(of.sets[i], best[0])
		t.guessed++
	case of.sets != nil:
		missed := 0
		for c, v := range scores {
			if _, has := slices.BinarySearch(of.sets[i], c); has != (v > 0) {
				missed++
			}
		}
		right = missed == 0
		t.decisions, t.missed = t.decisions+len(scores), t.missed+missed
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
	if t.nonzeros > 0 {
		fmt.Fprintf(warnings, "%s: %d nonzeros in columns beyond the model's features are left out\n", path, t.nonzeros)
	}
	if t.labels > 0 {
		fmt.Fprintf(warnings, "%s: %d labels are none that the model knows, and count as missed\n", path, t.labels)
	}
	switch {
	case t.examples == 0:
	case t.decisions > 0:
		fmt.Fprintf(out, "Hamming loss = %.5g, sets without a fault = %.4g%% (%d/%d)\n",
			float64(t.missed)/float64(t.decisions), percent(t.right, t.examples), t.right, t.examples)
	case t.guessed > 0:
		fmt.Fprintf(out, "First guess among the labels = %.4g%% (%d/%d)\n", percent(t.right, t.examples), t.right, t.examples)
	default:
		fmt.Fprintf(out, "Accuracy = %.4g%% (%d/%d)\n", percent(t.right, t.examples), t.right, t.examples)
	}
}

func percent(a, n int) float64 { return 100 * float64(a) / float64(n) }
