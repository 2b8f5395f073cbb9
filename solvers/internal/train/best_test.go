package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/container/containertest"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// bumpy is a training whose primal and dual values go up and down, as its table says of each epoch. Certificates are
// due in the epochs that are a multiple of every. Its variables are the number of the epoch, in memory that it uses
// again.
type bumpy struct {
	falling
	primals, duals []float64 // of epoch 0, 1, ...
	offs           [13]float64
	every          int
	ascends, stuck bool
	memory         [2]float64
}

func (b *bumpy) Estimate() solvers.Certificate {
	if b.epoch%b.every == 0 {
		return solvers.Certificate{Primal: math.NaN()}
	}
	return solvers.Certificate{Primal: 1}
}

func (b *bumpy) Epoch(ctx context.Context) (int, bool) {
	epoch, whole := b.falling.Epoch(ctx)
	b.memory = [2]float64{float64(epoch), float64(epoch)}
	return epoch, whole
}

func (b *bumpy) Certify() (solvers.Certificate, error) {
	b.falling.Certify()
	if p := b.primals[b.epoch]; p-p != 0 {
		return solvers.Certificate{}, fmt.Errorf("epoch %d: %w", b.epoch, ErrRounding)
	}
	return solvers.Certificate{Primal: b.primals[b.epoch], Dual: b.duals[b.epoch]}, nil
}

func (b *bumpy) Off() float64 { return b.offs[b.epoch] }

func (b *bumpy) Zero() solvers.Certificate { return solvers.Certificate{Primal: 10} }

func (b *bumpy) PrimalVariables() (Variables[float64], error) {
	return Variables[float64]{Matrices: []vec.Matrix[float64]{vec.MatrixOf(1, 1, b.memory[:1])}}, nil
}

func (b *bumpy) DualVariables() *Variables[float64] {
	if b.ascends {
		return nil
	}
	return &Variables[float64]{Numbers: b.memory[1:]}
}

func (b *bumpy) Fits(primal, dual Variables[float64]) bool {
	return primal.Sized(1, 1) && (dual.None() || len(dual.Numbers) == 1)
}

func (b *bumpy) Reconsider() bool { return !b.stuck }

// newBumpy has 12 epochs, of a pass each. Of its primal values 2 is the least of all, and 3 the least of even epochs.
func newBumpy() *bumpy {
	return &bumpy{
		falling: falling{perEpoch: 100}, every: 2,
		primals: []float64{10, 9, 12, 5, 6, 2, 3, 8, 7, 11, 4, 4, 20},
		duals:   []float64{0, .1, .2, .9, .4, .3, .5, .5, .6, .5, .1, .1, .2},
	}
}

