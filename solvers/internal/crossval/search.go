package crossval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// search is a cross-validation under way.
type search[T vec.Float, P, R any] struct {
	Trial[T, P, R]
	cv    solvers.CrossValidation
	folds int
	parts []int          // that are left out, ascending
	id    train.Identity // where there is a state

	mutex   sync.Mutex  // of what follows
	values  [][]float64 // of each part: the measures of the first point, then of the second, as far as they are known
	done    int         // trainings
	unsaved bool        // there are values that no state has
	saved   time.Time
	failed  error // of a checkpoint
}

func newSearch[T vec.Float, P, R any](t Trial[T, P, R], cv solvers.CrossValidation) (*search[T, P, R], error) {
	s := &search[T, P, R]{Trial: t, cv: cv, saved: time.Now()}
	if cv.Measures != nil {
		s.Measures = cv.Measures
	}
	if t.Fold != nil {
		s.folds = slices.Max(t.Fold) + 1
	}
	s.parts = t.Parts
	for f := 0; t.Parts == nil && f < s.folds; f++ {
		s.parts = append(s.parts, f)
	}
	s.values = make([][]float64, s.folds)
	if t.Fold == nil || len(t.Grid) == 0 || cv.State == nil && t.Checkpoint.Save == nil {
		return s, nil
	}
	id, err := t.Identity(t.Grid[0])
	if err != nil {
		return nil, err
	}
	s.id = s.identity(id)
	if cv.State != nil {
		if err := s.load(cv.State); err != nil {
			return nil, fmt.Errorf("%s: %w", id.Family, err)
		}
	}
	return s, nil
}

// of returns measure q of point p on each part that is left out.
func (s *search[T, P, R]) of(p, q int) []float64 {
	all := make([]float64, len(s.parts))
	for k, f := range s.parts {
		all[k] = s.values[f][p*len(s.Measures)+q]
	}
	return all
}

// known returns how many points of a part are measured.
func (s *search[T, P, R]) known(fold int) int {
	if len(s.Measures) == 0 {
		return 0
	}
	return len(s.values[fold]) / len(s.Measures)
}

// tell says that some trainings more are over.
func (s *search[T, P, R]) tell(more int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.done += more
	if s.cv.Trained == nil {
		return
	}
	all := len(s.parts) * len(s.Grid)
	if !s.cv.FoldsOnly {
		all += len(s.Grid)
	}
	s.cv.Trained(solvers.PathProgress{Done: s.done, Trainings: all})
}

// run trains without each part that is to be left out, and measures on it what is not known yet.
func (s *search[T, P, R]) run(ctx context.Context) error {
	_, err := solvers.CrossValidate(s.Fold, func(rest, part []int) (none struct{}, err error) {
		fold := s.Fold[part[0]]
		known := s.known(fold)
		if known == len(s.Grid) || !slices.Contains(s.parts, fold) {
			return none, nil
		}
		var start R
		err = s.walk(ctx, start, rest, func(p int, r R) error {
			if p < known {
				return nil
			}
			// A training that was cut short may be good enough all the same, but another one than without.
			if err := ctx.Err(); err != nil {
				return err
			}
			values, err := s.measure(r, part)
			if err != nil {
				return err
			}
			err = s.record(fold, values)
			s.tell(1)
			return err
		})
		return none, err
	}, s.Workers)
	return err
}

// stateful reports whether there are states to save.
func (s *search[T, P, R]) stateful() bool {
	return s.Checkpoint.Save != nil && s.Fold != nil && len(s.Grid) > 0
}

// saveAtEnd has the state saved at once where ctx ends before release is called, by another goroutine: trainings under
// way have their last certificates to compute. Why it could not be saved is not told: the state that follows, which is
// saved as well, has the same reason.
func (s *search[T, P, R]) saveAtEnd(ctx context.Context) (release func()) {
	ended := ctx.Done()
	if !s.stateful() || ended == nil {
		return func() {}
	}
	wait := s.id.Ahead()
	forget := train.AtEnd(ended, func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		s.Checkpoint.Save(s.write)
	})
	return func() {
		forget()
		wait()
	}
}

// saveLast saves the state where a path ends, if there is something new to tell or the end of ctx has cut it short. err
// is why it ends.
func (s *search[T, P, R]) saveLast(ctx context.Context, err error) error {
	if s.failed == nil && s.stateful() && (s.unsaved || err != nil && ctx.Err() != nil) {
		err = errors.Join(err, s.Checkpoint.Save(s.write))
	}
	return err
}

// record keeps the measures of the next point of a part, and saves them where that is due. Where that has failed it is
// an error for all parts.
func (s *search[T, P, R]) record(fold int, values []float64) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.values[fold], s.unsaved = append(s.values[fold], values...), true
	if s.failed == nil && s.Checkpoint.Every > 0 && time.Since(s.saved) >= s.Checkpoint.Every {
		s.failed = s.Checkpoint.Save(s.write)
		s.unsaved, s.saved = false, time.Now()
	}
	return s.failed
}
