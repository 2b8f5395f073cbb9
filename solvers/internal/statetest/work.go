package statetest

import (
	"runtime"
	"strings"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Counted is features that count the rows they are asked for, as work between two looks at a context.
type Counted[T vec.Float] struct {
	design.Matrix[T]
	Looks *Looks
}

func (c Counted[T]) Gather(dst vec.Matrix[T], rows []int) {
	c.Looks.work(dst.Rows)
	c.Matrix.Gather(dst, rows)
}

func (c Counted[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	c.Looks.work(dst.Rows)
	c.Matrix.Scores(dst, w, rows)
}

func (c Counted[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	c.Looks.work(a.Rows)
	c.Matrix.Accumulate(w, a, rows)
}

func (c Counted[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	c.Looks.work(dst.Rows + dst.Cols)
	c.Matrix.Gram(dst, rows, cols)
}

// work counts rows, but for those that are read for a fingerprint of the data, beside the training.
func (l *Looks) work(rows int) {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.Contains(f.Function, "Fingerprint") {
			return
		}
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.rows += rows
}

// Most returns the most rows that were asked for between a look by Err and the next look, or now: what the end of the
// context waits for. After a look by Done nothing waits: the state is saved meanwhile.
func (l *Looks) Most() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.waits { // for a look that has not come
		return max(l.most, l.rows)
	}
	return l.most
}