// TestBest: a training ends with the model of the least primal value and the dual variables of the largest dual value
// of its certificates, whichever ones these are, as they were then.
func TestBest(t *testing.T) {
	for name, c := range map[string]struct {
		change         func(b *bumpy, o *Options[float64])
		status         solvers.Status
		want           solvers.Certificate
		primal, dual   int // epochs
		zero, canceled bool
	}{
		"passes over": {nil, solvers.EpochLimit, solvers.Certificate{Primal: 3, Dual: .6}, 6, 8, false, false},
		"ascends": {func(b *bumpy, _ *Options[float64]) { b.ascends = true }, solvers.EpochLimit,
			solvers.Certificate{Primal: 3, Dual: .2}, 6, -1, false, false},
		"an odd last one": {func(_ *bumpy, o *Options[float64]) { o.Epochs = 5 }, solvers.EpochLimit,
			solvers.Certificate{Primal: 2, Dual: .4}, 5, 4, false, false},
		"zero": {func(_ *bumpy, o *Options[float64]) { o.Epochs = 2 }, solvers.EpochLimit,
			solvers.Certificate{Primal: 10, Dual: .2}, 0, 2, true, false},
		"rounding": {func(b *bumpy, _ *Options[float64]) { b.primals[8] = math.NaN() }, solvers.Stalled,
			solvers.Certificate{Primal: 3, Dual: .5}, 6, 6, false, false},
		"rounding at once": {func(b *bumpy, _ *Options[float64]) { b.primals[2] = math.NaN() }, solvers.Stalled,
			solvers.Certificate{Primal: 10}, 0, 0, true, false},
		"a doubtful dual value": {func(b *bumpy, o *Options[float64]) {
			o.Tol, b.duals[2], b.offs[2] = .25, 3.5, 4
		}, solvers.EpochLimit, solvers.Certificate{Primal: 3, Dual: .6}, 6, 8, false, false},
		"a doubtful dual value at once": {func(b *bumpy, o *Options[float64]) {
			o.Tol, b.duals[6], b.offs[6], b.primals[6] = .25, 5.5, 4, 20
		}, solvers.EpochLimit, solvers.Certificate{Primal: 4, Dual: .6}, 10, 8, false, false},
		"a doubtful primal value": {func(b *bumpy, o *Options[float64]) {
			o.Tol, b.primals[4], b.offs[4], b.duals[8] = .25, 1, 5, .9
		}, solvers.EpochLimit, solvers.Certificate{Primal: 4, Dual: .9}, 10, 8, false, false},
		"doubtful at last": {func(b *bumpy, o *Options[float64]) {
			o.Tol, o.Epochs, b.duals[4], b.duals[5], b.offs[5] = .25, 5, 1, 5.5, 6
		}, solvers.EpochLimit, solvers.Certificate{Primal: 6, Dual: 1}, 4, 4, false, false},
		"stuck": {func(b *bumpy, _ *Options[float64]) { b.stuck = true }, solvers.Stalled,
			solvers.Certificate{Primal: 10, Dual: .2}, 0, 2, true, false},
		"converged": {func(b *bumpy, o *Options[float64]) { b.duals[10], o.Tol = 3, .25 }, solvers.Converged,
			solvers.Certificate{Primal: 3, Dual: 3}, 6, 10, false, false},
		"canceled": {func(b *bumpy, o *Options[float64]) {
			o.Progress = func(p solvers.Progress) {
				if p.Epoch == 5 {
					b.broken = context.Canceled
				}
			}
		}, solvers.Canceled, solvers.Certificate{Primal: 2, Dual: .4}, 5, 4, false, true},
	} {
		m, o := newBumpy(), options()
		o.Epochs = 12
		if c.change != nil {
			c.change(m, &o)
		}
		ctx, cancel := context.WithCancel(context.Background())
		if told := o.Progress; told != nil {
			o.Progress = func(p solvers.Progress) {
				if told(p); m.broken != nil {
					cancel()
				}
			}
		}
		got, err := Run(ctx, m, o, &Clock[float64]{})
		cancel()
		if (err != nil) != c.canceled || got.Status != c.status || got.Certificate != c.want ||
			got.ModelEpoch != c.primal || got.ZeroModel != c.zero {
			t.Errorf("%s: %v, %v, model of epoch %d", name, got.Outcome, err, got.ModelEpoch)
		}
		if c.zero != got.Primal.None() || !c.zero && got.Primal.Matrices[0].Data[0] != float64(c.primal) {
			t.Errorf("%s: model %v, want epoch %d's", name, got.Primal, c.primal)
		}
		if c.dual > 0 && (len(got.Dual.Numbers) != 1 || got.Dual.Numbers[0] != float64(c.dual)) || c.dual <= 0 &&
			!got.Dual.None() {
			t.Errorf("%s: dual variables %v, want epoch %d's", name, got.Dual, c.dual)
		}
	}
}

