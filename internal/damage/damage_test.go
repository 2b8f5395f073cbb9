package damage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestVariants: they are the same each time, differ from the file, leave it as it is, and are of every kind.
func TestVariants(t *testing.T) {
	text := []byte(strings.Repeat("1 1:0.5 7:-2\n-1 2:1e3\n", 20))
	for form, file := range [][]byte{text, bytes.Repeat([]byte("\x01\x00\x02\x00\x00\x00\x00\x09"), 50), {}, {7}} {
		before, same, kinds := slices.Clone(file), 0, map[string]bool{}
		var first [][]byte
		for what, bad := range Variants(file, Form(form%2), 200) {
			first = append(first, slices.Clone(bad))
			kind, _, _ := strings.Cut(what, ", then ")
			kinds[kind] = true
			if bytes.Equal(bad, file) {
				same++
			}
		}
		if again := Seeds(file, Form(form%2), 200)[1:]; !slices.EqualFunc(first, again, bytes.Equal) {
			t.Errorf("form %d: others the second time", form)
		}
		if !bytes.Equal(file, before) || len(kinds) != len(Kinds) || len(first) != 200 || len(file) > 9 && same > 20 {
			t.Errorf("form %d: %d variants of the kinds %v, %d of them no others", form, len(first), kinds, same)
		}
	}
}

// counted is a format: the number of bytes as 4 bytes, then these.
func counted(size int) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(size)), make([]byte, size)...)
}

func believing(_ testing.TB, file []byte) error {
	if len(file) < 4 {
		return io.ErrUnexpectedEOF
	}
	all := make([]byte, binary.LittleEndian.Uint32(file)&(1<<24-1))
	if copy(all, file[4:]) < len(all) {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// TestCheck: a careful reader passes; one that believes a size, panics, or refuses nothing is found.
func TestCheck(t *testing.T) {
	careful := func(t testing.TB, file []byte) error {
		if len(file) >= 4 && int64(binary.LittleEndian.Uint32(file)) == int64(len(file)-4) {
			return nil
		}
		return io.ErrUnexpectedEOF
	}
	panicking := func(t testing.TB, file []byte) error { _ = file[3]; return careful(t, file) }
	for want, read := range map[string]func(testing.TB, []byte) error{"": careful, "bytes taken, want": believing,
		"a panic: runtime error": panicking,
		"the sound file":         func(testing.TB, []byte) error { return errors.New("no") }} {
		r := Reader{File: counted(100), Form: Binary, N: 200, Limit: Limit{1 << 12, 4}, Read: read}
		c, err := r.check(t)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if want == "" && (c.variants != 200 || c.refused < 100 || c.refused == 200) {
			t.Errorf("%+v", c)
		}
	}
	seal := func(file []byte) []byte { return counted(len(file)) }
	r := Reader{File: counted(100), Form: Binary, N: 40, Limit: Limit{1 << 12, 4}, Read: careful, Seal: seal}
	if c, err := r.check(t); err != nil || c.variants != 80 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestPlaces: they are the same each time, differ from the file, and leave it as it is.
func TestPlaces(t *testing.T) {
	text := []byte("1 1:0.5 7:-2\n-1 2:1e3\n")
	for form, file := range [][]byte{text, append(make([]byte, 600), "\x01\x00\x02\x00\x00\x00\x00\x09"...), {}, {7}} {
		before, all := slices.Clone(file), map[string]string{}
		for what, bad := range places(file, Form(form%2)) {
			if all[what] = string(bad); bytes.Equal(bad, before) {
				t.Errorf("form %d: %s: the file itself", form, what)
			}
		}
		for what, bad := range places(file, Form(form%2)) {
			if first, ok := all[what]; !ok || first != string(bad) {
				t.Errorf("form %d: %s: %q, and %q before", form, what, bad, first)
			}
		}
		if !bytes.Equal(file, before) || len(file) > 8 && len(all) < 300 {
			t.Errorf("form %d: %d files", form, len(all))
		}
	}
}

// TestSaid: the digest tells a reader from one whose bound is another, or that lacks a check.
func TestSaid(t *testing.T) {
	seen := map[string]int{}
	for k, most := range []uint32{100, 101, 99, math.MaxUint32, 100} {
		r := Reader{File: counted(100), Form: Binary, Read: func(_ testing.TB, file []byte) error {
			if n := binary.LittleEndian.Uint32(file); n > most {
				return fmt.Errorf("%d is more than %d", n, 100)
			}
			return nil
		}}
		digest, err := r.said(t)
		if before, twice := seen[digest]; err != nil || twice != (k == 4) || twice && before != 0 {
			t.Errorf("%d: digest %s as of %d, %v", most, digest, before, err)
		}
		seen[digest] = k
	}
	r := Reader{File: counted(100), Form: Binary, Read: func(_ testing.TB, file []byte) error {
		return errors.New(string(file[binary.LittleEndian.Uint32(file)]))
	}}
	if _, err := r.said(t); err == nil || !strings.Contains(err.Error(), "a panic (1 bytes from 0 are") {
		t.Error(err)
	}
}

// TestBomb: it is small, and what it unpacks to is not.
func TestBomb(t *testing.T) {
	b := Bomb(t, "head\n", "line\n", "end", 8<<20)
	if len(b) > 8<<13 {
		t.Errorf("%d bytes", len(b))
	}
	Defused(t, "nothing", 1<<10, func() error { return io.EOF })
}
