package dataset

import (
	"errors"
	"testing"
)

// TestClose: what is mapped is unmapped once, and its error told; of what is in memory there is nothing to do.
func TestClose(t *testing.T) {
	want := errors.New("busy")
	times := 0
	m := &mapping{file: "f", bytes: []byte{1}, unmap: func() error { times++; return want }}
	if err := m.Close(); !errors.Is(err, want) || times != 1 {
		t.Errorf("unmapped %d times, %v, want once, %v", times, err, want)
	}
	if err := m.Close(); err == nil || errors.Is(err, want) || times != 1 {
		t.Errorf("closed again: unmapped %d times, %v", times, err)
	}
	if err := (&mapping{file: "f", bytes: []byte{1}}).Close(); err != nil {
		t.Error(err)
	}
}
