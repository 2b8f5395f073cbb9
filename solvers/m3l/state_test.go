package m3l

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

var update = flag.Bool("update", false, "write the states in testdata anew")

// small are small problems of small integers, which are the same numbers on every architecture: the states in testdata
// are of their trainings. With R a label's step is a quotient: sums of it are rounded in another order where Go or a
// kernel fuses, but a state that was written once is read everywhere.
func small[T vec.Float](t testing.TB) map[string]resumable[T] {
	numbers := func() (*dataset.Dense[T], [][]int) {
		x, sets := vec.NewMatrix[T](9, 4), make([][]int, 9)
		for i := range sets {
			for j := range 4 {
				x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
			}
			x.Row(i)[i%3] += 2
			if sets[i] = []int{i % 3}; i%4 == 0 {
				sets[i] = append(sets[i], (i+1)%3)
			}
		}
		return &dataset.Dense[T]{Matrix: x}, sets
	}
	prior := func() vec.Matrix[float64] { return vec.MatrixOf(3, 3, []float64{2, 1, -1, 1, 2, 0, -1, 0, 1}) }
	linear := func(t testing.TB) Problem[T] {
		x, sets := numbers()
		return Problem[T]{X: x, Sets: sets, R: prior()}
	}
	kernelized := func(t testing.TB) Problem[T] {
		x, sets := numbers()
		return Problem[T]{Kernel: kernelOf[T](t, x, kernel.Polynomial{Degree: 2, Offset: 1}), Sets: sets, R: prior()}
	}
	groups := func(t testing.TB) Problem[T] {
		x, sets := numbers()
		for i := range x.Data {
			if i%3 > 0 {
				x.Data[i] = 0
			}
		}
		sparse, err := x.CSR()
		if err != nil {
			t.Fatal(err)
		}
		return Problem[T]{X: sparse, Sets: sets}
	}
	c := Config{C: .5, Tol: 1e-4, Epochs: 100, Seed: 11, Workers: 1, BlockSize: 1}
	flat := c
	flat.C = 1. / 64 // products of the polynomial are large
	return map[string]resumable[T]{
		"linear": {"linear", linear, c}, "kernel": {"kernel", kernelized, flat},
		"groups": {"groups", groups, Config{C: .5, Tol: 1e-4, Epochs: 100, Labels: 20, Workers: 1}},
	}
}

// golden names the files with the states of a training, of version 1, which is not written any more, and of version 2.
func golden(name string) [2]string {
	return [2]string{filepath.Join("testdata", "state-"+name+".bin"), filepath.Join("testdata", "state2-"+name+".bin")}
}

// readGolden returns the state of version 1 of the training of that name, stopped within its third epoch.
func readGolden(t testing.TB, name string) []byte { return read(t, golden(name)[0]) }

