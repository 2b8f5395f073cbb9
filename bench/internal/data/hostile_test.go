package data

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/damage"
)

// The sound files of hostile ones.
func soundMAT() []byte {
	return matFileOf(matNumbers("ab", 9, 2, 3, 1, 2, 3, 4, 5, 6), squeezed(matNumbers("longer", 6, 1, 2, 8, 9)),
		matNumbers("cell", 1, 1, 1, 7))
}

func soundR() string {
	return rFile(rNamed([]string{"a", "b"}, rReals(0, 2.5, 0, -1), rWords(rInteger, 3, 0, -7, 0)))
}

func soundSIFT() string {
	row := strings.TrimSuffix(strings.Repeat("7\t0\t255\t31\t", siftColumns/4), "\t")
	return strings.Repeat(row+"\t1\n", 5)
}

// checkMAT reads matrices, which have as many numbers as they say.
func checkMAT(t testing.TB, file []byte, most int) error {
	all, err := readMAT(file, most)
	for name, m := range all {
		if err == nil && m.rows*m.cols != len(m.at) {
			t.Errorf("%s: %d-by-%d of %d numbers", name, m.rows, m.cols, len(m.at))
		}
	}
	return err
}

// TestHostile: no damage makes a reader panic or take memory that the bytes do not explain. A value of R takes some
// two hundred bytes and may have four in a file; XML and zlib have tables of their own.
func TestHostile(t *testing.T) {
	read := func(read func(r io.Reader) error) func(testing.TB, []byte) error {
		return func(_ testing.TB, file []byte) error { return read(bytes.NewReader(file)) }
	}
	for _, r := range []damage.Reader{
		{Name: "MAT", File: soundMAT(), Form: damage.Binary, Limit: damage.Limit{Base: 1 << 18, PerByte: 64},
			Read: func(t testing.TB, file []byte) error { return checkMAT(t, file, matMost) }},
		{Name: "R", File: []byte(soundR()), Form: damage.Binary, Limit: damage.Limit{Base: 3 << 19, PerByte: 256},
			Read: read(func(r io.Reader) error { _, err := readR(r); return err })},
		{Name: "Mulan's labels", File: []byte(names), Limit: damage.Limit{Base: 1 << 16, PerByte: 256},
			Read: read(func(r io.Reader) error { _, err := mulanLabels(r); return err })},
		{Name: "ARFF", File: []byte(dense), Limit: damage.Limit{Base: 1 << 18, PerByte: 256},
			Read: read(func(r io.Reader) error { return mulan(io.Discard, r, []string{"yes", "no"}) })},
		{Name: "sparse ARFF", File: []byte(sparse), Limit: damage.Limit{Base: 1 << 18, PerByte: 256},
			Read: read(func(r io.Reader) error { return mulan(io.Discard, r, []string{"yes", "no"}) })},
		{Name: "SIFT", File: []byte(soundSIFT()), Limit: damage.Limit{Base: 1 << 18, PerByte: 64},
			Read: read(func(r io.Reader) error { return writeSIFT(io.Discard, r) })},
	} {
		r.N = 400
		r.Run(t)
	}
}

// TestBomb: elements that unpack to more than what is left are refused before they are all unpacked.
func TestBomb(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write(make([]byte, 32<<20))
	w.Close()
	bomb := matFileOf(slices.Concat(binary.LittleEndian.AppendUint32([]byte{matCompressed, 0, 0, 0}, uint32(z.Len())),
		z.Bytes()))
	damage.Defused(t, "one", 8<<20, func() error { return checkMAT(t, bomb, 1<<20) })
	small := squeezed(matNumbers("longer", 6, 1, 2, 8, 9))
	many := matFileOf(slices.Repeat([][]byte{small}, 100)...)
	if err := checkMAT(t, many, 1<<20); err != nil {
		t.Error(err)
	}
	damage.Defused(t, "many", 8<<20, func() error { return checkMAT(t, many, 1<<10) })
}

func FuzzMAT(f *testing.F) {
	for _, file := range damage.Seeds(soundMAT(), damage.Binary, 20) {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) { checkMAT(t, file, 1<<20) })
}

func FuzzReadR(f *testing.F) {
	for _, file := range damage.Seeds([]byte(soundR()), damage.Binary, 20) {
		f.Add(string(file))
	}
	f.Fuzz(func(t *testing.T, text string) { readR(strings.NewReader(text)) })
}

// FuzzMulan reads labels and rows of Mulan's, and SIFT's table.
func FuzzMulan(f *testing.F) {
	for k, text := range []string{names, dense, sparse, soundSIFT()} {
		for _, file := range damage.Seeds([]byte(text), damage.Text, 8) {
			f.Add(uint8(k), string(file))
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, text string) {
		switch kind % 3 {
		case 0:
			mulanLabels(strings.NewReader(text))
		case 1:
			mulan(io.Discard, strings.NewReader(text), []string{"yes", "no"})
		case 2:
			writeSIFT(io.Discard, strings.NewReader(text))
		}
	})
}
