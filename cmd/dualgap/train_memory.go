package main

import (
	"fmt"
	"runtime"
	"slices"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/solvers"
)

// room returns an error where a training would take more memory than the limit leaves, with its parts; err is why what it
// takes is not known. Cross-validation trains on several parts at a time.
func (s shared) room(m solvers.Memory, err error) error {
	if err != nil {
		return err
	}
	what, times, each := "the training takes", 1, ""
	if parts := max(s.cv.Folds, len(s.cv.Fold)); parts > 0 {
		if s.cv.Folds == 0 {
			parts = slices.Max(s.cv.Fold) + 1
		}
		if times = min(parts, runtime.GOMAXPROCS(0)); times > 1 {
			what, each = fmt.Sprintf("%d trainings at a time take", times), ", each"
		}
	}
	if err := memory.Need(what, float64(times)*m.Bytes()); err != nil {
		return fmt.Errorf("%w%s:\n%v", err, each, m)
	}
	return nil
}
