package damage

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"
)

// Limit is what a reader may allocate, all in all: Base bytes, and PerByte for each byte of the input.
type Limit struct{ Base, PerByte int }

func (l Limit) of(length int) uint64 { return uint64(l.Base) + uint64(l.PerByte)*uint64(length) }

// Reader is a reader, and a sound file of it.
type Reader struct {
	Name string
	File []byte
	Form Form
	N    int // variants; a quarter of them with -short
	Limit

	// Seal, if it is not nil, gives a variant checksums that are right: without it every variant is read as it is, with
	// it each is read as it is and sealed.
	Seal func(file []byte) []byte

	// Unheld says that errors are not held to the committed ones: the file or what they name is of the moment, or
	// another Reader of the same checks is held to them.
	Unheld bool

	// Read reads a file, and returns the reader's error. What makes the result unsound it tells t itself. It may not
	// keep the file.
	Read func(t testing.TB, file []byte) error
}

// Run reads the sound file, and the variants of it. It fails where the sound one is refused, where a reader panics, and
// where it takes more memory than the limit. It fails too where no variant is refused.
func (r Reader) Run(t *testing.T) {
	t.Helper()
	t.Run(r.Name, func(t *testing.T) {
		if testing.Short() {
			r.N = (r.N + 3) / 4
		}
		if c, err := r.check(t); err != nil {
			t.Fatal(err)
		} else if c.refused == 0 {
			t.Errorf("none of %d variants is refused", c.variants)
		} else {
			t.Logf("%d variants of %d bytes, %d refused, %d bytes taken at most", c.variants, len(r.File), c.refused,
				c.most)
		}
		if !r.Unheld {
			r.golden(t)
		}
	})
}

// counts are what check has seen.
type counts struct {
	variants, refused int
	most              uint64 // bytes taken
}

// check returns what is wrong, and the first variant of which it is.
func (r Reader) check(t testing.TB) (c counts, err error) {
	if refused, err := r.one(t, &c, r.File); err != nil || refused != nil {
		return c, fmt.Errorf("the sound file of %d bytes: %v, %v", len(r.File), refused, err)
	}
	c.variants, c.refused = 0, 0
	i := 0
	for what, bad := range Variants(r.File, r.Form, r.N) {
		files := [][]byte{bad}
		if r.Seal != nil {
			files = append(files, r.Seal(bad))
		}
		for sealed, file := range files {
			_, err := r.one(t, &c, file)
			if err == nil && t.Failed() {
				err = errors.New("the result is not sound")
			}
			if err != nil {
				return c, fmt.Errorf("variant %d of %d (%s; sealed: %v), %d bytes %.200q: %w", i, r.N, what,
					sealed == 1, len(file), file, err)
			}
		}
		i++
	}
	return c, nil
}

// one reads a file: refused is the reader's error, err what is wrong with the reader.
func (r Reader) one(t testing.TB, c *counts, file []byte) (refused, err error) {
	most, least := r.of(len(file)), uint64(math.MaxUint64)
	for range 3 { // another goroutine, or a pool that the collector has emptied, may be what takes memory
		took, panicked, told := taken(func() error { return r.Read(t, file) })
		if panicked != nil {
			return told, fmt.Errorf("a panic: %v", panicked)
		}
		refused, least = told, min(least, took)
		if least <= most {
			break
		}
	}
	c.variants++
	if refused != nil {
		c.refused++
	}
	if least > most {
		return refused, fmt.Errorf("%d bytes taken, want %d at most, %d and %d for each byte (error of the reader: %v)",
			least, most, r.Base, r.PerByte, refused)
	}
	c.most = max(c.most, least)
	return refused, nil
}

// taken returns how many bytes read allocates, its panic and its error.
func taken(read func() error) (bytes uint64, panicked any, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	panicked, err = try(read)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, panicked, err
}

// try returns the error of read and its panic.
func try(read func() error) (panicked any, err error) {
	defer func() { panicked = recover() }()
	return nil, read()
}

// Taken returns how many bytes read allocates, and its error: for inputs that are not variants, packed ones among them.
func Taken(read func() error) (bytes uint64, err error) {
	bytes, panicked, err := taken(read)
	if panicked != nil {
		panic(panicked)
	}
	return bytes, err
}
