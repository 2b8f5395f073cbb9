package container

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestIndices: they come back, from the same bytes as Int32s writes.
func TestIndices(t *testing.T) {
	long := make([]int, 40_000) // of several pieces
	for k := range long {
		long[k] = k * 7 % 40_001
	}
	for _, v := range [][]int{nil, {0}, {2, 0, 1}, long} {
		narrow := make([]int32, len(v))
		for k, i := range v {
			narrow[k] = int32(i)
		}
		in := file(t, func(w *Writer) { w.Indices("i", v) })
		if want := file(t, func(w *Writer) { w.Int32s("i", narrow) }); !bytes.Equal(in.Bytes(), want.Bytes()) {
			t.Errorf("%d indices are written other than as int32", len(v))
		}
		r, err := Open(in)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Indices("i", len(v), 40_001); !slices.Equal(got, v) || r.Close() != nil {
			t.Errorf("%d indices come back as %d: %v", len(v), len(got), r.Err())
		}
	}
}

func TestIndicesErrors(t *testing.T) {
	for _, c := range []struct {
		v        []int32
		count, n int
		want     string
	}{
		{[]int32{0, 1}, 3, 3, `section "i" has 2 elements, want 3`},
		{[]int32{0, 3}, 2, 3, `index 1 of section "i" is 3, want one in 0..2`},
		{[]int32{-1}, -1, 3, `index 0 of section "i" is -1, want one in 0..2`},
		{[]int32{2, 0, 2}, 3, 3, `section "i" has the index 2 twice`},
		{[]int32{0, 1, 2, 0}, -1, 3, `section "i" has 4 different numbers in 0..2`},
		{[]int32{0}, -1, 0, `section "i" has 1 different numbers in 0..-1`},
	} {
		r, err := Open(file(t, func(w *Writer) { w.Int32s("i", c.v) }))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Indices("i", c.count, c.n); got != nil || !errors.Is(r.Err(), ErrCorrupt) ||
			!strings.Contains(r.Err().Error(), c.want) {
			t.Errorf("%d: %v, error %v, want %q", c.v, got, r.Err(), c.want)
		}
	}
	bad := []int{-1}
	if strconv.IntSize == 64 {
		beyond := int64(math.MaxInt32) + 1
		bad = append(bad, int(beyond))
	}
	for _, i := range bad {
		w := NewWriter(io.Discard, "k", 1)
		w.Indices("i", []int{0, i})
		if _, err := w.Close(); err == nil || !strings.Contains(err.Error(), `index 1 of section "i" is `+
			strconv.Itoa(i)) {
			t.Errorf("index %d: error %v", i, err)
		}
	}
}
