package main

import (
	"fmt"
	"strconv"
	"strings"
	"unsafe"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// lines returns what appends the line of an example with the given scores, and the line before the first.
func lines[T vec.Float](p *Predict, m *models.Model[T]) (line func(b []byte, scores []T) []byte, header string, err error) {
	names := m.Classes()
	if p.Best > 0 {
		if m.Task == models.Top || p.Best > len(names) {
			_, outputs := m.Dims()
			return nil, "", usage("-k %d: the model has %d outputs", p.Best, outputs)
		}
		best := make([]int, p.Best)
		return func(b []byte, scores []T) []byte {
			solvers.Rank(best, scores)
			for j, c := range best {
				if j > 0 {
					b = append(b, ' ')
				}
				b = append(b, names[c]...)
			}
			return b
		}, "", nil
	}
	label := answers(m)
	if m.Task == models.Top {
		return func(b []byte, scores []T) []byte { return appendScore(append(label(b, scores), ' '), scores[0]) }, "", p.alone()
	}
	if !p.Probabilities && !p.Scores {
		return label, "", nil
	}
	if p.Probabilities && !softmax(m.Notes()) {
		return nil, "", fmt.Errorf("scores of this model are no probabilities, which -b asks for: " +
			"train by tracenorm, or by topk with its entropy loss and -k 1; --scores prints the scores")
	}
	numbers := make([]T, len(names))
	return func(b []byte, scores []T) []byte {
		b = label(b, scores)
		if copy(numbers, scores); p.Probabilities {
			vec.Softmax(numbers, scores)
		}
		for _, v := range numbers {
			b = appendScore(append(b, ' '), v)
		}
		return b
	}, "labels " + strings.Join(names, " ") + "\n", nil
}

// alone returns an error where flags ask for more than the one score of a ranker.
func (p *Predict) alone() error {
	if p.Probabilities {
		return fmt.Errorf("scores of this model, which ranks, are no probabilities: leave out -b")
	}
	return nil
}

// answers returns what appends the label of an example with the given scores, or its labels.
func answers[T vec.Float](m *models.Model[T]) func(b []byte, scores []T) []byte {
	names := m.Classes()
	switch m.Task {
	case models.Top:
		positive := "1"
		if len(m.Positive) == 1 {
			positive = m.Positive[0]
		}
		return func(b []byte, scores []T) []byte {
			if float64(scores[0]) >= m.Threshold {
				return append(b, positive...)
			}
			return append(b, m.Negative...)
		}
	case models.Sets:
		return func(b []byte, scores []T) []byte {
			from := len(b)
			for c, v := range scores {
				if v > 0 {
					if len(b) > from {
						b = append(b, ',')
					}
					b = append(b, names[c]...)
				}
			}
			return b
		}
	}
	var best [1]int
	return func(b []byte, scores []T) []byte {
		solvers.Rank(best[:], scores)
		return append(b, names[best[0]]...)
	}
}

// softmax reports whether the softmax of a model's scores are probabilities, by what its training has noted.
func softmax(notes map[string]string) bool {
	return notes["solver"] == "tracenorm" ||
		notes["solver"] == "topk" && strings.HasPrefix(notes["settings"], "K 1, loss top-k entropy,")
}

func appendScore[T vec.Float](b []byte, v T) []byte {
	return strconv.AppendFloat(b, float64(v), 'g', -1, int(8*unsafe.Sizeof(v)))
}
