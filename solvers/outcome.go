package solvers

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// Status says why a solver stopped.
type Status int

const (
	Running    Status = iota // not stopped yet
	Converged                // the relative gap is within the tolerance
	EpochLimit               // as many passes over the data as allowed are over
	Canceled                 // the context ended, or a checkpoint could not be saved
	Stalled                  // the precision of the numbers allows no progress: use float64 or a larger tolerance
)

var statusNames = [...]string{"running", "converged", "epoch limit", "canceled", "stalled"}

// String returns the status in words, such as "converged".
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}

// What errors of reading models and states wrap.
var (
	ErrCorrupt    = container.ErrCorrupt                      // something other than what was written
	ErrOtherState = errors.New("a state of another training") // sound, but of other data or settings
)

// Outcome is how a training ended. Every family's Result has one.
//
// The model of a Result is the one of least primal value of all that were certified, weights that are all 0 included,
// and the Certificate has that value. Where a certificate does not end the training a copy of a model that is better is
// kept, as large as the model's weights. When the context ends Fit returns the best model so far, its true certificate,
// and the context's error.
type Outcome struct {
	Status      Status
	Certificate Certificate // of the model and the dual variables returned, in float64
	Tol         float64     // relative gap that was asked for
	Epochs      int         // late epochs visit a fraction of the examples
	ModelEpoch  int         // the epoch whose model is returned, Epochs as a rule; 0: that before the first epoch
	// weights that are all 0 are returned, or the prior, where topk and m3l have one: no certificate had a smaller
	// primal value
	ZeroModel bool
	Visits    int     // of examples, in all epochs
	Passes    float64 // over the data: Visits/n
}

// String returns a line such as "converged after 31 epochs, 8.2 passes: primal 0.4821, dual 0.4818, relative gap
// 6.1e-04". Where training ended far from the tolerance it says so, with the reason that is by far the most frequent.
func (o Outcome) String() string {
	s := fmt.Sprintf("%v after %d epochs", o.Status, o.Epochs)
	if o.Epochs == 1 {
		s = fmt.Sprintf("%v after 1 epoch", o.Status)
	}
	if o.Passes > 0 {
		s += fmt.Sprintf(", %.1f passes", o.Passes)
	}
	s += fmt.Sprintf(": %v", o.Certificate)
	switch {
	case o.ZeroModel:
		s += " (all weights are 0, or the prior's: no better model was found)"
	case o.ModelEpoch == 0 && o.Epochs > 0:
		s += " (of the model that training started from: no better one was found)"
	case o.ModelEpoch != o.Epochs:
		s += fmt.Sprintf(" (of the model of epoch %d: no better one was found)", o.ModelEpoch)
	}
	if o.Status == Stalled && o.ZeroModel && o.Certificate.Primal == 0 { // of one class
		return s + ": 0 is the optimum up to rounding, and relative to that no gap is small; a kernel, or features " +
			"that are not centred, have another optimum"
	}
	if gap := o.Certificate.RelativeGap(); (o.Status == EpochLimit || o.Status == Stalled) && gap > 10*o.Tol {
		s += fmt.Sprintf(", far from the %.1e asked for: if features differ much in size, scale them or use float64; "+
			"otherwise allow more passes, or regularize more", o.Tol)
	}
	return s
}

// Progress is what a solver tells between two epochs.
type Progress struct {
	Epoch int // epochs so far
	// of the state at this epoch: the true one if Certified, else an estimate that cost nothing
	Certificate
	Certified bool    // whether this epoch ended with a certificate
	Rounding  float64 // how far rounding takes the gap of one that is certified, by estimate
	// the estimate is of some of the examples alone, as first steps go by, and not of the problem
	Partial bool
	Elapsed time.Duration // since the start, time before a checkpoint included

	// Model makes a model of the state at this epoch: what the Result's Model would be. It costs a copy of the weights
	// or of the support vectors, and the training nothing unless it is called, which is only until Progress returns.
	// See [Current].
	Model func() (any, error)
}

// Current returns the model of the state that p tells of, to be looked at between two epochs: early stopping on a
// validation score is to measure it, and to end the context of the training where the score falls. It is an error where
// T is not the type of the training, or where p.Model is nil.
func Current[T vec.Float](p Progress) (Scorer[T], error) {
	if p.Model == nil {
		return nil, errors.New("solvers: no model: Progress.Model is nil")
	}
	m, err := p.Model()
	if err != nil {
		return nil, err
	}
	s, ok := m.(Scorer[T])
	if !ok {
		return nil, fmt.Errorf("solvers: a training with a model of %T, which has no scores of %T", m, T(0))
	}
	return s, nil
}

// Checkpoint says when a training hands out its state, which a family's Resume continues: where it converges the result
// has the same bits as the result of a training that never stopped, on a CPU with the same instructions; where it stops
// again its model is no worse than the model of the last stop. Resume returns an error where the state is damaged, or
// was saved with other data or another configuration; only Epochs, Progress and Checkpoint may differ.
type Checkpoint struct {
	// Every is the time between two checkpoints; 0: only when the training stops before it has converged.
	Every time.Duration

	// Save is called between epochs, and when the training stops before it has converged. [StateFile] makes one that
	// keeps the state in a file. Any other calls write once, with the place for the state. An error that Save returns
	// ends the training as the end of the context does. nil: no checkpoints.
	//
	// When the context ends, Save is called at once, whatever the training is at: before the last certificate, which
	// may take long; while a step or a certificate that takes long is computed, by another goroutine than the one that
	// called Fit, with the state as it was before that; and again when Fit returns, with what has been reached. Calls
	// never overlap, with each other or with calls of Progress. A training that starts from the result of another has
	// its first state when the certificate of that is known: before, the result itself is all there is to keep. For all
	// this a copy of the state is in memory during certificates and some steps, and the data is read once more, for the
	// fingerprint that a state has of it, when the training begins.
	Save func(write func(io.Writer) error) error
}

// Validate returns an error unless the fields fit together.
func (c Checkpoint) Validate() error {
	switch {
	case c.Every < 0:
		return fmt.Errorf("solvers: checkpoints every %v, want at least 0", c.Every)
	case c.Every > 0 && c.Save == nil:
		return fmt.Errorf("solvers: checkpoints every %v, but no function that saves them", c.Every)
	}
	return nil
}
