package solvers

import "fmt"

// Options are what a training obeys, whatever its family: every family's Config has these fields, and turns into them.
type Options struct {
	Tol     float64 // relative duality gap to stop at, > 0; default: 1e-3
	Epochs  int     // most passes over the data, counted by visits of examples; default: 1000
	Seed    uint64  // of the random order. The same seed, data, Workers and CPU give the same bits
	Workers int     // goroutines; default: all cores, as far as there is work for them

	Progress   func(Progress) // called after each epoch, if not nil, by the goroutine that called Fit
	Checkpoint Checkpoint     // where the state goes, so that a training can be resumed; default: nowhere
}

// WithDefaults returns o with its defaults filled in but for Workers, which depend on the data, or what is wrong.
func (o Options) WithDefaults() (Options, error) {
	if o.Tol == 0 {
		o.Tol = 1e-3
	}
	if o.Epochs == 0 {
		o.Epochs = 1000
	}
	switch {
	case !(o.Tol > 0):
		return o, fmt.Errorf("Tol = %v, want a positive number", o.Tol)
	case o.Epochs < 0:
		return o, fmt.Errorf("Epochs = %d, want at least 1", o.Epochs)
	case o.Workers < 0:
		return o, fmt.Errorf("Workers = %d, want at least 1, or 0 for all cores", o.Workers)
	}
	return o, o.Checkpoint.Validate()
}
