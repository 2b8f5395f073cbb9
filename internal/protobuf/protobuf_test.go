package protobuf

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

// The bytes of the format's own documentation: field 1 with 150, field 2 with "testing", field 4 or 6 with packed
// integers.
func TestBytes(t *testing.T) {
	for want, got := range map[string][]byte{
		"\x08\x96\x01":                                 AppendInt(nil, 1, 150),
		"\x12\x07testing":                              AppendText(nil, 2, "testing"),
		"\x32\x06\x03\x8e\x02\x9e\xa7\x05":             AppendInts(nil, 6, []int64{3, 270, 86942}),
		"\x15\x00\x00\x80\x3f":                         AppendFloat(nil, 2, 1),
		"\x3a\x08\x00\x00\x80\x3f\x00\x00\x00\xc0":     AppendFloats(nil, 7, []float32{1, -2}),
		"\x1a\x03\x08\x96\x01":                         AppendBytes(nil, 3, AppendInt(nil, 1, 150)),
		"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": AppendInt(nil, 1, -1),
	} {
		if string(got) != want {
			t.Errorf("%x, want %x", got, want)
		}
	}
}

// What is written is read, packed or one by one.
func TestFields(t *testing.T) {
	b := AppendInt(nil, 1, -5)
	b = AppendFloat(b, 2, 1.5)
	b = AppendText(b, 3, "ab")
	b = AppendInts(b, 4, []int64{1, math.MinInt64, math.MaxInt64})
	b = AppendInt(b, 4, 7)
	b = AppendFloats(b, 5, []float32{1, 2})
	b = AppendFloat(b, 5, 3)
	b = append(b, 0x31, 1, 2, 3, 4, 5, 6, 7, 8) // field 6, 64 bits
	var ints []int64
	var floats []float32
	seen := 0
	for f, err := range Fields(b) {
		if err != nil {
			t.Fatal(err)
		}
		seen++
		switch f.Number {
		case 1:
			if v, err := f.Int(); v != -5 || err != nil {
				t.Error(v, err)
			}
			if _, err := f.Bytes(); err == nil || !strings.Contains(err.Error(), "field 1 is a varint, want bytes") {
				t.Error(err)
			}
			if _, err := f.AppendFloats(nil); err == nil {
				t.Error("floats of a varint")
			}
		case 2:
			if v, err := f.Float(); v != 1.5 || err != nil {
				t.Error(v, err)
			}
			if _, err := f.AppendInts(nil); err == nil {
				t.Error("integers of a float")
			}
		case 3:
			if v, err := f.Text(); v != "ab" || err != nil {
				t.Error(v, err)
			}
		case 4:
			ints, err = f.AppendInts(ints)
		case 5:
			floats, err = f.AppendFloats(floats)
		case 6:
			if _, err := f.Int(); err == nil {
				t.Error("64 bits as a varint")
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
	if seen != 8 || !slices.Equal(ints, []int64{1, math.MinInt64, math.MaxInt64, 7}) ||
		!slices.Equal(floats, []float32{1, 2, 3}) {
		t.Error(seen, ints, floats)
	}
	for range Fields(b) {
		break // the loop may end early
	}
}

// TestErrors: bytes that are no message.
func TestErrors(t *testing.T) {
	for in, want := range map[string]string{
		"\x08":                 "byte 0: the message ends within a varint",
		"\x80":                 "ends within a varint",
		"\x08\x01\x12\x05abcd": "byte 2: field 2: 5 bytes, of which there are 4",
		"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01":     "18446744073709551615 bytes, of which there are 0",
		"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": "more than 64 bits",
		"\x15\x00\x00":             "2 bytes of 4",
		"\x11\x00":                 "1 bytes of 8",
		"\x0b":                     "unknown type 3",
		"\x00\x01":                 "field number 0",
		"\x12":                     "ends within a varint",
		"\x80\x80\x80\x80\x10\x01": "field number 536870912",
	} {
		var last error
		for _, err := range Fields([]byte(in)) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%x: %v, want %q", in, last, want)
		}
	}
	for f := range Fields([]byte("\x3a\x03abc")) {
		if _, err := f.AppendFloats(nil); err == nil || !strings.Contains(err.Error(), "3 bytes of floats") {
			t.Error(err)
		}
	}
	for f := range Fields([]byte("\x3a\x02\x01\x80")) {
		if _, err := f.AppendInts(nil); err == nil || !strings.Contains(err.Error(), "ends within a varint") {
			t.Error(err)
		}
	}
}

// FuzzFields: whatever is read without an error takes the bytes that there are, and nothing panics.
func FuzzFields(f *testing.F) {
	f.Add([]byte("\x08\x96\x01\x12\x07testing\x15\x00\x00\x80\x3f"))
	f.Add([]byte("\x32\x06\x03\x8e\x02\x9e\xa7\x05\x31\x01\x02\x03\x04\x05\x06\x07\x08"))
	f.Fuzz(func(t *testing.T, in []byte) {
		total := 0
		for f, err := range Fields(in) {
			if err != nil {
				return
			}
			b, _ := f.Bytes()
			total += 2 + len(b)
			ints, _ := f.AppendInts(nil)
			floats, _ := f.AppendFloats(nil)
			if len(ints) > len(b)+1 || len(floats) > len(b)/4+1 {
				t.Fatalf("%d integers and %d floats of %d bytes", len(ints), len(floats), len(b))
			}
			if f.wire == length && !bytes.Contains(in, b) {
				t.Fatal("bytes that are not there")
			}
		}
		if total > len(in) {
			t.Fatalf("%d bytes of %d", total, len(in))
		}
	})
}
