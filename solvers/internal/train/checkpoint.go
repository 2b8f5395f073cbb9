package train

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
)

// Identity says what a training is of: a state of another one is refused.
type Identity struct {
	Family   string        // the package of the solver
	Settings string        // all that the configuration says about the steps, in words
	Data     func() []byte // a fingerprint of the data; called when a state is written or read
}

// kind and version of the files that hold a state.
const (
	kind    = "state"
	version = 1
)

// writeTo returns what writes the state of a training.
func writeTo(id Identity, c *Clock, m Method) func(io.Writer) error {
	return func(to io.Writer) error {
		w := container.NewWriter(to, kind, version)
		w.Strings("what", []string{id.Family, id.Settings})
		w.Bytes("data", id.Data())
		w.Ints("clck", c.epoch, c.since, c.bestEpoch)
		container.Floats(w, "clck", []float64{c.sure, c.lowest, c.bestDual, c.bestGap, c.elapsed.Seconds()})
		m.Save(w)
		_, err := w.Close()
		return err
	}
}

// Resume reads a state into c and m, which is a new training of the same problem. It returns an error where the state
// is damaged, or of other data or settings; m is not to be used then.
func Resume(from io.Reader, id Identity, c *Clock, m Method) error {
	r, err := container.Open(from)
	if err != nil {
		return err
	}
	if r.Kind() != kind || r.Version() != version {
		return fmt.Errorf("a file of kind %q, version %d; need %q, version %d", r.Kind(), r.Version(), kind, version)
	}
	what, data := r.Strings("what", 2), r.Bytes("data", -1)
	switch {
	case r.Err() != nil:
		return r.Err()
	case what[0] != id.Family:
		return fmt.Errorf("%w: of %s, need one of %s", solvers.ErrOtherState, what[0], id.Family)
	case what[1] != id.Settings:
		return fmt.Errorf("%w: its settings are\n%s\nbut those given are\n%s", solvers.ErrOtherState, what[1], id.Settings)
	case !bytes.Equal(data, id.Data()):
		return fmt.Errorf("%w: of other data", solvers.ErrOtherState)
	}
	epochs, values := r.Ints("clck", 3), container.ReadFloats[float64](r, "clck", 5)
	if r.Err() != nil {
		return r.Err()
	}
	const longest = 1e9 // seconds
	if min(epochs[0], epochs[1], epochs[2]) < 0 || max(epochs[0], epochs[1], epochs[2]) > math.MaxInt32/2 || !(values[4] >= 0 && values[4] < longest) {
		r.Corrupt("a clock of %d and %v", epochs, values)
		return r.Err()
	}
	*c = Clock{
		started: true, epoch: epochs[0], since: epochs[1], bestEpoch: epochs[2], elapsed: time.Duration(values[4] * float64(time.Second)),
		sure: values[0], lowest: values[1], bestDual: values[2], bestGap: values[3],
	}
	m.Load(r)
	return r.Close()
}