// TestStops: a training that is stopped and resumed at each epoch ends no worse from stop to stop, and where it
// converges as one that never stopped, although its stops have found better models; all states but for what they found
// are the states of the one that never stopped.
func TestStops(t *testing.T) {
	o := options()
	o.Tol, o.Epochs = .5, 1000
	start := func() *bumpy {
		m := newBumpy()
		m.duals[12], m.primals[12] = 3, 4 // ends as converged, with the model of epoch 6
		return m
	}
	want, err := Run(context.Background(), start(), o, &Clock[float64]{})
	if err != nil || want.Status != solvers.Converged || want.ModelEpoch != 6 {
		t.Fatal(want.Outcome, err)
	}
	var state []byte
	last := solvers.Certificate{Primal: 10}
	for stop := 0; ; stop++ {
		m, clock, now := start(), Clock[float64]{}, o
		if state != nil {
			if err := Resume(bytes.NewReader(state), identity(), &clock, m); err != nil {
				t.Fatal(err)
			}
		}
		saves := [][]byte{}
		now.Checkpoint.Save = func(write func(io.Writer) error) error {
			var b bytes.Buffer
			err := write(&b)
			saves = append(saves, b.Bytes())
			return err
		}
		ctx := statetest.Soon(1)
		got, err := Run(ctx, m, now, &clock)
		if err == nil {
			if stop < 11 || got.Outcome != want.Outcome || got.Primal.Matrices[0].Data[0] != 6 {
				t.Errorf("after %d stops %v, model %v, want %v", stop, got.Outcome, got.Primal, want.Outcome)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || got.Certificate.Primal > last.Primal ||
			got.Certificate.Dual < last.Dual {
			t.Fatalf("stop %d: %v, %v, before %v", stop, got.Outcome, err, last)
		}
		if least := slices.Min(m.primals[:m.epoch+1]); got.Certificate.Primal != least {
			t.Errorf("stop %d: %v, want %v", stop, got.Outcome, least)
		}
		for _, s := range saves[1:] {
			if d := statetest.Differ(saves[0], s); d != "" {
				t.Errorf("stop %d: saved again with %s", stop, d)
			}
		}
		last, state = got.Certificate, saves[len(saves)-1]
	}
}

// TestBestInStates: numbers of a best model that are changed, or another problem's, make a state corrupt.
func TestBestInStates(t *testing.T) {
	var state []byte
	count := 0
	o := options()
	o.Epochs, o.Checkpoint = 9, saving(1, &state, &count)
	if _, err := Run(context.Background(), newBumpy(), o, &Clock[float64]{}); err != nil {
		t.Fatal(err)
	}
	resume := func(state []byte) error {
		return Resume(bytes.NewReader(state), identity(), &Clock[float64]{}, newBumpy())
	}
	if err := resume(state); err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, s := range statetest.Sections(state) {
		for at := s.From; at < s.To && slices.Contains([]string{"best", "vars", "seal"}, s.Tag); at++ {
			bad := slices.Clone(state)
			bad[at] ^= 1
			changed++
			if err := resume(containertest.Sealed(bad)); !errors.Is(err, container.ErrCorrupt) {
				t.Errorf("section %q, byte %d: %v", s.Tag, at-s.From, err)
			}
		}
	}
	if changed < 100 {
		t.Errorf("%d bytes", changed)
	}
	other := identity()
	other.Data = func() []byte { return []byte("other") }
	if err := Resume(bytes.NewReader(state), other, &Clock[float64]{}, newBumpy()); err == nil ||
		!strings.Contains(err.Error(), "other data") {
		t.Error(err)
	}
}

// TestBestRefused: a best model that does not fit, or whose values are not finite, makes a state corrupt, whichever of
// both it is.
func TestBestRefused(t *testing.T) {
	vars := func(n int) Variables[float64] {
		return Variables[float64]{Matrices: []vec.Matrix[float64]{vec.NewMatrix[float64](n, 1)}}
	}
	for name, c := range map[string]struct {
		primal float64
		rows   int
		sound  bool
	}{
		"sound": {2, 1, true}, "NaN": {math.NaN(), 1, false}, "+Inf": {math.Inf(1), 1, false}, "2 rows": {2, 2, false},
	} {
		b := best[float64]{primal: side[float64]{value: c.primal, vars: vars(c.rows)}}
		var file bytes.Buffer
		w := container.NewWriter(&file, "test", 1)
		b.save(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := container.Open(&file)
		if err != nil {
			t.Fatal(err)
		}
		var again best[float64]
		again.load(r, newBumpy())
		if err := r.Close(); c.sound != (err == nil) || !c.sound && !errors.Is(err, container.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBestOr: of equal values the first one's variables are taken, of others the better one's.
func TestBestOr(t *testing.T) {
	of := func(primal, dual float64, epoch int) best[float64] {
		return best[float64]{true, side[float64]{value: primal, epoch: epoch}, side[float64]{value: dual, epoch: epoch}}
	}
	for _, c := range []struct {
		other        best[float64]
		primal, dual int // epochs of what is returned
	}{
		{of(5, 2, 2), 1, 1}, {of(4, 2, 2), 2, 1}, {of(5, 3, 2), 1, 2}, {of(6, 1, 2), 1, 1}, {of(4, 3, 2), 2, 2},
	} {
		if got := of(5, 2, 1).or(c.other); got.primal.epoch != c.primal || got.dual.epoch != c.dual {
			t.Errorf("epochs %d and %d, want %d and %d", got.primal.epoch, got.dual.epoch, c.primal, c.dual)
		}
	}
}
