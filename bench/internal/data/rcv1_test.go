package data

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"strings"
	"testing"
)

// rWords are words of R's serialization.
func rWords(words ...int) (b []byte) {
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, uint32(w))
	}
	return b
}

func rString(text string) []byte { return append(rWords(rChar, len(text)), text...) }

func rReals(values ...float64) []byte {
	b := rWords(rReal, len(values))
	for _, v := range values {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// rNamed is a list with names, which are an attribute.
func rNamed(names []string, items ...[]byte) []byte {
	b := append(rWords(rList|rHasAttributes, len(items)), bytes.Join(items, nil)...)
	b = append(append(b, rWords(rPairs|rHasTag, rSymbol)...), rString("names")...)
	b = append(b, rWords(rText, len(names))...)
	for _, n := range names {
		b = append(b, rString(n)...)
	}
	return append(b, rWords(rNothing)...)
}

// rFile is a file with one value.
func rFile(value []byte) string {
	b := append([]byte("RDX2\nX\n"), rWords(2, 0, 0)...)
	b = append(append(b, rWords(rPairs|rHasTag, rSymbol)...), rString("set")...)
	return string(append(append(b, value...), rWords(rNothing)...))
}

func TestReadR(t *testing.T) {
	v, err := readR(strings.NewReader(rFile(rNamed([]string{"a", "b", "c"}, rReals(0, 2.5, 0, -1),
		rWords(rInteger, 3, 0, -7, 0), rString("text")))))
	if err != nil || len(v.items) != 1 || v.tags[0] != "set" {
		t.Fatalf("%+v, %v", v, err)
	}
	list := v.items[0]
	if a := list.named("a"); a.n != 4 || len(a.at) != 2 || a.at[1] != 3 || a.numbers[0] != 2.5 || a.numbers[1] != -1 {
		t.Errorf("a is %+v", a)
	}
	if b := list.named("b"); b.n != 3 || len(b.at) != 1 || b.at[0] != 1 || b.numbers[0] != -7 {
		t.Errorf("b is %+v", b)
	}
	if c := list.named("c"); c.text() != "text" || list.named("d").n != 0 {
		t.Errorf("c is %+v", c)
	}
	deep := bytes.Repeat(rWords(rList, 1), 200)
	for want, text := range map[string]string{
		"unpacked by xz": "\xfd7zXZ\x00 and more, more than a head", "EOF": rFile(rReals(1, 2))[:60],
		"type 99": rFile(rWords(99)), "reference 7 of 1": rFile(rWords(7<<8 | rReference)),
		"-1 items": rFile(rWords(rReal, -1)),
		"deep":     rFile(deep), "9 bytes, want": rFile(append(rWords(rChar, 1<<30), "short"...)),
		"ends with type": rFile(rReals(1))[:len(rFile(rReals(1)))-4] + string(rWords(rReal)),
	} {
		if v, err := readR(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v, %v, want %q", v, err, want)
		}
	}
}

// rcv1File is a file of columns with two documents; columns that are not given are of zeros.
func rcv1File(columns int, given map[int][]byte) string {
	all, zeros := make([][]byte, columns), rReals(0, 0)
	for j := range all {
		if all[j] = given[j+1]; all[j] == nil {
			all[j] = zeros
		}
	}
	return rFile(rNamed([]string{"name", "dataset"}, rString("rcv1"),
		append(rWords(rList, columns), bytes.Join(all, nil)...)))
}

func TestRCV1(t *testing.T) {
	const all = rcv1Words + rcv1Labels
	given := map[int][]byte{2: rReals(0.10544100000000001, 0), rcv1Words - 1: rReals(0, 1), rcv1Words: rReals(0.25, 1),
		rcv1Words + 1: rReals(1, 0), all: rReals(1, 0), all + 1: rReals(2, 0)}
	var b strings.Builder
	err := writeRCV1(&b, strings.NewReader(rcv1File(all+1, given)))
	if want := "1,101 2:0.105441 47236:0.25\n 47235:1\n"; err != nil || b.String() != want {
		t.Errorf("%q, %v, want %q", b.String(), err, want)
	}
	for want, text := range map[string]string{
		"47336 columns, want":    rcv1File(all-1, nil),
		"column 3 has 1 numbers": rcv1File(all, map[int][]byte{3: rReals(0)}),
		"R's data":               "text",
	} {
		if err := writeRCV1(io.Discard, strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
