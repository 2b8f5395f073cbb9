package results

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
)

// committed is the beginning of a file of results.
func committed(t testing.TB) []byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "results", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return b[:bytes.LastIndexByte(b[:min(len(b), 6000)], '\n')+1]
}

// TestHostile: no damage of a file makes the reader panic or take memory that its bytes do not explain: a line has all
// the configuration.
func TestHostile(t *testing.T) {
	damage.Reader{Name: "results", File: committed(t), N: 600, Limit: damage.Limit{Base: 1 << 20, PerByte: 256},
		Read: func(_ testing.TB, file []byte) error {
			_, err := Read(bytes.NewReader(file), "file")
			return err
		}}.Run(t)
}

// FuzzRead: whatever is read can be written, and what is read of that is written as the same.
func FuzzRead(f *testing.F) {
	for _, file := range damage.Seeds(committed(f)[:2000], damage.Text, 20) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		s, err := Read(bytes.NewReader(file), "file")
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(b.Bytes()), "file")
		if err != nil {
			return // all numbers were not finite, or a name that no file can hold
		}
		var c bytes.Buffer
		if err := again.Write(&c); err != nil {
			t.Fatal(err)
		}
		third, err := Read(&c, "file")
		if err != nil || !reflect.DeepEqual(third.Lines, again.Lines) {
			t.Fatalf("%q is written as %q", file, b.Bytes())
		}
	})
}
