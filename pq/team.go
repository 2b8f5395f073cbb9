package pq

import (
	"runtime"
	"sync/atomic"
)

// team is the goroutines of one call that takes several steps one after the other. To wake a goroutine takes as long as a short step:
// those that are done stay awake until the next. A team of one is nil.
type team struct {
	helpers              int64 // beside the caller
	n                    int
	step                 func(w, i int)
	next, round, arrived atomic.Int64
}

func newTeam(workers int) *team {
	if workers == 1 {
		return nil
	}
	t := &team{helpers: int64(workers - 1)}
	for w := 1; w < workers; w++ {
		go t.help(w)
	}
	return t
}

// each calls step for each i < n and returns when all are done. w is the number of the goroutine. Which of them takes which i is chance.
func each[J any](t *team, j J, n int, step func(j J, w, i int)) {
	if t == nil { // without a closure, which would be allocated
		for i := range n {
			step(j, 0, i)
		}
		return
	}
	t.n, t.step = n, func(w, i int) { step(j, w, i) }
	t.next.Store(0)
	t.arrived.Store(0)
	t.round.Add(1)
	t.take(0)
	for t.arrived.Load() < t.helpers {
		runtime.Gosched()
	}
}

// dismiss ends the team.
func (t *team) dismiss() {
	if t != nil {
		t.step = nil
		t.round.Add(1)
	}
}

func (t *team) help(w int) {
	for round := int64(0); ; round++ {
		for t.round.Load() == round {
			runtime.Gosched()
		}
		if t.step == nil {
			return
		}
		t.take(w)
		t.arrived.Add(1)
	}
}

func (t *team) take(w int) {
	for i := int(t.next.Add(1)) - 1; i < t.n; i = int(t.next.Add(1)) - 1 {
		t.step(w, i)
	}
}
