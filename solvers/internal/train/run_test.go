package train

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// falling is a training whose gap falls by a factor in each epoch down to some least one, and whose estimates are off
// by another. Its dual value ends at end.
type falling struct {
	gap, factor, least, off, end float64
	epoch, perEpoch              int
	certified, reconsidered      int
	broken                       error
}

func (f *falling) Epoch(ctx context.Context) (int, bool) {
	if ctx.Err() != nil {
		return f.epoch, false
	}
	f.epoch++
	f.gap = max(f.least, f.gap*f.factor)
	return f.epoch, true
}

func (f *falling) Visits() (int, int) { return f.epoch * f.perEpoch, 100 }

func (f *falling) Estimate() solvers.Certificate {
	return solvers.Certificate{Primal: f.end + f.off*f.gap/2, Dual: f.end - f.off*f.gap/2}
}

func (f *falling) Certify() (solvers.Certificate, error) {
	f.certified++
	return solvers.Certificate{Primal: f.end + f.gap/2, Dual: f.end - f.gap/2}, f.broken
}

func (f *falling) Off() float64 { return 0 }

func (f *falling) Reconsider() bool {
	f.reconsidered++
	return true
}

// Zero is far above all that an epoch comes to.
func (f *falling) Zero() solvers.Certificate {
	return solvers.Certificate{Primal: f.end + 1e6, Dual: f.end - 1e6}
}

// PrimalVariables are the gap.
func (f *falling) PrimalVariables() (Variables[float64], error) {
	return Variables[float64]{Matrices: []vec.Matrix[float64]{vec.MatrixOf(1, 1, []float64{f.gap})}}, nil
}

func (f *falling) DualVariables() *Variables[float64] { return nil }

func (f *falling) Partial() bool { return false }

func (f *falling) Fits(primal, dual Variables[float64]) bool {
	return primal.Sized(1, 1) && dual.None()
}

func (f *falling) Save(w *container.Writer) {
	w.Ints("epch", f.epoch)
	container.Floats(w, "gap", []float64{f.gap})
}

func (f *falling) Load(r *container.Reader) {
	epoch, gap := r.Ints("epch", 1), container.ReadFloats[float64](r, "gap", 1)
	if r.Err() == nil {
		f.epoch, f.gap = epoch[0], gap[0]
	}
}

func options() Options[float64] {
	return Options[float64]{Options: solvers.Options{Tol: 1e-3, Epochs: 1000}, Identity: identity()}
}

func identity() Identity {
	return Identity{Family: "test", Settings: "some", Data: func() []byte { return []byte("data") }}
}

// TestRun: training ends with the first certificate that is good enough, whatever the sign of the dual value, and
// certificates are computed where the estimate says that they may be.
func TestRun(t *testing.T) {
	for name, end := range map[string]float64{"positive": 2, "negative": -45.8, "from below 0 to above": .01} {
		m := &falling{gap: 8, factor: .8, off: 1, end: end, perEpoch: 100}
		o, told := options(), []solvers.Progress{}
		o.Progress = func(p solvers.Progress) { told = append(told, p) }
		got, err := Run(context.Background(), m, o, &Clock[float64]{})
		if err != nil || got.Status != solvers.Converged || got.Certificate.RelativeGap() > 1e-3 || got.Tol != 1e-3 {
			t.Fatalf("%s: %v, %v", name, got, err)
		}
		if m.certified != 1 || m.reconsidered != 0 || got.Epochs != m.epoch || got.Visits != 100*m.epoch {
			t.Errorf("%s: %d certificates, %d times reconsidered, %+v", name, m.certified, m.reconsidered, got)
		}
		for i, p := range told {
			if p.Epoch != i+1 || p.Certified != (i == len(told)-1) {
				t.Errorf("%s: epoch %d told as %+v", name, i+1, p)
			}
		}
		if last := told[len(told)-1]; last.Certificate != got.Certificate {
			t.Errorf("%s: told %v, ends with %v", name, last, got)
		}
	}
}

