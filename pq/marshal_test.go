package pq

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestMarshal: gob keeps all, JSON is an error in both directions, as a pointer, a value and a field.
func TestMarshal(t *testing.T) {
	for _, k := range goldenKinds {
		for _, nbits := range []int{4, 8} {
			v := k.make(t, nbits)
			if k.name == "codes" {
				continue
			}
			if out, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "WriteTo") {
				t.Errorf("%s: JSON is %s, error %v", k.name, out, err)
			}
			if out, err := json.Marshal(map[string]any{"a": v}); err == nil {
				t.Errorf("%s: JSON is %s", k.name, out)
			}
			if err := json.Unmarshal([]byte("{}"), v); err == nil || !strings.Contains(err.Error(), "WriteTo") {
				t.Errorf("%s: from JSON: error %v", k.name, err)
			}
			var b bytes.Buffer
			if err := gob.NewEncoder(&b).Encode(v); err != nil {
				t.Fatalf("%s: gob: %v", k.name, err)
			}
			var back io.WriterTo
			switch v.(type) {
			case *Quantizer:
				back = new(Quantizer)
			case *Index:
				back = new(Index)
			case *Matrix:
				back = new(Matrix)
			case *Scalar:
				back = new(Scalar)
			}
			if err := gob.NewDecoder(&b).Decode(back); err != nil || !sameContents(back, v) {
				t.Errorf("%s: from gob: error %v, or other contents", k.name, err)
			}
		}
	}
	if out, err := json.Marshal(struct{ Q Quantizer }{*goldenQuantizer(t, 4)}); err == nil {
		t.Errorf("JSON of a value: %s", out)
	}
	ix := new(Index)
	if err := ix.UnmarshalBinary(written(t, goldenIndex(t, 8))); err != nil {
		t.Fatal(err)
	}
	want, _ := goldenIndex(t, 8).Search(nil, []float32{1, 2}, Search{K: 3})
	if got, err := ix.Search(nil, []float32{1, 2}, Search{K: 3}); err != nil || !slices.Equal(got, want) {
		t.Errorf("an index from gob finds %v (error %v), want %v", got, err, want)
	}
}

// TestUnmarshalWhole: data that goes on behind the end is an error, in the format of today and in the old one.
func TestUnmarshalWhole(t *testing.T) {
	eachGolden(t, func(name string, kind, _ int, file []byte) {
		into := []encoding.BinaryUnmarshaler{new(Quantizer), nil, new(Index), new(Matrix), new(Index),
			new(Scalar), new(Index), new(Index)}[kind]
		if into == nil { // codes
			return
		}
		err := into.UnmarshalBinary(append(slices.Clone(file), "two"...))
		if !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "pq: corrupt file: 3 bytes behind the end") {
			t.Errorf("%s: error %v", name, err)
		}
		if err := into.UnmarshalBinary(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}
