// Package damage tests readers of files: from a sound file it makes damaged ones, and says which of them make a reader
// panic or take more memory than the bytes that have come explain.
package damage

import (
	"encoding/binary"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Form says where in a file numbers and parts stand.
type Form int

const (
	Text   Form = iota // numbers are runs of digits, parts are lines or words
	Binary             // numbers are words of 2, 4 or 8 bytes in either order, parts are runs of bytes
)

// Kinds of damage.
const (
	Cut      = "cut"
	Flipped  = "bits flipped"
	Replaced = "bytes replaced"
	Number   = "a number replaced"
	Doubled  = "a part doubled"
	Removed  = "a part removed"
	Swapped  = "parts swapped"
	Appended = "bytes appended"
)

// Kinds are all kinds of damage.
var Kinds = []string{Cut, Flipped, Replaced, Number, Doubled, Removed, Swapped, Appended}

// Variants yields n files made from a sound one, and what was done to them: each kind of damage by turns, and every
// third time another one on top. The same file and n give the same variants. The file is left as it is.
func Variants(file []byte, form Form, n int) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		m := maker{rand.New(rand.NewPCG(uint64(len(file)), uint64(n))), form}
		for i := range n {
			what := Kinds[i%len(Kinds)]
			bad := m.damaged(slices.Clone(file), what)
			if i%3 == 2 {
				more := Kinds[m.IntN(len(Kinds))]
				what, bad = what+", then "+more, m.damaged(bad, more)
			}
			if !yield(what, bad) {
				return
			}
		}
	}
}

// Seeds returns n variants for a fuzz target, after the file itself.
func Seeds(file []byte, form Form, n int) [][]byte {
	all := [][]byte{file}
	for _, bad := range Variants(file, form, n) {
		all = append(all, bad)
	}
	return all
}

// maker makes damage.
type maker struct {
	*rand.Rand
	form Form
}

// damaged returns what b becomes, which it may change.
func (m maker) damaged(b []byte, kind string) []byte {
	switch {
	case kind == Appended:
		return append(b, []byte("\x00\xff1 :,\n{")[m.IntN(8):]...)
	case len(b) == 0:
		return b
	case kind == Cut:
		return b[:m.IntN(len(b))]
	case kind == Flipped:
		for range 1 + m.IntN(3) {
			b[m.place(len(b))] ^= 1 << m.IntN(8)
		}
		return b
	case kind == Replaced:
		for range 1 + m.IntN(3) {
			b[m.place(len(b))] = special[m.IntN(len(special))]
		}
		return b
	case kind == Number && m.form == Text:
		return m.digits(b)
	case kind == Number:
		return m.word(b)
	}
	from, to := m.part(b)
	switch kind {
	case Doubled:
		return slices.Concat(b[:to], b[from:])
	case Removed:
		return slices.Concat(b[:from], b[to:])
	}
	second, end := m.part(b)
	if second < from {
		from, to, second, end = second, end, from, to
	}
	second, end = max(second, to), max(end, to)
	return slices.Concat(b[:from], b[second:end], b[to:second], b[from:to], b[end:])
}

// special are bytes that stand in place of others.
const special = "\x00\x01\x7f\x80\xff\n\r\t ,;:-+.eE#\"'(){}[]"

// place is a byte of n: half of the time one of the first 256, where headers are.
func (m maker) place(n int) int {
	if m.IntN(2) == 0 {
		n = min(n, 256)
	}
	return m.IntN(n)
}

// numbers stand in place of a text's.
var numbers = []string{"", "0", "-1", "-0", "+", "1.5", "1e999", "-1e999", "1e-999", "nan", "-inf", "0x10", "1_0",
	"2147483647", "2147483648", "4294967296", "9223372036854775807", "9223372036854775808", "99999999999999999999",
	"-9223372036854775808", strings.Repeat("9", 400), "0." + strings.Repeat("0", 400) + "1"}

// digits replaces a run of digits.
func (m maker) digits(b []byte) []byte {
	at := m.place(len(b))
	digit := func(c byte) bool { return '0' <= c && c <= '9' }
	from := slices.IndexFunc(b[at:], digit)
	if from < 0 {
		at = 0
		if from = slices.IndexFunc(b, digit); from < 0 {
			return b
		}
	}
	from += at
	to := from + 1
	for to < len(b) && digit(b[to]) {
		to++
	}
	return slices.Concat(b[:from], []byte(numbers[m.IntN(len(numbers))]), b[to:])
}

// word replaces a word of 2, 4 or 8 bytes, mostly where a multiple of its size or of 4 bytes begins.
func (m maker) word(b []byte) []byte {
	size := 2 << m.IntN(3)
	if len(b) < size {
		return b
	}
	at := m.place(len(b) - size + 1)
	if m.IntN(4) > 0 {
		at -= at % min(size, 4)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if m.IntN(3) == 0 {
		order = binary.BigEndian
	}
	var whole [8]byte
	old := whole[:]
	if order == binary.LittleEndian {
		copy(old, b[at:at+size])
	} else {
		copy(old[8-size:], b[at:at+size])
	}
	v := order.Uint64(old)
	all := []uint64{0, 1, v + 1, v - 1, 2 * v, -v, uint64(len(b)), uint64(len(b)) + 1, 1 << 20, 1 << 24, 1 << 28,
		math.MaxInt16, math.MaxInt32, math.MaxInt32 + 1, math.MaxUint32, 1 << 33, 1 << 40, 1 << 60, math.MaxInt64,
		math.MaxInt64 + 1, math.MaxUint64, 0x7ff8000000000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7ff0000000000000}
	order.PutUint64(old, all[m.IntN(len(all))])
	if order == binary.LittleEndian {
		copy(b[at:], old[:size])
	} else {
		copy(b[at:], old[8-size:])
	}
	return b
}

// part returns where a part of b begins and ends: of a text a line or a word.
func (m maker) part(b []byte) (from, to int) {
	at := m.place(len(b))
	if m.form == Binary {
		size := 1 << m.IntN(7)
		from = at - at%min(size, 8)
		return from, min(from+size, len(b))
	}
	ends := "\n"
	if m.IntN(2) == 0 {
		ends = "\n ,:\t"
	}
	end := func(c byte) bool { return strings.IndexByte(ends, c) >= 0 }
	for from = at; from > 0 && !end(b[from-1]); from-- {
	}
	for to = at; to < len(b) && !end(b[to]); to++ {
	}
	return from, min(to+1, len(b))
}
