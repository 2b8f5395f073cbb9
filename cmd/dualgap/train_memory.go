package main

import (
	"fmt"
	"runtime"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/solvers"
)

// room returns an error if trainings, times of them at once, would take more memory than the limit leaves. The error
// lists the parts of what each takes.
func room(of func(shared) (solvers.Memory, error), s shared, times int) error {
	m, err := of(s)
	if err != nil {
		return err
	}
	what, each := "the training takes", ""
	if times > 1 {
		what, each = fmt.Sprintf("%d trainings at a time take", times), ", each"
	}
	if err := memory.Need(what, float64(times)*m.Bytes()); err != nil {
		return fmt.Errorf("%w%s:\n%v", err, each, m)
	}
	return nil
}

// room is the function room for cross-validation, which trains as many parts at a time as there are workers.
func (s *search[T]) room(j job[T], all shared) error {
	workers := all.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	all.workers = 1
	return room(j.memory, all, min(s.parts, workers))
}