// TestEstimates: one that is too good costs certificates, each time asking for less; one that is too bad does not keep
// training from its end for ever.
func TestEstimates(t *testing.T) {
	m := &falling{gap: 1, factor: .9, off: .5, end: 1, perEpoch: 100}
	got, err := Run(context.Background(), m, options(), &Clock[float64]{})
	if err != nil || got.Status != solvers.Converged || m.certified < 2 || m.reconsidered != m.certified-1 {
		t.Errorf("too good by half: %v, %v, %d certificates, reconsidered %d times", got, err, m.certified,
			m.reconsidered)
	}
	m = &falling{gap: 1, factor: .9, off: 1e6, least: 1e-4, end: 1, perEpoch: 100}
	got, err = Run(context.Background(), m, options(), &Clock[float64]{})
	// .9^66 < 1e-3, and a certificate follows after at most as many epochs without a fall of the estimate as patience
	// says.
	if err != nil || got.Status != solvers.Converged || got.Epochs > 66+patience ||
		m.certified > 1+got.Epochs/patience {
		t.Errorf("too bad: %v, %v, %d certificates", got, err, m.certified)
	}
	m = &falling{gap: 1, factor: .9, off: math.NaN(), end: 1, perEpoch: 100}
	if got, err = Run(context.Background(), m, options(), &Clock[float64]{}); err != nil || m.certified != got.Epochs {
		t.Errorf("NaN: %v, %v, %d certificates", got, err, m.certified)
	}
}

// TestEnds: a training without progress is stalled, not before half of its epochs and the longest rest were in vain;
// one that runs out of visits says so, and one with numbers that are none has no outcome.
func TestEnds(t *testing.T) {
	for _, end := range []float64{1, -45.8} {
		m := &falling{gap: 1, factor: .5, off: 1, least: .01 * math.Abs(end), end: end, perEpoch: 1}
		got, err := Run(context.Background(), m, options(), &Clock[float64]{})
		if err != nil || got.Status != solvers.Stalled || m.epoch < 2*8 || m.epoch > 1000 {
			t.Errorf("%v, %v", got, err)
		}
	}
	m := &falling{gap: 1, factor: .99999, off: 1, end: 1, perEpoch: 30}
	o := options()
	o.Epochs = 5
	if got, err := Run(context.Background(), m, o, &Clock[float64]{}); err != nil || got.Status != solvers.EpochLimit ||
		got.Epochs != 17 || m.certified != 1 {
		t.Errorf("%v, %v: 30 visits an epoch, 5 passes over 100 examples", got, err)
	}
	m = &falling{gap: 1, factor: .5, off: 1, end: 1, perEpoch: 1, broken: errors.New("outgrown")}
	if got, err := Run(context.Background(), m, options(), &Clock[float64]{}); !errors.Is(err, m.broken) ||
		got.Status != solvers.Running {
		t.Errorf("%v, %v", got, err)
	}
}

// saving is a checkpoint that keeps the last state.
func saving(every int, last *[]byte, count *int) solvers.Checkpoint {
	return solvers.Checkpoint{Every: 1, Save: func(write func(io.Writer) error) error {
		if *count++; *count%every > 0 {
			return write(io.Discard)
		}
		var b bytes.Buffer
		err := write(&b)
		*last = b.Bytes()
		return err
	}}
}

// TestResume: Run goes on with the clock and the state as they were, to the same end with the same certificates.
func TestResume(t *testing.T) {
	start := func() *falling { return &falling{gap: 1, factor: .9, off: .5, end: -3, perEpoch: 100} }
	whole := start()
	want, err := Run(context.Background(), whole, options(), &Clock[float64]{})
	if err != nil {
		t.Fatal(err)
	}
	for every := 1; every < want.Epochs; every++ {
		var state []byte
		count := 0
		o := options()
		o.Checkpoint = saving(every, &state, &count)
		if _, err := Run(context.Background(), start(), o, &Clock[float64]{}); err != nil {
			t.Fatal(err)
		}
		m, clock := start(), Clock[float64]{}
		if err := Resume(bytes.NewReader(state), identity(), &clock, m); err != nil {
			t.Fatal(err)
		}
		if m.epoch != count/every*every {
			t.Errorf("the last of every %d states is of epoch %d, of %d", every, m.epoch, count)
		}
		if got, err := Run(context.Background(), m, options(), &clock); err != nil || got.Outcome != want.Outcome ||
			!reflect.DeepEqual(got.Primal, want.Primal) {
			t.Errorf("from epoch %d %v, %v, want %v", m.epoch, got, err, want)
		}
	}
}

