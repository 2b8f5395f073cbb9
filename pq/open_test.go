package pq

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// again returns an index that is read from what another writes.
func again(t testing.TB, ix *Index) *Index {
	t.Helper()
	file := written(t, ix)
	in := strings.NewReader(string(file) + "behind")
	same, err := ReadIndex(in)
	if err != nil || in.Len() != 6 {
		t.Fatalf("read with error %v, %d bytes left", err, in.Len())
	}
	if !bytes.Equal(written(t, same), file) {
		t.Fatal("written again it is another")
	}
	return same
}

// reopened returns an index that is opened from a file that another writes, and writes itself over it.
func reopened(t testing.TB, ix *Index) *Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "index")
	for range 2 {
		if err := ix.WriteFile(path); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if ix, err = OpenIndex(path); err != nil {
			t.Fatal(err)
		}
		if err := ix.Verify(); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(blocksOf(t, ix), before) {
			t.Fatal("written again it is another")
		}
	}
	return ix
}

// blocksOf is an index in version 3.
func blocksOf(t testing.TB, ix *Index) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := ix.writeBlocks(&b, ix.held.Load()); err != nil || n != int64(b.Len()) {
		t.Fatalf("wrote %d of %d bytes, error %v", b.Len(), n, err)
	}
	return b.Bytes()
}

// TestOpenPlain: what versions 1 and 2 say comes back from version 3, mapped and read, and from theirs by OpenIndex.
func TestOpenPlain(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 257, 400} {
		x := clustered(n, 20, 17)
		for name, q := range shapes(t) {
			for _, metric := range []Metric{L2, InnerProduct} {
				ix := boundsOf(t, q, metric, x, nil)
				plain, err := NewIndex(q, metric)
				if err == nil {
					err = plain.Add(x, 1)
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, ix := range []*Index{ix, plain} {
					path := filepath.Join(t.TempDir(), "index")
					if err := os.WriteFile(path, written(t, ix), 0o600); err != nil {
						t.Fatal(err)
					}
					old, err := OpenIndex(path)
					if err != nil {
						t.Fatal(err)
					}
					read, err := ReadIndex(bytes.NewReader(blocksOf(t, ix)))
					if err != nil {
						t.Fatal(err)
					}
					for _, same := range []*Index{old, read, reopened(t, ix)} {
						if !sameContents(same, ix) || !bytes.Equal(written(t, same), written(t, ix)) {
							t.Fatalf("%s: index of %d comes back as another", name, n)
						}
					}
				}
			}
		}
	}
}
