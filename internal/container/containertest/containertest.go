// Package containertest tests files of package container: that their bytes are those that were written once, and that
// damage shows.
package containertest

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
)

// Update says that tests write the files in testdata anew.
var Update = flag.Bool("update", false, "write the files in testdata anew")

// Path returns the file of that name in testdata.
func Path(name string) string { return "testdata/" + name + ".bin" }

// Written returns the file of m.
func Written(t testing.TB, m io.WriterTo) []byte {
	t.Helper()
	var b bytes.Buffer
	if n, err := m.WriteTo(&b); err != nil || n != int64(b.Len()) {
		t.Fatalf("%d bytes of %d, %v", n, b.Len(), err)
	}
	return b.Bytes()
}

// Golden compares the file of each model with the one of its name in testdata, reads that, whatever stands behind it,
// and calls same with what was read. Files cut short, or with any bit flipped, are errors that wrap ErrCorrupt.
func Golden[M io.WriterTo](t *testing.T, models map[string]M, read func(io.Reader) (M, error),
	same func(t *testing.T, got, want M)) {
	t.Helper()
	for name, m := range models {
		file := Written(t, m)
		if *Update {
			if err := os.WriteFile(Path(name), file, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(Path(name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file, want) {
			t.Errorf("%s: writes %q, want %q", name, file, want)
		}
		in := strings.NewReader(string(want) + "behind")
		got, err := read(in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same(t, got, m)
		if rest, _ := io.ReadAll(in); string(rest) != "behind" {
			t.Errorf("%s: left %q", name, rest)
		}
		Damage(t, name, want, 1, func(r io.Reader) error {
			_, err := read(r)
			return err
		})
	}
}

// Damage reads a file cut to every length, and with every bit of every byte flipped; with a step above 1 it is every
// step-th byte, of which a bit. Each is an error that wraps ErrCorrupt.
func Damage(t *testing.T, name string, file []byte, step int, read func(io.Reader) error) {
	t.Helper()
	check := func(bad []byte, what string, at int) {
		t.Helper()
		if err := read(bytes.NewReader(bad)); !errors.Is(err, container.ErrCorrupt) {
			t.Fatalf("%s, %s %d of %d: %v", name, what, at, len(file), err)
		}
	}
	for at := 0; at < len(file); at += step {
		check(file[:at], "cut to byte", at)
		for bit := range 8 {
			if step > 1 && bit != at%8 {
				continue
			}
			bad := slices.Clone(file)
			bad[at] ^= 1 << bit
			check(bad, "flipped a bit of byte", at)
		}
	}
}

// Marshals tests what m and a value of its type do in gob, within other values, and in JSON, which refuses both.
func Marshals[M any, P interface {
	*M
	io.WriterTo
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}](t *testing.T, m P, same func(t *testing.T, got, want P)) {
	t.Helper()
	type holder struct {
		Before int
		Model  P
		Value  M
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(holder{7, m, *m}); err != nil {
		t.Fatal(err)
	}
	var got holder
	if err := gob.NewDecoder(&b).Decode(&got); err != nil || got.Before != 7 {
		t.Fatal(got, err)
	}
	same(t, got.Model, m)
	same(t, &got.Value, m)
	for _, v := range []any{m, *m, holder{Model: m}, &holder{Value: *m}} {
		if text, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "write them with WriteTo") {
			t.Errorf("%s, %v", text, err)
		}
	}
	if err := json.Unmarshal([]byte("{}"), m); err == nil || !strings.Contains(err.Error(), "write them with WriteTo") {
		t.Error(err)
	}
	if err := P(new(M)).UnmarshalBinary(append(Written(t, m), 0)); !errors.Is(err, container.ErrCorrupt) {
		t.Errorf("a byte more: %v", err)
	}
	if _, err := P(new(M)).MarshalBinary(); err == nil {
		t.Error("the zero value is written")
	}
	if _, err := m.WriteTo(full{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a writer that is full: %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Reread checks that what is read of any bytes, unless that is an error, is written and read as the same.
func Reread[M io.WriterTo](t *testing.T, file []byte, read func(io.Reader) (M, error),
	same func(t *testing.T, got, want M)) {
	t.Helper()
	m, err := read(bytes.NewReader(file))
	if err != nil {
		return
	}
	again, err := read(bytes.NewReader(Written(t, m)))
	if err != nil {
		t.Fatal(err)
	}
	same(t, again, m)
}
