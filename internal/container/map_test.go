package container

import (
	"bytes"
	"errors"
	"maps"
	"strings"
	"testing"
)

func TestMap(t *testing.T) {
	for _, m := range []map[string]string{nil, {"": ""}, {"b": "1", "a": "2", "": "3", "ä": "\x00"}} {
		var b bytes.Buffer
		w := NewWriter(&b, "map", 1)
		w.Map("m", m)
		if _, err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Open(&b)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Map("m"); !maps.Equal(got, m) || r.Close() != nil {
			t.Errorf("%q, want %q: %v", got, m, r.Err())
		}
	}
}

func TestMapErrors(t *testing.T) {
	for want, pairs := range map[string][]string{
		"has 1 strings, want a value for each key": {"a"},
		`has the key "a" after "b"`:                {"b", "1", "a", "2"},
		`has the key "a" after "a"`:                {"a", "1", "a", "2"},
	} {
		r, err := Open(file(t, func(w *Writer) { w.Strings("m", pairs) }))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Map("m"); got != nil || !errors.Is(r.Err(), ErrCorrupt) ||
			!strings.Contains(r.Err().Error(), want) {
			t.Errorf("%q: %v, want %q", got, r.Err(), want)
		}
	}
}