// TestOther: the state of another family, configuration or data is refused in words, as is what is no state.
func TestOther(t *testing.T) {
	var state []byte
	count := 0
	o := options()
	o.Checkpoint = saving(1, &state, &count)
	if _, err := Run(context.Background(), &falling{gap: 1, factor: .5, off: 1, end: 1, perEpoch: 1}, o,
		&Clock[float64]{}); err != nil {
		t.Fatal(err)
	}
	file := func(kind string, version int, write func(w *container.Writer)) []byte {
		var b bytes.Buffer
		w := container.NewWriter(&b, kind, version)
		write(w)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	clock := func(epochs []int, floats []float64) []byte {
		return file("state", 1, func(w *container.Writer) {
			w.Strings("what", []string{"test", "some"})
			w.Bytes("data", []byte("data"))
			w.Ints("clck", epochs...)
			container.Floats(w, "clck", floats)
			(&falling{}).Save(w)
		})
	}
	good := []float64{1, 1, 1, 1, 5}
	for _, c := range []struct {
		want   string
		state  []byte
		change func(id *Identity)
	}{
		{"", state, nil},
		{`want "best"`, clock([]int{1, 2, 3}, good), nil},
		{"of test, want one of other", state, func(id *Identity) { id.Family = "other" }},
		{"its settings are\nsome\nbut those given are\nothers", state, func(id *Identity) { id.Settings = "others" }},
		{"a state of another training: of other data", state,
			func(id *Identity) { id.Data = func() []byte { return []byte("Data") } }},
		{`"model"`, file("model", 1, func(*container.Writer) {}), nil},
		{"version 3", file("state", 3, func(*container.Writer) {}), nil},
		{"corrupt", nil, nil}, {"corrupt", state[:len(state)/2], nil},
		{"a clock of [-1 2 3]", clock([]int{-1, 2, 3}, good), nil},
		{"a clock of [1 -2 3]", clock([]int{1, -2, 3}, good), nil},
		{"a clock of [1 2 -3]", clock([]int{1, 2, -3}, good), nil},
		{"a clock of", clock([]int{math.MaxInt32, 2, 3}, good), nil},
		{"a clock of", clock([]int{1, 2, 3}, []float64{1, 1, 1, 1, -1}), nil},
		{"a clock of", clock([]int{1, 2, 3}, []float64{1, 1, 1, 1, math.NaN()}), nil},
		{"a clock of", clock([]int{1, 2, 3}, []float64{1, 1, 1, 1, 1e300}), nil},
	} {
		id := identity()
		if c.change != nil {
			c.change(&id)
		}
		err := Resume(bytes.NewReader(c.state), id, &Clock[float64]{}, &falling{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestCanceled: the end of a context saves the state before the certificate, which still comes, and what that found
// after it; a checkpoint that fails ends a training too.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	m := &falling{gap: 1, factor: .9, off: 1, end: 1, perEpoch: 100}
	o, saved := options(), 0
	o.Progress = func(p solvers.Progress) {
		if p.Epoch == 3 {
			cancel()
		}
	}
	o.Checkpoint.Save = func(write func(io.Writer) error) error {
		if m.certified != saved {
			t.Errorf("state %d is saved after %d certificates", saved, m.certified)
		}
		saved++
		return write(io.Discard)
	}
	got, err := Run(ctx, m, o, &Clock[float64]{})
	if !errors.Is(err, context.Canceled) || got.Status != solvers.Canceled || got.Epochs != 3 || saved != 2 ||
		m.certified != 1 {
		t.Errorf("%v, %v: saved %d times, %d certificates", got, err, saved, m.certified)
	}
	full := errors.New("disk full")
	o = options()
	o.Checkpoint = solvers.Checkpoint{Every: 1, Save: func(func(io.Writer) error) error { return full }}
	m = &falling{gap: 1, factor: .9, off: 1, end: 1, perEpoch: 100}
	if got, err := Run(context.Background(), m, o, &Clock[float64]{}); !errors.Is(err, full) ||
		got.Status != solvers.Canceled || got.Epochs != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// even is a training whose estimated gap is 2^-10, and whose certified gap is four times as much.
type even struct{ falling }

func (*even) Estimate() solvers.Certificate { return solvers.Certificate{Primal: 1, Dual: 1 - 0x1p-10} }

// TestEstimateEven: a certificate is due where the estimated gap is just the one that is asked for; where the certified
// gap is larger, the next one is due at a smaller estimate, or when patience is over, and not at every epoch.
func TestEstimateEven(t *testing.T) {
	m := &even{falling{gap: 0x1p-8, factor: 1, end: 1, perEpoch: 100}}
	o := options()
	o.Tol, o.Epochs = math.Nextafter(0x1p-10/.95, 1), 10
	if ask := .95 * o.Tol; ask != 0x1p-10 {
		t.Fatalf("a certificate is due at %v, want %v", ask, 0x1p-10)
	}
	got, err := Run(context.Background(), m, o, &Clock[float64]{})
	if err != nil || got.Status != solvers.EpochLimit || m.certified != 2 || m.reconsidered != 1 {
		t.Errorf("%v, %v: %d certificates, want one at the first epoch and one at the end", got, err, m.certified)
	}
}
