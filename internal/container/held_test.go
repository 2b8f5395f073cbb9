package container

import (
	"bytes"
	"testing"
)

// TestHeld: sections that are held are written as if they were written at once, however often.
func TestHeld(t *testing.T) {
	some := func(w *Writer) {
		w.Ints("size", 3)
		Floats(w, "long", make([]float64, 1<<15))
	}
	held, err := Hold(some)
	if err != nil {
		t.Fatal(err)
	}
	want := file(t, some)
	for range 2 {
		if got := file(t, held.Append); !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d bytes, want %d, or others", got.Len(), want.Len())
		}
	}
	if _, err := Hold(func(w *Writer) { w.Ints("too long a tag") }); err == nil {
		t.Error("a tag that is too long is held")
	}
}
