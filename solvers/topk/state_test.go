package topk

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"io"
	"os"
	"path/filepath"
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
// are of their trainings.
func small[T vec.Float](t testing.TB) map[string]resumable[T] {
	numbers := func() (*dataset.Dense[T], []int) {
		x, y := vec.NewMatrix[T](9, 4), make([]int, 9)
		for i := range y {
			y[i] = i % 3
			for j := range 4 {
				x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
			}
			x.Row(i)[y[i]] += 2
		}
		return &dataset.Dense[T]{Matrix: x}, y
	}
	linear := func(t testing.TB) Problem[T] {
		x, y := numbers()
		return Problem[T]{X: x, Y: y}
	}
	kernelized := func(t testing.TB) Problem[T] {
		x, y := numbers()
		return Problem[T]{Kernel: matrix(t, design.Matrix[T](x), kernel.Polynomial{Degree: 2, Offset: 1}, 1<<10),
			Y: y}
	}
	groups := func(t testing.TB) Problem[T] {
		x, y := numbers()
		for i := range x.Data {
			if i%3 > 0 {
				x.Data[i] = 0
			}
		}
		return Problem[T]{X: sparse(x), Sets: singles(y)}
	}
	c := Config{K: 2, Lambda: .125, Tol: 1e-4, Epochs: 100, Seed: 11, Workers: 1, BlockSize: 1}
	return map[string]resumable[T]{
		"linear": {"linear", linear, c}, "kernel": {"kernel", kernelized, c},
		"groups": {"groups", groups, Config{Loss: SquaredHinge, Lambda: .125, Tol: 1e-4, Epochs: 100, Classes: 20,
			Workers: 1}},
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

// TestDamagedStates: every truncation of a state and every byte that is flipped is an error.
func TestDamagedStates(t *testing.T) {
	for name, r := range small[float64](t) {
		state, p := readGolden(t, name), r.make(t)
		resume := func(state []byte, what string, at int) {
			t.Helper()
			if got, err := p.Resume(context.Background(), bytes.NewReader(state), r.c); err == nil || got != nil ||
				!strings.HasPrefix(err.Error(), "topk: ") {
				t.Fatalf("%s, %s %d of %d bytes: %v, %v", name, what, at, len(state), told(got), err)
			}
		}
		step := 1
		if testing.Short() {
			step = 5
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
			if testing.Short() && s.To-s.From > 100 {
				step = 7
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
		want := []string{"data", "clck", "dual", "next", "rest", "zero", "rand", "epch", "wght", "link", "list", "left"}
		if name == "kernel" {
			want = []string{"data", "clck", "dual", "next", "rest", "rand", "epch", "scor", "ordr", "from"}
		}
		for _, tag := range want {
			if !refused[tag] {
				t.Errorf("%s: nothing in section %q is refused", name, tag)
			}
		}
		t.Logf("%s: %d changes, refused in %v", name, all, refused)
	}
}

// FuzzResume: whatever the bytes, with checksums that are right, the answer is an error or an honest result.
func FuzzResume(f *testing.F) {
	trainings := small[float64](f)
	names := []string{"groups", "kernel", "linear"}
	for k, name := range names {
		f.Add(uint8(k), readGolden(f, name))
		f.Add(uint8(k), readGolden(f, name)[:200])
	}
	f.Fuzz(func(t *testing.T, k uint8, state []byte) {
		r := trainings[names[int(k)%len(names)]]
		p, c := r.make(t), r.c
		c.Checkpoint.Save = func(write func(io.Writer) error) error { return write(io.Discard) }
		for _, state := range [][]byte{state, statetest.Sealed(state)} {
			got, err := p.Resume(statetest.Soon(400), bytes.NewReader(state), c)
			if got == nil && err == nil {
				t.Fatal("neither a result nor an error")
			}
			if got != nil {
				honest(t, p, c, got)
			}
		}
	})
}
