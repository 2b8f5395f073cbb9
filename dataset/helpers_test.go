package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dualgap/dualgap/vec"
)

func packed(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write(b)
	z.Close()
	return out.Bytes()
}

// checkPlace demands a *ParseError at a place, with parts in its message.
func checkPlace(t *testing.T, err error, place string, parts ...string) {
	t.Helper()
	var e *ParseError
	if !errors.As(err, &e) {
		t.Errorf("error %v is no *ParseError", err)
		return
	}
	if !strings.HasPrefix(err.Error(), "dataset: "+place+": ") {
		t.Errorf("error %q, want it at %q", err, place)
	}
	checkMessage(t, err, parts)
}

// slowly hands out input a byte at a time.
func slowly(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) }

func sameLabels(a, b Labels) bool {
	return slices.Equal(a.Y, b.Y) && slices.Equal(a.Classes, b.Classes) && slices.Equal(a.Values, b.Values)
}

func sameCSR[T vec.Float](a, b *CSR[T]) bool {
	return a.Rows == b.Rows && a.Cols == b.Cols && slices.Equal(a.Ptr, b.Ptr) && slices.Equal(a.Idx, b.Idx) &&
		slices.Equal(a.Val, b.Val)
}

func sameDense[T vec.Float](a, b *Dense[T]) bool {
	return a.Rows == b.Rows && a.Cols == b.Cols && slices.Equal(a.Data, b.Data)
}

// idler is a reader that returns neither bytes nor an error some times, for ever where times is negative, then io.EOF.
type idler struct{ times int }

func idle(times int) *idler { return &idler{times} }

func (r *idler) Read([]byte) (int, error) {
	if r.times == 0 {
		return 0, io.EOF
	}
	r.times--
	return 0, nil
}
