// Package containertest tests files of package container: that their bytes are those that were written once, and that
// damage shows.
package containertest

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"encoding/gob"
	"encoding/json"
	"errors"
	"flag"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/internal/damage"
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
// and calls same with what was read. Files cut short, or with any bit flipped, are errors that wrap ErrCorrupt. What is
// damaged in other ways too, with checksums that are right, is an error or a model that can be written, and takes no
// more memory than Memory.
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
		Hostile(name, want, func(t testing.TB, r io.Reader) error {
			m, err := read(r)
			if err == nil {
				Written(t, m)
			}
			return err
		}).Run(t)
	}
}

// Memory is what a reader may take: 1 MiB of numbers of a section whose bytes have not come, some scratch, and 64 bytes
// for each byte that has.
var Memory = damage.Limit{Base: 3 << 19, PerByte: 64}

// Hostile is the test of a reader against damage of all kinds, with checksums that are right and with such as are not.
func Hostile(name string, file []byte, read func(t testing.TB, r io.Reader) error) damage.Reader {
	return damage.Reader{Name: name, File: file, Form: damage.Binary, N: 400, Limit: Memory, Seal: Sealed,
		Read: func(t testing.TB, file []byte) error { return read(t, bytes.NewReader(file)) }}
}

// Sealed is a file with right checksums, as far as it has sections: the last one may say that it is longer.
func Sealed(file []byte) []byte {
	file = slices.Clone(file)
	sum := func(from, to int) {
		sum := crc32.Checksum(file[from:to], crc32.MakeTable(crc32.Castagnoli))
		binary.LittleEndian.PutUint32(file[to:], sum)
	}
	at := 24
	if len(file) >= at {
		sum(0, 20)
	}
	for len(file)-at >= 24 {
		sum(at, at+16)
		size := map[byte]uint64{'b': 1, 'i': 4, 'l': 8, 'f': 4, 'd': 8, 's': 1}[file[at+4]]
		count := binary.LittleEndian.Uint64(file[at+8:])
		if count > uint64(len(file)) || int(count*size) > len(file)-at-24 {
			break
		}
		body := at + 20
		at = body + int(count*size)
		sum(body, at)
		at += 4
	}
	return file
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