func read(t testing.TB, file string) []byte {
	t.Helper()
	state, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// TestGoldenStates: states that were written once are read on every architecture: the one that is written then is the
// same but for the time that it tells, and training goes on to the tolerance.
func TestGoldenStates(t *testing.T) {
	for name, r := range small[float64](t) {
		if *update {
			questions := int64(0)
			for epochOf(t, stopped(t, r, nil, statetest.Soon(questions))) < 3 {
				questions++
			}
			state := stopped(t, r, nil, statetest.Soon(questions+2)) // within the epoch
			if err := os.WriteFile(golden(name)[1], state, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for q, file := range golden(name) {
			state := read(t, file)
			if version := statetest.Version(state); version != q+1 {
				t.Errorf("%s: version %d, want %d", file, version, q+1)
			}
			if got := statetest.Differ(state, stopped(t, r, state, statetest.Soon(0))); got != "" ||
				len(statetest.Steps(state)) < 15 {
				t.Errorf("%s, written and written anew: %s", file, got)
			}
			got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), r.c)
			if err != nil || got.Status != solvers.Converged || got.Epochs < 3 {
				t.Fatalf("%s: %s, %v", file, told(got), err)
			}
			honest(t, r.make(t), r.c, got)
		}
	}
}

// TestOtherStates: the state of another training is refused, whatever differs.
func TestOtherStates(t *testing.T) {
	const data, settings = "m3l: a state of another training: of other data",
		"m3l: a state of another training: its settings are"
	for name, r := range small[float64](t) {
		state := readGolden(t, name)
		refuse := func(what, want string, p Problem[float64], c Config) {
			t.Helper()
			got, err := p.Resume(context.Background(), bytes.NewReader(state), c)
			if got != nil || err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, %s: %s, %v", name, what, told(got), err)
			}
		}
		for what, change := range map[string]func(p *Problem[float64]){
			"a number": func(p *Problem[float64]) { p.change(t, 6, 2, 1e-9) },
			"a label":  func(p *Problem[float64]) { p.Sets[5] = []int{0, 1} },
			"no label": func(p *Problem[float64]) { p.Sets[5] = []int{} },
			"labels":   func(p *Problem[float64]) { p.Sets[0], p.Sets[1] = p.Sets[1], p.Sets[0] },
			"a weight": func(p *Problem[float64]) { p.Weights = []float64{1, 1, 1, 1, 1, 1, 1, 1, 1.0000001} },
			"R": func(p *Problem[float64]) {
				if p.R.Rows == 0 { // R = I is no R to a state: the steps are others
					p.R = identity(20)
					return
				}
				p.R.Row(1)[1] += 1e-9
			},
			"no R": func(p *Problem[float64]) {
				if p.R.Rows > 0 {
					p.R = vec.Matrix[float64]{}
				} else {
					p.R = lowRank(rand.New(rand.NewPCG(1, 2)), 20, 3)
				}
			},
		} {
			p := r.make(t)
			change(&p)
			refuse(what, data, p, r.c)
		}
		if p := r.make(t); p.Kernel != nil {
			x := p.Kernel.Features()
			for what, k := range map[string]kernel.Kernel{"degree": kernel.Polynomial{Degree: 3, Offset: 1},
				"kernel": kernel.Linear{}} {
				p.Kernel = kernelOf(t, x, k)
				refuse(what, data, p, r.c)
			}
		}
		p := r.make(t)
		p.Margins = someMargins
		refuse("margins", settings, p, r.c)
		changed := 0
		for f := range reflect.TypeFor[Config]().Fields() {
			c := r.c
			v := reflect.ValueOf(&c).Elem().FieldByName(f.Name)
			want := settings
			switch f.Name {
			case "Epochs", "Progress", "Checkpoint": // may differ
				continue
			case "Costs":
				c.Costs = slices.Repeat([]float64{2}, max(3, r.c.Labels))
			case "Workers":
				if r.make(t).Kernel != nil { // the same bits for any number
					continue
				}
				c.Workers = 2
			case "Bias":
				if r.make(t).Kernel != nil {
					continue
				}
				c.Bias = 1
			case "Labels":
				if c.Labels = 21; r.make(t).R.Rows > 0 {
					want = "R is 3-by-3 for 21 labels"
				}
			default:
				switch v.Kind() {
				case reflect.Float64:
					v.SetFloat(v.Float() * 2)
				case reflect.Int:
					v.SetInt(v.Int() + 1)
				case reflect.Uint64:
					v.SetUint(v.Uint() + 1)
				default:
					t.Fatalf("Config.%s: a state must refuse another one, or this test say why not", f.Name)
				}
			}
			changed++
			refuse(f.Name, want, r.make(t), c)
		}
		if changed < 7 {
			t.Errorf("%s: %d fields of Config changed", name, changed)
		}
		narrow := small[float32](t)[name]
		if got, err := narrow.make(t).Resume(context.Background(), bytes.NewReader(state), narrow.c); got != nil ||
			err == nil {
			t.Errorf("%s: a state of float64 for float32: %s", name, told(got))
		}
		for other := range small[float64](t) {
			if other != name {
				if got, err := r.make(t).Resume(context.Background(), bytes.NewReader(readGolden(t, other)),
					r.c); got != nil || err == nil {
					t.Errorf("the state of %s for %s: %s", other, name, told(got))
				}
			}
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
	a.Row(i)[j] += v
	switch {
	case p.Kernel != nil:
		p.Kernel = kernelOf[T](t, a, p.Kernel.Kernel())
	case design.IsSparse(x):
		sparse, err := a.CSR()
		if err != nil {
			t.Fatal(err)
		}
		p.X = sparse
	default:
		p.X = a
	}
}

// TestOtherMargins: a state of a user's own loss is refused where one of its numbers is another one.
func TestOtherMargins(t *testing.T) {
	r := small[float64](t)["linear"]
	plain := r.make
	margins := func(i, l int, by float64) func(t testing.TB) Problem[float64] {
		return func(t testing.TB) Problem[float64] {
			p := plain(t)
			p.Margins = func(k int, plus, minus []float64) {
				if someMargins(k, plus, minus); k == i {
					minus[l] += by
				}
			}
			return p
		}
	}
	r.make = margins(3, 1, 0)
	state := stopped(t, r, nil, statetest.Soon(4))
	if got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), r.c); err != nil ||
		got.Status != solvers.Converged {
		t.Error(told(got), err)
	}
	_, err := margins(3, 1, 1e-9)(t).Resume(context.Background(), bytes.NewReader(state), r.c)
	contains(t, err, "m3l: a state of another training: its settings are")
	_, err = plain(t).Resume(context.Background(), bytes.NewReader(state), r.c)
	contains(t, err, "m3l: a state of another training: its settings are")
}

