package topk

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
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
		return Problem[T]{Kernel: matrix(t, solvers.Features[T](x), kernel.Polynomial{Degree: 2, Offset: 1}, 1<<10), Y: y}
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
		"groups": {"groups", groups, Config{Loss: SquaredHinge, Lambda: .125, Tol: 1e-4, Epochs: 100, Classes: 20, Workers: 1}},
	}
}

func golden(name string) string { return filepath.Join("testdata", "state-"+name+".bin") }

// readGolden returns the state of the training of that name, stopped within its third epoch.
func readGolden(t testing.TB, name string) []byte {
	t.Helper()
	state, err := os.ReadFile(golden(name))
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
			for epochOf(t, stopped(t, r, nil, soon(questions))) < 3 {
				questions++
			}
			state := stopped(t, r, nil, soon(questions+2)) // within the epoch
			if err := os.WriteFile(golden(name), state, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		state := readGolden(t, name)
		again := stopped(t, r, state, soon(0))
		a, b := sections(state), sections(again)
		if len(a) != len(b) || len(a) < 15 {
			t.Fatalf("%s: %d sections, written anew %d", name, len(a), len(b))
		}
		for k, s := range a {
			got, was := b[k].body(again), s.body(state)
			if s.tag == "clck" && s.kind == 'd' { // the last number is the time
				got, was = got[:len(got)-8], was[:len(was)-8]
			}
			if b[k].tag != s.tag || b[k].kind != s.kind || !bytes.Equal(got, was) {
				t.Errorf("%s: section %q, %x, written anew %q, %x", name, s.tag, was, b[k].tag, got)
			}
		}
		got, err := r.make(t).Resume(context.Background(), bytes.NewReader(state), r.c)
		if err != nil || got.Status != solvers.Converged || got.Epochs < 3 {
			t.Fatalf("%s: %s, %v", name, told(got), err)
		}
		honest(t, r.make(t), r.c, got)
	}
}

// epochOf returns the number in the section of the clock.
func epochOf(t testing.TB, state []byte) int {
	t.Helper()
	for _, s := range sections(state) {
		if s.tag == "clck" && s.kind == 'l' {
			return int(binary.LittleEndian.Uint64(s.body(state)))
		}
	}
	t.Fatal("no clock")
	return 0
}

// section is a part of a file: see package container.
type section struct {
	tag      string
	kind     byte
	from, to int // of the body
}

func (s section) body(file []byte) []byte { return file[s.from:s.to] }

// sections returns those of a file, as far as it has them.
func sections(file []byte) (all []section) {
	for at := 24; at+20 <= len(file); {
		size := uint64(1)
		switch file[at+4] {
		case 'i', 'f':
			size = 4
		case 'l', 'd':
			size = 8
		}
		count := binary.LittleEndian.Uint64(file[at+8:])
		if count > uint64(len(file)) || uint64(at)+20+size*count+4 > uint64(len(file)) {
			return all
		}
		s := section{strings.TrimRight(string(file[at:at+4]), " "), file[at+4], at + 20, at + 20 + int(size*count)}
		all, at = append(all, s), s.to+4
	}
	return all
}

// sealed returns the file with all its checksums made true.
func sealed(file []byte) []byte {
	file = slices.Clone(file)
	sum := func(to int, b []byte) {
		binary.LittleEndian.PutUint32(file[to:], crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	if len(file) >= 24 {
		sum(20, file[:20])
	}
	for _, s := range sections(file) {
		sum(s.from-4, file[s.from-20:s.from-4])
		sum(s.to, s.body(file))
	}
	return file
}

// TestDamagedStates: every truncation of a state and every byte that is flipped is an error.
func TestDamagedStates(t *testing.T) {
	for name, r := range small[float64](t) {
		state, p := readGolden(t, name), r.make(t)
		resume := func(state []byte, what string, at int) {
			t.Helper()
			if got, err := p.Resume(context.Background(), bytes.NewReader(state), r.c); err == nil || got != nil || !strings.HasPrefix(err.Error(), "topk: ") {
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
		for _, s := range sections(state) {
			if s.tag == "what" {
				continue
			}
			step := 1
			if testing.Short() && s.to-s.from > 100 {
				step = 7
			}
			for at := s.from; at < s.to; at += step {
				for _, v := range []byte{0xff, 0x7f, 0x80} {
					bad := slices.Clone(state)
					bad[at] ^= v
					all++
					got, err := p.Resume(soon(400), bytes.NewReader(sealed(bad)), r.c)
					switch {
					case got == nil && err != nil:
						refused[s.tag] = true
					case got == nil || got.Certificate.Gap() < -1e-9*got.Certificate.Primal || !(got.Certificate.Gap() >= -1):
						t.Fatalf("%s: section %q, byte %d ^ %x: %s, %v", name, s.tag, at-s.from, v, told(got), err)
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
		for _, state := range [][]byte{state, sealed(state)} {
			got, err := p.Resume(soon(400), bytes.NewReader(state), c)
			if got == nil && err == nil {
				t.Fatal("neither a result nor an error")
			}
			if got != nil {
				honest(t, p, c, got)
			}
		}
	})
}
