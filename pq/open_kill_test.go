package pq

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/file"
	"github.com/dualgap/dualgap/internal/file/filetest"
	"github.com/dualgap/dualgap/vec"
)

// rewrite goes from state to state: in state s all vectors are s, and there are 300 + s%7 of them. It opens the file,
// changes the index in some of its blocks and all, makes it compact at times, and writes the file anew.
func rewrite(path string, turns int) error {
	for range turns {
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
	return nil
}

// builtIndex writes an index in state 0 from the start.
func builtIndex(t *testing.T, path string) {
	t.Helper()
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

// TestWriteKilled: a process that builds an index, then changes and writes it again and again, and is killed at any
// moment, leaves a file of one state, whole. What it had begun besides, the next one removes.
func TestWriteKilled(t *testing.T) {
	if path, is := filetest.Told(); is {
		filetest.Begun()
		builtIndex(t, path[0])
		if err := rewrite(path[0], 7); err != nil {
			t.Fatal(err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "index")
	k, seen, cut := filetest.NewKiller(t, filetest.Kills(t, 4)), map[int]bool{}, 0
	k.Whole(filetest.Again(t, path))
	for goesOn := true; k.More() || goesOn; {
		goesOn, _ = k.Run(filetest.Again(t, path))
		opened, err := OpenIndex(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := stateOf(opened)
		if err != nil {
			t.Fatal(err)
		}
		seen[s] = true
		if err := opened.Close(); err != nil {
			t.Fatal(err)
		}
		cut += len(filetest.Left(t, filepath.Dir(path)))
	}
	if left := filetest.Left(t, filepath.Dir(path)); file.Sweeps && len(left) > 0 {
		t.Errorf("left %v", left)
	}
	t.Logf("%d killed, %d of them while they wrote, %d states", k.Done(), cut, len(seen))
}
