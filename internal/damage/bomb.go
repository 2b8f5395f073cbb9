package damage

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

// Bomb returns a file packed by gzip that begins with head and goes on with line, again and again, up to size bytes
// unpacked, and then ends with end. What repeats is packed about 1000 to 1.
func Bomb(t testing.TB, head, line, end string, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = io.WriteString(z, head)
	}
	block := bytes.Repeat([]byte(line), max(1, 1<<16/len(line)))
	for n := len(head) + len(end); err == nil && n < size; n += len(block) {
		_, err = z.Write(block)
	}
	if err == nil {
		_, err = io.WriteString(z, end)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if size > 1<<20 && b.Len() > size/100 {
		t.Fatalf("%d bytes are packed into %d: no bomb", size, b.Len())
	}
	return b.Bytes()
}

// Defused fails unless read, of a bomb, returns an error and allocates no more than a number of bytes.
func Defused(t *testing.T, name string, most int, read func() error) {
	t.Helper()
	took, err := Taken(read)
	if err == nil || took > uint64(most) {
		t.Errorf("%s: %d bytes taken, want %d at most, error %v", name, took, most, err)
	}
}
