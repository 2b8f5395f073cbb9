package toprank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// states returns trainings with a state of each: those of the first, that stopped half-way.
func states(t *testing.T) (trainings []resumable[float64], saved [][]byte) {
	t.Helper()
	for _, r := range resumables[float64](t, 12) {
		asked := statetest.Soon(1 << 60)
		if _, err := r.make().Fit(asked, r.c); err != nil {
			t.Fatal(err)
		}
		if state := stopped(t, r, nil, statetest.Soon((1<<60-asked.Left())/2)); state != nil {
			trainings, saved = append(trainings, r), append(saved, state)
		}
	}
	return trainings, saved
}

// TestOtherStates: the state of another training is refused, whatever differs.
func TestOtherStates(t *testing.T) {
	const other = "toprank: a state of another training: "
	const data, settings = other + "of other data", other + "its settings are"
	trainings, saved := states(t)
	for k, r := range trainings {
		refuse := func(what, want string, p Problem[float64], c Config) {
			t.Helper()
			got, err := p.Resume(context.Background(), bytes.NewReader(saved[k]), c)
			if got != nil || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %s, %v", r.name, what, told(got), err)
			}
		}
		for what, change := range map[string]func(p *Problem[float64]){
			"a number": func(p *Problem[float64]) { p.change(t, 6, 2, 1e-9) },
			"a query": func(p *Problem[float64]) {
				if p.Positive[3] = p.Groups != nil; p.Positive[3] {
					p.Groups = slices.Repeat([]int{1}, len(p.Positive))
				}
			},
			"a label": func(p *Problem[float64]) { p.Positive[3] = false },
			"labels":  func(p *Problem[float64]) { p.Positive[0], p.Positive[1] = p.Positive[1], p.Positive[0] },
		} {
			p := r.make()
			p.Positive = slices.Clone(p.Positive)
			change(&p)
			refuse(what, data, p, r.c)
		}
		if p := r.make(); p.Kernel != nil {
			p.Kernel = kernelOf(t, p.Kernel.Features(), kernel.Gaussian{Gamma: .3})
			refuse("gamma", data, p, r.c)
		}
		changed := 0
		for f := range reflect.TypeFor[Config]().Fields() {
			c := r.c
			v := reflect.ValueOf(&c).Elem().FieldByName(f.Name)
			switch f.Name {
			case "Epochs", "Progress", "Checkpoint": // may differ
				continue
			case "Workers": // 0 is all cores, and the same bits for any number of them is no promise
				continue
			case "Method":
				if r.make().Groups != nil {
					continue // TopPush alone
				}
				if c.Method, c.K, c.Tau, c.All = PatMat-c.Method, 0, 0, false; c.Method == TopPush {
					c.K = 2
				}
			case "Loss":
				c.Loss = Hinge - c.Loss
			case "K", "Tau", "All":
				if v.IsZero() {
					continue // of the other method
				}
				if c.All = false; f.Name != "All" {
					c.All, c.K, c.Tau = r.c.All, max(0, r.c.K-1), r.c.Tau*.9
				}
				if r.c.K == 1 {
					c.K = 2
				}
			default:
				switch v.Kind() {
				case reflect.Float64:
					v.SetFloat(v.Float() * 2)
				case reflect.Uint64:
					v.SetUint(v.Uint() + 1)
				default:
					t.Fatalf("Config.%s: a state must refuse another one, or this test say why not", f.Name)
				}
			}
			changed++
			refuse(f.Name, settings, r.make(), c)
		}
		if changed < 6 {
			t.Errorf("%s: %d fields of Config changed", r.name, changed)
		}
		for j, other := range trainings {
			got, err := other.make().Resume(context.Background(), bytes.NewReader(saved[k]), other.c)
			if j != k && (got != nil || err == nil) {
				t.Errorf("the state of %s for %s: %s", r.name, other.name, told(got))
			}
		}
		narrow := resumables[float32](t, 12)[0]
		got, err := narrow.make().Resume(context.Background(), bytes.NewReader(saved[k]), narrow.c)
		if got != nil || err == nil {
			t.Errorf("%s: a state of float64 for float32: %s", r.name, told(got))
		}
	}
}

// change adds v to a number of the examples.
func (p *Problem[T]) change(t testing.TB, i, j int, v T) {
	x := p.X
	if p.Kernel != nil {
		x = p.Kernel.Features()
	}
	n, d := x.Dims()
	a := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}
	x.Gather(a.Matrix, nil)
	if a.Row(i)[j] += v; p.Kernel != nil {
		p.Kernel = kernelOf[T](t, a, p.Kernel.Kernel())
	} else {
		p.X = a
	}
}

// TestDamagedStates: every truncation of a state and every byte that is flipped is an error; and so are numbers that
// make no state where the checksums are right, or training goes on from them to a certificate. Nothing panics.
func TestDamagedStates(t *testing.T) {
	trainings, saved := states(t)
	for k, r := range trainings {
		if testing.Short() && k%3 != 0 {
			continue
		}
		state, p := saved[k], r.make()
		resume := func(state []byte, what string, at int) {
			t.Helper()
			got, err := p.Resume(context.Background(), bytes.NewReader(state), r.c)
			if err == nil || got != nil || !strings.HasPrefix(err.Error(), "toprank: ") {
				t.Fatalf("%s, %s %d of %d bytes: %v, %v", r.name, what, at, len(state), told(got), err)
			}
		}
		step := 31
		if k < 2 && !testing.Short() { // a kernel's and that of features: containers are the same in all others
			step = 3
		}
		for at := k; at < len(state); at += step {
			resume(state[:at], "cut to", at)
			state[at] ^= 1 << (at % 8)
			resume(state, "flipped byte", at)
			state[at] ^= 1 << (at % 8)
		}
		refused := map[string]bool{}
		for _, s := range statetest.Sections(state) {
			if s.Tag == "what" {
				continue
			}
			step := 1
			if s.To-s.From > 40 {
				step = 13 // every place of a byte in a number
			}
			if testing.Short() && s.To-s.From > 40 {
				step = 31
			}
			for at := s.From; at < s.To; at += step {
				for _, v := range []byte{0xff, 0x7f, 0x80} {
					bad := slices.Clone(state)
					bad[at] ^= v
					got, err := unharmed(p, statetest.Sealed(bad), r.c)
					switch {
					case got == nil && err != nil && !errors.Is(err, errPanic):
						refused[s.Tag] = true
					case got == nil || !(got.Certificate.RelativeGap() >= -1e-9):
						t.Errorf("%s: section %q, byte %d ^ %x: %s, %v", r.name, s.Tag, at-s.From, v, told(got), err)
					}
				}
			}
		}
		t.Logf("%s: refused in %v", r.name, refused)
	}
}

var errPanic = errors.New("a panic")

// unharmed resumes for a while; a panic is an error.
func unharmed(p Problem[float64], state []byte, c Config) (r *Result[float64], err error) {
	defer func() {
		if e := recover(); e != nil {
			r, err = nil, fmt.Errorf("%w: %v", errPanic, e)
		}
	}()
	return p.Resume(statetest.Soon(400), bytes.NewReader(state), c)
}
