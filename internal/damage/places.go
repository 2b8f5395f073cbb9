package damage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
)

// places yields files with one change at each of the first places of a sound one, and what was done to them: every
// place and number in turn, where Variants draws. Of a text a run of digits becomes other numbers, a word goes away or
// comes twice; of binary numbers each byte, and each word of 4 or 8 bytes in its low order, becomes others.
func places(file []byte, form Form) iter.Seq2[string, []byte] {
	if form == Text {
		return textPlaces(file)
	}
	return binaryPlaces(file)
}

// binaryPlaces does so for the first bytes, where headers are, and the last ones.
func binaryPlaces(file []byte) iter.Seq2[string, []byte] {
	const first, last = 400, 24
	low := binary.LittleEndian
	return func(yield func(string, []byte) bool) {
		for at := range file {
			if at >= first && at < len(file)-last {
				continue
			}
			for _, size := range []int{1, 4, 8} {
				if at%min(size, 4) != 0 || at+size > len(file) {
					continue
				}
				var whole [8]byte
				copy(whole[:], file[at:at+size])
				for _, v := range around(low.Uint64(whole[:]), 8*size) {
					bad := slices.Clone(file)
					copy(bad[at:at+size], low.AppendUint64(nil, v))
					if !yield(fmt.Sprintf("%d bytes from %d are %d", size, at, v), bad) {
						return
					}
				}
			}
		}
	}
}

// around are other numbers of some bits than v: its neighbors, and the ones where an integer or a float ends.
func around(v uint64, width int) (all []uint64) {
	all = []uint64{v + 1, v - 1, 0, 1<<width - 1}
	for _, k := range []int{1, 7, 8, 15, 16, 24, 31, 32, 53, 63} {
		if k < width {
			all = append(all, 1<<k-1, 1<<k)
		}
	}
	switch width {
	case 32:
		all = append(all, 0x7f800000, 0xff800000, 0x7fc00000) // infinities, NaN
	case 64:
		all = append(all, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000)
	}
	mask := uint64(1)<<width - 1
	for k := range all {
		all[k] &= mask
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(w uint64) bool { return w == v&mask })
}

// textPlaces does so for the first words, and for the last ones.
func textPlaces(file []byte) iter.Seq2[string, []byte] {
	const first, last = 48, 4
	return func(yield func(string, []byte) bool) {
		words := wordsOf(file)
		for k, w := range words {
			if k >= first && k < len(words)-last {
				continue
			}
			from, to := w[0], w[1]
			put := func(text string) bool {
				bad := slices.Concat(file[:from], []byte(text), file[to:])
				return yield(fmt.Sprintf("word %d is %.30q", k, text), bad)
			}
			word := string(file[from:to])
			others := []string{"", word + word, word + " " + word, "\n" + word, "x"}
			if v, err := strconv.ParseInt(word, 10, 62); err == nil {
				others = append(others, fmt.Sprint(v+1), fmt.Sprint(v-1), "0"+word, word+".0", word+"e0", "+"+word)
			}
			for _, text := range append(others, numbers...) {
				if text != word && !put(text) {
					return
				}
			}
		}
		for at := range min(len(file), 3*bits.Len(uint(len(file)))) {
			for _, c := range []byte(special) {
				bad := slices.Concat(file[:at], []byte{c}, file[at+1:])
				if c != file[at] && !yield(fmt.Sprintf("byte %d is %q", at, c), bad) {
					return
				}
			}
		}
	}
}

// wordsOf are where words begin and end: runs of bytes between white space and signs of a text.
func wordsOf(file []byte) (all [][2]int) {
	from := 0
	for at := 0; at <= len(file); at++ {
		if at < len(file) && bytes.IndexByte([]byte(" \t\n\r,:;=[]{}()\"'"), file[at]) < 0 {
			continue
		}
		if at > from {
			all = append(all, [2]int{from, at})
		}
		from = at + 1
	}
	return all
}
