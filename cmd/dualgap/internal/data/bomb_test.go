package data

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/memory"
	"github.com/dualgap/dualgap/internal/damage"
)

// TestBombs: a file of some hundred kilobytes that unpacks to 128 MiB is an error of the limit of memory, whatever its
// format, and takes little more than the limit until then.
func TestBombs(t *testing.T) {
	defer memory.Use(0)
	const room, size = 24 << 20, 128 << 20
	header := "{'descr': '<f8', 'fortran_order': False, 'shape': (8388608, 2), }"
	npy := string(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))) + header
	zeros := string(make([]byte, 1<<10))
	dir := t.TempDir()
	for name, c := range map[string]struct{ head, line string }{
		"x.svm.gz": {"", "1 1:1\n"}, "sets.svm.gz": {"", "1,2 1:1\n"}, "x.csv.gz": {"", "1,2\n"},
		"x.npy.gz":   {npy, zeros},
		"x-ubyte.gz": {"\x00\x00\x08\x02\x00\x80\x00\x00\x00\x00\x00\x40", zeros},
		"x.fvecs.gz": {"", "\x02\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"},
		"x.bvecs.gz": {"\x00\x00\x00\x10", zeros},
	} {
		path := filepath.Join(dir, name)
		bomb := damage.Bomb(t, c.head, c.line, "", size)
		if err := os.WriteFile(path, bomb, 0o600); err != nil {
			t.Fatal(err)
		}
		memory.Use(memory.Taken(0) + room)
		damage.Defused(t, name, 8*room, func() error {
			_, err := Open[float32](path, Options{Unlabeled: true}, nil)
			if err == nil || !strings.Contains(err.Error(), "too large") {
				t.Errorf("%s: %v", name, err)
			}
			return err
		})
	}
}
