package train

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"time"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// Identity says what a training is of: a state of another one is refused.
type Identity struct {
	Family   string        // the package of the solver
	Settings string        // all that the configuration says about the steps, in words
	Data     func() []byte // a fingerprint of the data; called when a state is written or read
}

// Ahead begins to compute the fingerprint of the data, which takes a pass over it: a state is to be saved at once. wait
// waits for it, since the data is the caller's. Data must be safe to call from several goroutines.
func (id Identity) Ahead() (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		id.Data()
	}()
	return func() { <-done }
}

// Write writes what the state of a training begins with.
func (id Identity) Write(w *container.Writer) {
	w.Strings("what", []string{id.Family, id.Settings})
	w.Bytes("data", id.Data())
}

// Check reads what Write wrote, and returns an error that wraps ErrOtherState where it is of another training.
func (id Identity) Check(r *container.Reader) error {
	what, data := r.Strings("what", 2), r.Bytes("data", container.Any)
	switch {
	case r.Err() != nil:
		return r.Err()
	case what[0] != id.Family:
		return fmt.Errorf("%w: of %s, want one of %s", solvers.ErrOtherState, what[0], id.Family)
	case what[1] != id.Settings:
		return fmt.Errorf("%w: its settings are\n%s\nbut those given are\n%s", solvers.ErrOtherState, what[1],
			id.Settings)
	case !bytes.Equal(data, id.Data()):
		return fmt.Errorf("%w: of other data", solvers.ErrOtherState)
	}
	return nil
}

// Notes are what the file of a model says of its training; without an outcome where that is not over.
func (id Identity) Notes(o *solvers.Outcome) map[string]string {
	notes := map[string]string{"solver": id.Family, "settings": id.Settings}
	if o != nil {
		notes["outcome"] = o.String()
	}
	return notes
}

// kind and version of the files that hold a state.
const (
	kind    = "state"
	version = 2
)

// writeTo returns what writes the state of a training, of which method writes what is the method's.
func writeTo[T vec.Float](id Identity, c *Clock[T], method func(*container.Writer)) func(io.Writer) error {
	return func(to io.Writer) error {
		w := container.NewWriter(to, kind, version)
		id.Write(w)
		since := c.since
		if c.owed != notDue { // what judges the certificate sets since
			since = c.epoch + int(c.owed)
		}
		w.Ints("clck", c.epoch, since, c.bestEpoch)
		container.Floats(w, "clck", []float64{c.certifyAt, c.lowest, c.bestDual, c.bestGap, c.elapsed.Seconds()})
		method(w)
		c.due.save(w)
		c.stops.save(w)
		w.Bytes("seal", c.seal(id))
		_, err := w.Close()
		return err
	}
}

// seal is a hash of the best models, their values and the data: values are not computed again, so that they are
// believed only of the models, and of the data, that they were computed from.
func (c *Clock[T]) seal(id Identity) []byte {
	h := sha256.New()
	h.Write(id.Data())
	w := container.NewWriter(h, kind, version)
	c.due.save(w)
	c.stops.save(w)
	w.Close()
	return h.Sum(nil)
}

// Resume reads a state into c and m, which is a new training of the same problem. It returns an error where the state
// is damaged, or of other data or settings; m is not to be used then.
func Resume[T vec.Float](from io.Reader, id Identity, c *Clock[T], m Method[T]) error {
	r, err := container.Open(from)
	if err != nil {
		return err
	}
	r.Expect(kind, version)
	if r.Err() != nil {
		return r.Err()
	}
	if err := id.Check(r); err != nil {
		return err
	}
	epochs, values := r.Ints("clck", 3), container.ReadFloats[float64](r, "clck", 5)
	if r.Err() != nil {
		return r.Err()
	}
	const longest = 1e9 // seconds
	due := max(notDue, owed(epochs[1]-epochs[0]))
	if !container.Counts(epochs...) || due > dueByGap || !(values[4] >= 0 && values[4] < longest) {
		r.Corrupt("a clock of %d and %v", epochs, values)
		return r.Err()
	}
	*c = Clock[T]{
		started: true, visits: -1, epoch: epochs[0], since: epochs[1], owed: due, bestEpoch: epochs[2],
		elapsed:   time.Duration(values[4] * float64(time.Second)),
		certifyAt: values[0], lowest: values[1], bestDual: values[2], bestGap: values[3],
	}
	m.Load(r)
	if r.Err() == nil {
		c.due.load(r, m)
		c.stops.load(r, m)
		if seal := r.Bytes("seal", sha256.Size); r.Err() == nil && !bytes.Equal(seal, c.seal(id)) {
			r.Corrupt("the best models are not those whose values it tells")
		}
	}
	return r.Close()
}
