package familytest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/dualgap/dualgap/internal/file"
	"github.com/dualgap/dualgap/internal/file/filetest"
	"github.com/dualgap/dualgap/solvers"
)

// The files of a process that trains.
const (
	stateFile = "state"
	modelFile = "model.dg"
	endFile   = "end" // what Bits tells of the result
)

// killed: a training whose process is killed at random moments, again and again, and that goes on from the state that
// was saved last, ends with the bits of one that nobody has killed: model, certificate and dual variables. Its files
// are whole all the time, and in the end there are no others.
func (f Family[P, C, R]) killed(t *testing.T) {
	if words, is := filetest.Told(); is {
		f.process(t, words)
		return
	}
	k := filetest.NewKiller(t, filetest.Kills(t, 1))
	workers := []int{0, 1, 2, 3} // 0 is the default
	for _, at := range rand.Perm(len(f.Trainings)) {
		f.chain(t, k, at, workers[rand.IntN(len(workers))])
		if !k.More() {
			break
		}
	}
	for k.More() && !t.Failed() {
		f.chain(t, k, rand.IntN(len(f.Trainings)), workers[rand.IntN(len(workers))])
	}
	t.Logf("%d killed", k.Done())
}

// chain trains in processes of which some are killed, each of which goes on from the state of the one before.
func (f Family[P, C, R]) chain(t *testing.T, k *filetest.Killer, at, workers int) {
	dir, whole := t.TempDir(), t.TempDir()
	every := []time.Duration{1, time.Millisecond}[rand.IntN(2)]
	name := fmt.Sprintf("%s, %d workers, every %v", f.Trainings[at].Name, workers, every)
	train := func(dir string) []string {
		return []string{strconv.Itoa(at), strconv.Itoa(workers), strconv.Itoa(int(every)), dir}
	}
	k.Whole(filetest.Again(t, train(whole)...))
	model, end := read(t, filepath.Join(whole, modelFile)), string(read(t, filepath.Join(whole, endFile)))
	r := f.Trainings[at]
	r.Config = With(r.Config, "Workers", workers)
	if here, _ := f.converged(t, r); Bits(t, here) != end {
		t.Errorf("%s: %s in one process, %s in another", name, Bits(t, here), end)
	}
	old := []byte("an old model")
	if err := os.WriteFile(filepath.Join(dir, modelFile), old, 0o666); err != nil {
		t.Fatal(err)
	}
	for goesOn := true; goesOn; {
		goesOn, _ = k.Run(filetest.Again(t, train(dir)...))
		now := read(t, filepath.Join(dir, modelFile))
		if !bytes.Equal(now, model) && (!goesOn || !bytes.Equal(now, old)) {
			t.Fatalf("%s: the model is neither the old one nor the one of a training that was not killed", name)
		}
	}
	if got := string(read(t, filepath.Join(dir, endFile))); got != end {
		t.Errorf("%s: %s, want %s", name, got, end)
	}
	if left := filetest.Left(t, dir); file.Sweeps && len(left) > 0 {
		t.Errorf("%s: left %v", name, left)
	}
}

// process goes on with a training to its end, in a folder that it is told: a state that cannot be read is an error.
func (f Family[P, C, R]) process(t *testing.T, words []string) {
	at, _ := strconv.Atoi(words[0])
	workers, _ := strconv.Atoi(words[1])
	every, _ := strconv.Atoi(words[2])
	r, state := f.Trainings[at], filepath.Join(words[3], stateFile)
	p := r.Make(t)
	c := With(With(r.Config, "Workers", workers), "Checkpoint", solvers.Checkpoint{Every: time.Duration(every),
		Save: func(write func(io.Writer) error) error { return file.Write(state, write, nil) }})
	filetest.Begun()
	from, err := os.ReadFile(state)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if err := file.Check(state); err != nil {
		t.Fatal(err)
	}
	got, err := f.fit(context.Background(), p, from, c)
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer) error{
		modelFile: func(w io.Writer) error { _, err := any(got).(io.WriterTo).WriteTo(w); return err },
		endFile:   func(w io.Writer) error { _, err := io.WriteString(w, Bits(t, got)); return err },
	} {
		if err := file.Write(filepath.Join(words[3], name), write, nil); err != nil {
			t.Fatal(err)
		}
	}
}
