package data

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// TestRoom: numbers of a packed file are in memory once and a half where they are copied into twice the room: that is
// an error before it is taken. A plain file, whose length is known, takes its numbers once.
func TestRoom(t *testing.T) {
	defer memory.Use(0)
	x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](1<<10, 1<<12)} // 16 MiB
	dir := t.TempDir()
	for _, name := range []string{"x.npy", "x.npy.gz"} {
		path := filepath.Join(dir, name)
		if err := file.Write(path, func(w io.Writer) error {
			return dataset.WriteNPY(w, x, dataset.NPYOptions{})
		}); err != nil {
			t.Fatal(err)
		}
	}
	x = nil
	base := memory.Taken(0)
	for _, c := range []struct {
		name string
		room memory.Size
		good bool
	}{
		{"x.npy", 20 << 20, true}, {"x.npy", 12 << 20, false},
		{"x.npy.gz", 32 << 20, true}, {"x.npy.gz", 20 << 20, false},
	} {
		memory.Use(base + c.room)
		_, err := Open[float32](filepath.Join(dir, c.name), Options{Unlabeled: true}, nil)
		if (err == nil) != c.good || !c.good && !strings.Contains(err.Error(), "too large: numbers take") {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
