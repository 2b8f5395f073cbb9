package solvers

import (
	"fmt"
	"sync"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Predict returns the class of each example of x: the output with the largest score, the smaller number where scores
// are equal. Of a model with one output, which tells two classes apart, it is 1 where the score is above 0, else 0. A
// score that is NaN is an error that names its row and output. workers is the number of goroutines, 0 for all cores.
func Predict[T vec.Float](m Scorer[T], x design.Matrix[T], workers int) ([]int, error) {
	var y []int
	err := scoreEach(m, x, 1, workers, func(n int) {
		y = make([]int, n)
	}, func(i int, scores []T) {
		if len(scores) > 1 {
			Rank(y[i:i+1], scores)
		} else if scores[0] > 0 {
			y[i] = 1
		}
	})
	if err != nil {
		return nil, err
	}
	return y, nil
}

// TopK returns the k outputs with the largest scores for each example of x, best first, ordered as by [Rank]. A score
// that is NaN is an error that names its row and output. workers is the number of goroutines, 0 for all cores.
func TopK[T vec.Float](m Scorer[T], x design.Matrix[T], k, workers int) ([][]int, error) {
	var ranked [][]int
	err := scoreEach(m, x, k, workers, func(n int) {
		flat := make([]int, n*k)
		ranked = make([][]int, n)
		for i := range ranked {
			ranked[i] = flat[i*k : (i+1)*k : (i+1)*k]
		}
	}, func(i int, scores []T) {
		Rank(ranked[i], scores)
	})
	if err != nil {
		return nil, err
	}
	return ranked, nil
}

// LabelSets returns, for each example of x, the outputs whose scores are above 0, ascending. A score that is NaN is an
// error that names its row and output. workers is the number of goroutines, 0 for all cores.
func LabelSets[T vec.Float](m Scorer[T], x design.Matrix[T], workers int) ([][]int, error) {
	var sets [][]int
	err := scoreEach(m, x, 1, workers, func(n int) {
		sets = make([][]int, n)
	}, func(i int, scores []T) {
		sets[i] = make([]int, 0, positive(scores))
		for c, v := range scores {
			if v > 0 {
				sets[i] = append(sets[i], c)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return sets, nil
}

func positive[T vec.Float](scores []T) (count int) {
	for _, v := range scores {
		if v > 0 {
			count++
		}
	}
	return count
}

// scoreEach calls begin with the number of examples of x, then use with each example's scores, none of them NaN, from
// several goroutines. k is how many outputs the caller needs. The scores of at most 2^20 numbers, or 256 examples, are
// held at a time.
func scoreEach[T vec.Float](m Scorer[T], x design.Matrix[T], k, workers int,
	begin func(n int), use func(i int, scores []T)) error {
	n, err := checkScorer(m, x)
	if err != nil {
		return err
	}
	if workers, err = parallel.Cores(workers, n); err != nil {
		return fmt.Errorf("solvers: %w", err)
	}
	_, outputs := m.Dims()
	if k < 1 || k > outputs {
		return fmt.Errorf("solvers: %d best of %d outputs", k, outputs)
	}
	begin(n)
	size := min(n, max(256, 1<<20/outputs))
	scores := vec.NewMatrix[T](size, outputs)
	for from := 0; from < n; from += size {
		to := min(from+size, n)
		some := scores.Slice(0, to-from, 0, outputs)
		if err := scoresOf(m, some, design.Window(x, from, to), workers); err != nil {
			return err
		}
		if err := useEach(some, from, workers, use); err != nil {
			return err
		}
	}
	return nil
}

func scoresOf[T vec.Float](m Scorer[T], dst vec.Matrix[T], x design.Matrix[T], workers int) error {
	if m, ok := m.(interface {
		ScoresWorkers(dst vec.Matrix[T], x design.Matrix[T], rows []int, workers int) error
	}); ok {
		return m.ScoresWorkers(dst, x, nil, workers)
	}
	return m.Scores(dst, x, nil)
}

// useEach calls use with the scores of the examples from first on. Of several NaN the error names the first row's.
func useEach[T vec.Float](scores vec.Matrix[T], first, workers int, use func(i int, scores []T)) error {
	const size = 64 // rows that a goroutine takes at a time
	var mutex sync.Mutex
	row, output := scores.Rows, 0
	parallel.Chunks(workers, scores.Rows, size, func(_, from, to int) {
		for p := from; p < to; p++ {
			s := scores.Row(p)
			if c := firstNaN(s); c >= 0 {
				mutex.Lock()
				if p < row {
					row, output = p, c
				}
				mutex.Unlock()
				return
			}
			use(first+p, s)
		}
	})
	if row < scores.Rows {
		return fmt.Errorf("solvers: the score of row %d for output %d is NaN", first+row, output)
	}
	return nil
}

// firstNaN returns the place of the first NaN, -1 if there is none.
func firstNaN[T vec.Float](s []T) int {
	for c, v := range s {
		if v != v {
			return c
		}
	}
	return -1
}
