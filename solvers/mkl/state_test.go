package mkl

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

var update = flag.Bool("update", false, "write the state in testdata anew")

// A state of version 1, which is not written any more, and one of version 2.
const goldenState, goldenState2 = "testdata/state.bin", "testdata/state2.bin"

// small is a problem of small integers, which are the same numbers on every architecture, as is its given kernel.
func small[T vec.Float](t testing.TB) (Problem[T], Config) {
	t.Helper()
	x, k, y := vec.NewMatrix[T](12, 3), vec.NewMatrix[T](12, 12), make([]int, 12)
	for i := range y {
		y[i] = i % 3
		for j := range 3 {
			x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
		}
		x.Row(i)[y[i]]++
		for j := range 12 {
			if j%3 == i%3 || i == j {
				k.Row(i)[j] = .5
			}
		}
		k.Row(i)[i]++
	}
	given, err := kernel.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	b, err := kernel.NewBundle(1<<20,
		kernel.Group[T]{X: &dataset.Dense[T]{Matrix: x}, Kernels: []kernel.Kernel{kernel.Linear{},
			kernel.Polynomial{Degree: 2, Offset: 1}}},
		kernel.Group[T]{Matrix: given})
	if err != nil {
		t.Fatal(err)
	}
	return Problem[T]{Bundle: b, Y: y}, Config{P: 1.25, C: 1. / 4, Tol: 1e-6, Seed: 11}
}

// stopped returns the state of a training, or of the one that goes on from a state, whose context ends.
func stopped[T vec.Float](t testing.TB, from []byte, ctx context.Context) []byte {
	t.Helper()
	p, c := small[T](t)
	var state bytes.Buffer
	c.Checkpoint.Save = func(write func(io.Writer) error) error {
		state.Reset()
		return write(&state)
	}
	var err error
	if from == nil {
		_, err = p.Fit(ctx, c)
	} else {
		_, err = p.Resume(ctx, bytes.NewReader(from), c)
	}
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	return state.Bytes()
}

// TestResume: wherever a training is stopped it goes on to the same bits, from a state in float32 too.
func TestResume(t *testing.T) { prove.Both(t, resume[float32], resume[float64]) }

func resume[T vec.Float](t *testing.T) {
	p, c := small[T](t)
	if prove.Unit[T]() > 1e-10 {
		c.Tol = 1e-4
	}
	want := fit(t, p, c)
	for asked := int64(0); ; asked++ {
		var state bytes.Buffer
		early := c
		early.Epochs = 2000
		early.Checkpoint.Save = func(write func(io.Writer) error) error { state.Reset(); return write(&state) }
		r, err := p.Fit(statetest.Soon(asked), early)
		if err == nil {
			return
		}
		if r == nil {
			t.Fatal(err)
		}
		early.Checkpoint = solvers.Checkpoint{}
		got, err := p.Resume(context.Background(), bytes.NewReader(state.Bytes()), early)
		if err != nil {
			t.Fatalf("asked %d times: %v", asked, err)
		}
		if got.Outcome != want.Outcome || !slices.Equal(got.Duals.Data, want.Duals.Data) ||
			!slices.Equal(got.Eta, want.Eta) || got.Steps != want.Steps || got.Rounds != want.Rounds {
			t.Fatalf("asked %d times: %v, %d steps, want %v, %d", asked, got.Outcome, got.Steps, want.Outcome,
				want.Steps)
		}
	}
}

