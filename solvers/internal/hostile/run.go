package hostile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// Variable is the environment's one that says how many problems a test draws, from a seed of the clock's unless it is
// followed by one: 5000 or 5000,17. Without it there are a few, the same each time.
const Variable = "DUALGAP_HOSTILE"

// Run draws problems and calls train with each, in the order of seeds that an error tells, so that one of them can be
// drawn again. train returns the outcome, nil where there is an error, and checks the certificate itself. The seeds
// found come first: problems that a test has failed with.
func Run(t *testing.T, usual int, train func(t *testing.T, rng *rand.Rand, p Problem) (*solvers.Outcome, error),
	found ...uint64) {
	t.Helper()
	count, seed := usual, uint64(1)
	if testing.Short() {
		count = usual / 5
	}
	if v := os.Getenv(Variable); v != "" {
		if _, err := fmt.Sscanf(v, "%d,%d", &count, &seed); err != nil {
			if count, err = strconv.Atoi(v); err != nil {
				t.Fatalf("%s = %q: %v", Variable, v, err)
			}
			seed = rand.Uint64() >> 32
		}
	}
	errors, exact, doubtful := 0, 0, 0
	var ends [solvers.Stalled + 1]int
	for k := range count + len(found) {
		at := seed + uint64(k-len(found))
		if k < len(found) {
			at = found[k]
		}
		rng := rand.New(rand.NewPCG(at, 99))
		p := Draw(rng)
		name := fmt.Sprintf("%s=1,%d: %s", Variable, at, p.Name)
		confirmed, doubts = 0, nil
		o, err := one(t, name, func() (*solvers.Outcome, error) { return train(t, rng, p) })
		exact, doubtful = exact+confirmed, doubtful+len(doubts)
		for _, said := range doubts {
			t.Logf("doubtful: %s: %s", name, said)
		}
		switch {
		case t.Failed():
			t.FailNow()
		case err != nil:
			errors++
			if os.Getenv(Variable) != "" {
				t.Logf("%s: %v", name, err)
			}
		case p.NaN:
			t.Fatalf("%s: no error, but %v", name, o)
		default:
			if err := sound(o); err != nil {
				t.Fatalf("%s: %v: %v", name, o, err)
			}
			ends[o.Status]++
		}
	}
	t.Logf("%d trainings from seed %d: %d errors, %d converged, %d out of passes, %d stalled; %d "+
		"certificates exactly, %d doubtful", count, seed, errors, ends[solvers.Converged], ends[solvers.EpochLimit],
		ends[solvers.Stalled], exact, doubtful)
}

// one calls train; a panic is a failure.
func one(t *testing.T, name string, train func() (*solvers.Outcome, error)) (o *solvers.Outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%s: a panic: %v\n%s", name, r, debug.Stack())
		}
		if t.Failed() { // by t.Fatal, perhaps, which ends train
			t.Log(name)
		}
	}()
	o, err = train()
	if err == nil && o == nil {
		t.Fatalf("%s: neither an outcome nor an error", name)
	}
	return o, err
}

// Epochs is how many passes a training may take.
const Epochs = 60

// sound returns what no outcome may say.
func sound(o *solvers.Outcome) error {
	c := o.Certificate
	switch {
	case c.Primal-c.Primal != 0 || c.Dual-c.Dual != 0:
		return fmt.Errorf("numbers that are not finite")
	case o.Status == solvers.Running || o.Status == solvers.Canceled:
		return fmt.Errorf("it has not ended")
	case (o.Status == solvers.Converged) != (c.RelativeGap() <= o.Tol):
		return fmt.Errorf("status and gap do not agree: %v asked for", o.Tol)
	case o.Status == solvers.Converged && c.RelativeGap() < -o.Tol:
		return fmt.Errorf("the dual value is above the primal one by more than %v", o.Tol)
	case o.Passes > 8*Epochs || math.IsNaN(o.Passes):
		return fmt.Errorf("%v passes, %d allowed", o.Passes, Epochs)
	}
	return nil
}
