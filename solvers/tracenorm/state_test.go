package tracenorm

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

var update = flag.Bool("update", false, "write the state in testdata anew")

// golden are the files with states: of version 1, which is not written any more, and of version 2.
var golden = [2]string{"testdata/state.bin", "testdata/state2.bin"}

// small is a problem of small numbers that are exact in float32, the same on every architecture: the state in testdata
// is of its training. Sums are rounded in another order there, but a state that was written once is read everywhere.
func small[T vec.Float]() resumable[T] {
	x, y := vec.NewMatrix[T](9, 4), make([]int, 9)
	for i := range y {
		for j := range 4 {
			x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
		}
		x.Row(i)[i%3] += 2
		y[i] = i % 3
	}
	return resumable[T]{"small", func(testing.TB) Problem[T] {
		return Problem[T]{X: &dataset.Dense[T]{Matrix: x}, Y: slices.Clone(y)}
	}, Config{Lambda1: .02, Lambda2: .005, Bias: 1, Rank: 2, Tol: 1e-4, Epochs: 100, Seed: 11, Workers: 1}}
}

// TestGoldenState: a state that was written once is read on every architecture: the one that is written then is the
// same but for the time that it tells, and training goes on to the tolerance.
func TestGoldenState(t *testing.T) {
	r := small[float64]()
	if *update {
		if err := os.WriteFile(golden[1], stopped(t, r, nil, statetest.Soon(4)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for q, file := range golden {
		state, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if version := statetest.Version(state); version != q+1 {
			t.Errorf("%s: version %d, want %d", file, version, q+1)
		}
		if got := statetest.Differ(state, stopped(t, r, state, statetest.Soon(0))); got != "" ||
			len(statetest.Steps(state)) < 15 {
			t.Errorf("%s, written and written anew: %s", file, got)
		}
		got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), r.c)
		if err != nil || got.Status != solvers.Converged || got.Epochs < 5 {
			t.Fatalf("%s: %s, %v", file, told(got), err)
		}
		honest(t, file, r.make(t), r.c, got)
	}
}

// TestOtherStates: the state of another training is refused, whatever differs.
func TestOtherStates(t *testing.T) {
	const other = "tracenorm: a state of another training: "
	const data, settings = other + "of other data", other + "its settings are"
	r := small[float64]()
	state := stopped(t, r, nil, statetest.Soon(4))
	refuse := func(what, want string, p Problem[float64], c Config) {
		t.Helper()
		got, err := p.Resume(context.Background(), bytes.NewReader(state), c)
		if got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", what, told(got), err)
		}
	}
	for what, change := range map[string]func(p *Problem[float64]){
		"a number": func(p *Problem[float64]) {
			x := p.X.(*dataset.Dense[float64])
			m := vec.MatrixOf(9, 4, slices.Clone(x.Data))
			m.Row(6)[2] += 1e-9
			p.X = &dataset.Dense[float64]{Matrix: m}
		},
		"a label": func(p *Problem[float64]) { p.Y[5] = 0 },
		"labels":  func(p *Problem[float64]) { p.Y[0], p.Y[1] = p.Y[1], p.Y[0] },
		"weights": func(p *Problem[float64]) { p.Weights = []float64{1, 1, 1, 1, 1, 1, 1, 1, 1.0000001} },
	} {
		p := r.make(t)
		change(&p)
		refuse(what, data, p, r.c)
	}
	changed := 0
	for f := range reflect.TypeFor[Config]().Fields() {
		c, want := r.c, settings
		v := reflect.ValueOf(&c).Elem().FieldByName(f.Name)
		switch f.Name {
		case "Epochs", "Progress", "Checkpoint": // may differ
			continue
		case "Classes":
			c.Classes, want = 4, data
		default:
			switch v.Kind() {
			case reflect.Float64:
				v.SetFloat(v.Float() * 2)
			case reflect.Int:
				v.SetInt(v.Int() + 1)
			case reflect.Uint64:
				v.SetUint(v.Uint() + 1)
			case reflect.Bool:
				v.SetBool(!v.Bool())
			default:
				t.Fatalf("Config.%s: a state must refuse another one, or this test say why not", f.Name)
			}
		}
		changed++
		refuse(f.Name, want, r.make(t), c)
	}
	if changed < 9 {
		t.Errorf("%d fields of Config changed", changed)
	}
	narrow := small[float32]()
	got, err := narrow.make(t).Resume(context.Background(), bytes.NewReader(state), narrow.c)
	if got != nil || err == nil {
		t.Errorf("a state of float64 for float32: %s", told(got))
	}
	c := r.c
	c.Epochs, c.Progress = 50, func(solvers.Progress) {}
	if got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), c); err != nil ||
		got.Status != solvers.Converged {
		t.Errorf("other Epochs and Progress: %s, %v", told(got), err)
	}
}

// TestDamagedStates: every truncation of a state and every byte that is flipped is an error; and so are numbers that
// make no state where the checksums are right, or training goes on from them to a true certificate. Nothing panics.
func TestDamagedStates(t *testing.T) {
	r := small[float64]()
	for _, left := range []int64{1, 4} {
		state, p := stopped(t, r, nil, statetest.Soon(left)), r.make(t)
		resume := func(state []byte, what string, at int) {
			t.Helper()
			got, err := p.Resume(context.Background(), bytes.NewReader(state), r.c)
			if err == nil || got != nil || !strings.HasPrefix(err.Error(), "tracenorm: ") {
				t.Fatalf("%s %d of %d bytes: %s, %v", what, at, len(state), told(got), err)
			}
		}
		step := 7
		if testing.Short() {
			step = 31
		}
		for at := 0; at < len(state); at += step {
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
			for at := s.From; at < s.To; at++ {
				if place := (at - s.From) % 8; testing.Short() && place < 6 {
					continue // the bytes that change a number least
				}
				for _, v := range []byte{0xff, 0x7f, 0x80, 1} {
					bad := slices.Clone(state)
					bad[at] ^= v
					got, err := unharmed(p, statetest.Sealed(bad), r.c)
					switch {
					case errors.Is(err, errPanic) || got == nil && err == nil:
						t.Errorf("section %q, byte %d ^ %x: %v", s.Tag, at-s.From, v, err)
					case got == nil:
						refused[s.Tag] = true
					default:
						honest(t, fmt.Sprintf("section %q, byte %d ^ %x", s.Tag, at-s.From, v), p, r.c, got)
					}
				}
			}
		}
		t.Logf("refused in %v", refused)
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
	return p.Resume(statetest.Soon(40), bytes.NewReader(state), c)
}
