package pq

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/dualgap/dualgap/vec"
)

// rewriter is the variable that makes a process of this test one that changes the index in the file it names and writes
// it again, over and over.
const rewriter = "DUALGAP_TEST_REWRITES"

func TestMain(m *testing.M) {
	if path := os.Getenv(rewriter); path != "" {
		fmt.Fprintln(os.Stderr, rewrite(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// rewrite goes from state to state: in state s all vectors are s, and there are 300 + s%7 of them.
func rewrite(path string) error {
	for {
		ix, err := OpenIndex(path)
		if err != nil {
			return err
		}
		s, err := stateOf(ix)
		if err != nil {
			return err
		}
		s = (s + 1) % 100
		x, own := vec.NewMatrix[float32](300+s%7, 5), []uint64(nil)
		for i := range x.Rows {
			own = append(own, uint64(5*i))
		}
		for i := range x.Data {
			x.Data[i] = float32(s)
		}
		for i := range uint64(10) {
			ix.Remove(5 * (299 + i))
		}
		if err := ix.Update(own, x, 1); err != nil {
			return err
		}
		if s%3 == 0 {
			ix.Compact()
		}
		if err := ix.WriteFile(path); err != nil {
			return err
		}
		if s%2 == 0 {
			ix.Close()
		}
	}
}

// stateOf is the state of an index, or an error if it is in none.
func stateOf(ix *Index) (int, error) {
	v := make([]float32, 5)
	if err := ix.Vector(v, 0); err != nil {
		return 0, err
	}
	s := int(v[0])
	if want := 300 + s%7; ix.Len() != want {
		return 0, fmt.Errorf("%d vectors, want %d", ix.Len(), want)
	}
	want := slices.Repeat([]float32{float32(s)}, 5)
	for i := range ix.Len() {
		if err := ix.Vector(v, uint64(5*i)); err != nil || !slices.Equal(v, want) {
			return 0, fmt.Errorf("vector %d is %v (error %v), want %v", 5*i, v, err, want)
		}
	}
	return s, ix.Verify()
}

// TestWriteKilled: a process that changes and writes an index again and again, and is killed at any moment, leaves a
// file of one state, whole.
func TestWriteKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), "index")
	ix, err := NewIndexOf(goldenQuantizer(t, 4), IndexConfig{Vectors: true, Bounds: true})
	own := make([]uint64, 300)
	for i := range own {
		own[i] = uint64(5 * i)
	}
	if err == nil {
		err = ix.AddIDs(own, vec.NewMatrix[float32](300, 5), 1)
	}
	if err == nil {
		err = ix.WriteFile(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	turns, seen, cut := 40, map[int]bool{}, 0
	if testing.Short() {
		turns = 12
	}
	for range turns {
		c := exec.Command(self)
		c.Env = append(os.Environ(), rewriter+"="+path)
		var said bytes.Buffer
		c.Stderr = &said
		if err := c.Start(); err != nil {
			t.Skip(err) // on an emulated CPU, say
		}
		time.Sleep(20*time.Millisecond + time.Duration(rand.Int64N(int64(60*time.Millisecond))))
		c.Process.Kill()
		c.Wait()
		opened, err := OpenIndex(path)
		if err != nil {
			t.Fatalf("error %v; the process said %q", err, said.String())
		}
		s, err := stateOf(opened)
		if err != nil {
			t.Fatalf("error %v; the process said %q", err, said.String())
		}
		seen[s] = true
		if err := opened.Close(); err != nil {
			t.Fatal(err)
		}
		rest, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*.tmp"))
		cut += len(rest)
		for _, r := range rest {
			os.Remove(r)
		}
	}
	t.Logf("%d states, %d processes killed while they wrote", len(seen), cut)
	if len(seen) < 2 && !testing.Short() {
		t.Errorf("%d states of %d turns: nothing was tried", len(seen), turns)
	}
}
