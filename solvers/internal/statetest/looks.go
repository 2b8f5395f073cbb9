package statetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// Looks is a context that counts how often it is looked at, by Err and by Done, and ends at one of these looks.
type Looks struct {
	context.Context
	mutex sync.Mutex
	end   int // the look at which it ends; 0: at none
	count int
	holds []int // those that were Done
	done  chan struct{}

	waits bool // the last look was by Err
	// that were asked for since the last look, and of all that the end of the context waits for: see Most
	rows, most int
}

// EndAt returns a context that ends at the given look, counted from 1.
func EndAt(look int) *Looks {
	return &Looks{Context: context.Background(), end: look, done: make(chan struct{})}
}

// Count returns how often it was looked at.
func (l *Looks) Count() int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.count
}

// look counts, and reports whether the context has ended.
func (l *Looks) look(hold bool) (ended bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.waits {
		l.most = max(l.most, l.rows)
	}
	l.waits, l.rows = !hold, 0
	if l.count++; l.count == l.end {
		close(l.done)
	}
	if hold {
		l.holds = append(l.holds, l.count)
	}
	return l.end > 0 && l.count >= l.end
}

// Err looks.
func (l *Looks) Err() error {
	if l.look(false) {
		return context.Canceled
	}
	return nil
}

// Done looks.
func (l *Looks) Done() <-chan struct{} {
	l.look(true)
	return l.done
}

// Anywhere ends the context of a training at each of its looks, or at a number of them, evenly, and likewise at each
// look by Done, which is before work that takes long: a state is saved then, and a training that goes on from the first
// state, or from the last one, has the end of one that never stopped. So has one whose passes are over, 1, 2, 3 and so
// on, and that goes on with more of them. train trains as told, and returns what is to be the same. Anywhere returns
// how many looks are by Done.
func Anywhere(t *testing.T, name string, most int, train func(context.Context, Stop) (end string, o *solvers.Outcome,
	err error)) (holds int) {
	t.Helper()
	run := func(ctx context.Context, epochs int, from []byte) (end string, o *solvers.Outcome, states [][]byte) {
		t.Helper()
		stop := Stop{Epochs: epochs, Checkpoint: solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
			var b bytes.Buffer
			err := write(&b)
			states = append(states, b.Bytes())
			return err
		}}}
		if from != nil {
			stop.State = bytes.NewReader(from)
		}
		end, o, err := train(ctx, stop)
		switch {
		case o == nil || err != nil && !errors.Is(err, context.Canceled):
			t.Fatalf("%s: %v, %v", name, o, err)
		case err != nil && len(states) == 0:
			t.Fatalf("%s: %v, without a state", name, o)
		}
		return end, o, states
	}
	all := EndAt(0)
	want, _, _ := run(all, epochs, nil)
	goesOn := func(from []byte) (end string, same bool) {
		t.Helper()
		end, _, _ = run(context.Background(), epochs, from)
		return end, end == want
	}
	var looks []int
	for q := 0; q < len(all.holds); q += 1 + len(all.holds)/most {
		looks = append(looks, all.holds[q])
	}
	tried := 0
	for k := 1; k <= all.count; k += 1 + all.count/most {
		looks = append(looks, k)
	}
	for _, k := range looks {
		_, _, states := run(EndAt(k), epochs, nil) // its own end may have a better certificate
		for q, state := range states {
			if q > 0 && q < len(states)-1 {
				continue
			}
			tried++
			if end, same := goesOn(state); !same {
				t.Errorf("%s, ended at look %d of %d, from state %d of %d: %s, want %s", name, k, all.count, q,
					len(states), end, want)
			}
		}
	}
	if tried < len(looks)-len(looks)/8 { // at some the training may come to its end before a state is saved
		t.Errorf("%s: %d states of %d looks", name, tried, len(looks))
	}
	for passes := 1; passes <= most; passes++ {
		_, o, states := run(context.Background(), passes, nil)
		if o.Status != solvers.EpochLimit {
			break
		}
		for q, state := range states {
			if end, same := goesOn(state); !same {
				t.Errorf("%s, after %d passes, from state %d of %d: %s, want %s", name, passes, q, len(states), end,
					want)
			}
		}
	}
	return len(all.holds)
}

// epochs is a number of passes that no training needs.
const epochs = 1 << 20

// End tells the outcome of a training and a hash of numbers, to the bit.
func End(o solvers.Outcome, numbers ...any) string {
	return fmt.Sprintf("%+v, numbers %08x", o, crc32.ChecksumIEEE(fmt.Append(nil, numbers...)))
}