// TestDamagedStates: every truncation of a state and every byte that is flipped is an error.
func TestDamagedStates(t *testing.T) {
	for name, r := range small[float64](t) {
		state, p := readGolden(t, name), r.make(t)
		resume := func(state []byte, what string, at int) {
			t.Helper()
			if got, err := p.Resume(context.Background(), bytes.NewReader(state), r.c); err == nil || got != nil ||
				!strings.HasPrefix(err.Error(), "m3l: ") {
				t.Fatalf("%s, %s %d of %d bytes: %v, %v", name, what, at, len(state), told(got), err)
			}
		}
		step := 3
		if testing.Short() {
			step = 11
		}
		for at := 0; at < len(state); at += step {
			resume(state[:at], "cut to", at)
			state[at] ^= 1 << (at % 8)
			resume(state, "flipped byte", at)
			state[at] ^= 1 << (at % 8)
		}
	}
}

// TestSealedStates: numbers that make no state are errors too where the checksums are right, in whatever section they
// stand; those that could be one train on, and nothing panics.
func TestSealedStates(t *testing.T) {
	for name, r := range small[float64](t) {
		state, p := readGolden(t, name), r.make(t)
		refused, all := map[string]bool{}, 0
		for _, s := range statetest.Sections(state) {
			if s.Tag == "what" {
				continue
			}
			step := 1
			if s.To-s.From > 100 {
				step = 7 // a byte of each place of a number
			}
			if testing.Short() && s.To-s.From > 100 {
				step = 31
			}
			for at := s.From; at < s.To; at += step {
				for _, v := range []byte{0xff, 0x7f, 0x80} {
					bad := slices.Clone(state)
					bad[at] ^= v
					all++
					got, err := p.Resume(statetest.Soon(400), bytes.NewReader(statetest.Sealed(bad)), r.c)
					switch {
					case got == nil && err != nil:
						refused[s.Tag] = true
					case got == nil || got.Certificate.Gap() < -1e-9*got.Certificate.Primal ||
						!(got.Certificate.Gap() >= -1):
						t.Fatalf("%s: section %q, byte %d ^ %x: %s, %v", name, s.Tag, at-s.From, v, told(got), err)
					}
				}
			}
		}
		t.Logf("%s: %d changes, refused in %v", name, all, refused)
		if len(refused) < 8 {
			t.Errorf("%s: changes are refused in %v only", name, refused)
		}
	}
}

// epochOf returns the number in the section of the clock.
func epochOf(t testing.TB, state []byte) int {
	t.Helper()
	for _, s := range statetest.Sections(state) {
		if s.Tag == "clck" && s.Kind == 'l' {
			return int(binary.LittleEndian.Uint64(s.Body(state)))
		}
	}
	t.Fatal("no clock")
	return 0
}
