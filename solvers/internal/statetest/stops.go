package statetest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// Stop says where a training begins and ends: the fields of a Config that a family's training takes over.
type Stop struct {
	State      io.Reader // of the last stop; nil: from the start
	Epochs     int       // most passes
	Progress   func(solvers.Progress)
	Checkpoint solvers.Checkpoint
}

// Stops stops a training before its first epoch and then after each one, at most a number of times, and resumes it from
// the state of the last stop; it does so twice: a context ends at the end of an epoch, and passes over the data are
// over. From stop to stop the primal value never rises and the dual value never falls, both from the values of zero
// weights and dual variables; rounding is what the latter may fall by, 0 where the best dual variables are kept.
//
// train trains, and checks what the result says of itself. Stops returns how many stops ended with an earlier model
// than their epoch's.
func Stops(t *testing.T, name string, most int, rounding float64, train func(context.Context, Stop) (*solvers.Outcome,
	error)) (kept int) {
	t.Helper()
	for _, by := range []string{"a context", "passes"} {
		s := stops{t: t, name: name + ", by " + by, rounding: rounding, train: train}
		for s.count <= most && s.next(by == "passes") {
		}
		if s.count < 3 {
			t.Errorf("%s: %d stops, then %v", s.name, s.count, s.last)
		}
		kept += s.kept
	}
	return kept
}

type stops struct {
	t        *testing.T
	name     string
	rounding float64
	train    func(context.Context, Stop) (*solvers.Outcome, error)

	count, kept int
	state       []byte
	last        solvers.Outcome
}

// next goes to the next stop, and reports whether there can be another.
func (s *stops) next(byPasses bool) bool {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := Stop{Epochs: 1 << 20, Checkpoint: solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		s.state = b.Bytes()
		return err
	}}}
	if s.state != nil {
		stop.State = bytes.NewReader(s.state)
	}
	switch {
	case s.count == 0:
		cancel()
	case byPasses:
		stop.Epochs = int(s.last.Passes) + 1
	default:
		stop.Progress = func(solvers.Progress) { cancel() }
	}
	o, err := s.train(ctx, stop)
	if o == nil || err != nil && !errors.Is(err, context.Canceled) {
		s.t.Fatalf("%s, stop %d: %v, %v", s.name, s.count, o, err)
	}
	c := o.Certificate
	switch {
	case s.count == 0:
		if !o.ZeroModel || o.ModelEpoch != 0 || o.Epochs != 0 {
			s.t.Fatalf("%s: %+v before the first epoch, want the model of zeros", s.name, *o)
		}
	case o.Status == solvers.Converged: // with the model of a training that never stopped, within the tolerance
		return false
	case c.Primal > s.last.Certificate.Primal || c.Dual < s.last.Certificate.Dual-s.rounding ||
		o.Epochs < s.last.Epochs || o.ModelEpoch > o.Epochs:
		s.t.Fatalf("%s, stop %d: %v, model of epoch %d, after %v, model of epoch %d", s.name, s.count, o, o.ModelEpoch,
			s.last, s.last.ModelEpoch)
	}
	s.count++
	if o.ModelEpoch < o.Epochs {
		s.kept++
	}
	s.last = *o
	return o.Status != solvers.Stalled
}