// TestGoldenState: the state that was written once is read on every architecture: what is written then is the same but
// for the time that it tells, and training goes on to the tolerance.
func TestGoldenState(t *testing.T) {
	if *update {
		for asked := int64(0); ; asked++ {
			state := stopped[float64](t, nil, statetest.Soon(asked))
			if s := statetest.Sections(state); len(s) > 20 && asked > 8 {
				if err := os.WriteFile(goldenState2, state, 0o644); err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	for q, file := range []string{goldenState, goldenState2} {
		state, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if version := statetest.Version(state); version != q+1 {
			t.Errorf("%s: version %d, want %d", file, version, q+1)
		}
		if got := statetest.Differ(state, stopped[float64](t, state, statetest.Soon(0))); got != "" ||
			len(statetest.Steps(state)) < 20 {
			t.Errorf("%s, written and written anew: %s", file, got)
		}
		p, c := small[float64](t)
		r, err := p.Resume(context.Background(), bytes.NewReader(state), c)
		if err != nil || r.Status != solvers.Converged {
			t.Fatal(file, r, err)
		}
		honest(t, p, c, r)
	}
}

// TestOtherStates: the state of another training is refused, whatever differs; where the end has the same bits it is
// not.
func TestOtherStates(t *testing.T) {
	state, err := os.ReadFile(goldenState)
	if err != nil {
		t.Fatal(err)
	}
	refuse := func(what, want string, p Problem[float64], c Config) {
		t.Helper()
		if r, err := p.Resume(context.Background(), bytes.NewReader(state), c); r != nil || err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for f := range reflect.TypeFor[Config]().Fields() {
		p, c := small[float64](t)
		v := reflect.ValueOf(&c).Elem().FieldByName(f.Name)
		want := "a state of another training: its settings are"
		switch f.Name {
		case "Epochs", "Workers", "Progress", "Checkpoint":
			continue
		case "K":
			c.K = 2
		case "Classes":
			c.Classes = 4
		case "P":
			c.P = 1.5
		default:
			switch v.Kind() {
			case reflect.Float64:
				v.SetFloat(2 * v.Float())
			case reflect.Int:
				v.SetInt(v.Int() + 1)
			case reflect.Uint64:
				v.SetUint(v.Uint() + 1)
			default:
				t.Fatalf("a field %s of kind %v", f.Name, v.Kind())
			}
		}
		refuse(f.Name, want, p, c)
	}
	const data = "a state of another training: of other data"
	p, c := small[float64](t)
	p.Y[0], p.Y[1] = p.Y[1], p.Y[0]
	refuse("labels", data, p, c)
	p, c = small[float64](t)
	p.Weights = slices.Repeat([]float64{1}, 12)
	p.Weights[3] = 1.0000001
	refuse("a weight", data, p, c)
	for name, change := range map[string]func(g []kernel.Group[float64]){
		"a number": func(g []kernel.Group[float64]) { g[0].X.(*dataset.Dense[float64]).Row(3)[1] += 1e-9 },
		"a kernel": func(g []kernel.Group[float64]) {
			g[0].Kernels[1] = kernel.Polynomial{Degree: 3, Offset: 1}
		},
		"order":           func(g []kernel.Group[float64]) { g[0], g[1] = g[1], g[0] },
		"a given kernel":  func(g []kernel.Group[float64]) { g[1].Matrix = givenIdentity(t, 12) },
		"kernels swapped": func(g []kernel.Group[float64]) { slices.Reverse(g[0].Kernels) },
	} {
		p, c := small[float64](t)
		groups := p.Bundle.Groups()
		change(groups)
		b, err := kernel.NewBundle(0, groups...)
		if err != nil {
			t.Fatal(err)
		}
		p.Bundle = b
		refuse(name, data, p, c)
	}
}

func givenIdentity(t testing.TB, n int) *kernel.Matrix[float64] {
	k := vec.NewMatrix[float64](n, n)
	for i := range n {
		k.Row(i)[i] = 1
	}
	m, err := kernel.Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSpoiltStates: states with true checksums whose numbers are others do no harm: they are refused, or training goes
// on and ends with a true certificate.
func TestSpoiltStates(t *testing.T) {
	state, err := os.ReadFile(goldenState)
	if err != nil {
		t.Fatal(err)
	}
	p, c := small[float64](t)
	c.Epochs = 50
	for _, s := range statetest.Sections(state) {
		for _, at := range []int{s.From, (s.From + s.To) / 2, s.To - 1} {
			if at >= s.To || at < s.From {
				continue
			}
			for _, with := range []byte{0xff, 0x80, 1} {
				bad := slices.Clone(state)
				bad[at] ^= with
				r, err := p.Resume(context.Background(), bytes.NewReader(statetest.Sealed(bad)), c)
				if err == nil && r != nil {
					honest(t, p, c, r)
				}
			}
		}
		if _, err := p.Resume(context.Background(), bytes.NewReader(state[:s.To]), c); !errors.Is(
			err, solvers.ErrCorrupt) {
			t.Errorf("cut after %q: %v", s.Tag, err)
		}
	}
}
