package main

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/models"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// eachScores calls use with the scores of each example in order, none of them NaN, until ctx ends. It holds the scores of at
// most 2^20 numbers, or 256 examples, at a time.
func eachScores[T vec.Float](ctx context.Context, m *models.Model[T], x data.Storage[T], workers int,
	use func(i int, scores []T) error) error {
	n, _ := x.Dims()
	_, outputs := m.Dims()
	size := min(n, max(256, 1<<20/outputs))
	scores := vec.NewMatrix[T](size, outputs)
	for from := 0; from < n; from += size {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+size, n)
		if err := m.ScoresWorkers(scores.Slice(0, to-from, 0, outputs), solvers.Window[T](x, from, to), nil, workers); err != nil {
			return err
		}
		for i := from; i < to; i++ {
			s := scores.Row(i - from)
			for c, v := range s {
				if v != v {
					return fmt.Errorf("the score of example %d for %s is NaN", i+1, m.Name(c))
				}
			}
			if err := use(i, s); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkScoring checks what predict and evaluate are both told.
func checkScoring(data, model string, workers int) error {
	switch {
	case workers < 0:
		return usage("--workers %d: need 1 at least, or 0 for all cores", workers)
	case data == "-" && model == "-":
		return usage("the data and the model both from standard input: one of them must be a file")
	}
	return nil
}
