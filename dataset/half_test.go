package dataset

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// Every number of binary16 is (1 + fraction/1024) 2^(exponent-15), and comes back as it was.
func TestHalf(t *testing.T) {
	for bits := range 1 << 16 {
		h := uint16(bits)
		sign, exponent, fraction := 1-2*float64(h>>15), int(h>>10&31), float64(h&1023)
		want := sign * math.Ldexp(1+fraction/1024, exponent-15)
		switch {
		case exponent == 31 && fraction == 0:
			want = math.Inf(int(sign))
		case exponent == 31:
			want = math.NaN()
		case exponent == 0:
			want = sign * math.Ldexp(fraction, -24)
		}
		got := halfTo64(h)
		if got != want && (got == got || want == want) || math.Signbit(got) != (h>>15 == 1) && got == got {
			t.Fatalf("%04x is %v, want %v", h, got, want)
		}
		if back := halfOf(got); back != h && got == got {
			t.Fatalf("%04x is %v, which is written as %04x", h, got, back)
		}
	}
}

// The number written is the nearest, of two equally near ones the even one.
func TestHalfOf(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200000 {
		f := math.Ldexp(r.Float64(), r.IntN(44)-27)
		h := halfOf(f)
		if f >= 65520 {
			if h != 0x7c00 {
				t.Fatalf("%v is written as %04x", f, h)
			}
			continue
		}
		off := math.Abs(halfTo64(h) - f)
		for _, other := range []uint16{h - 1, h + 1} {
			if other < 0x7c00 && math.Abs(halfTo64(other)-f) < off {
				t.Fatalf("%v is written as %04x, but %04x is nearer", f, h, other)
			}
		}
	}
	for h := uint16(0); h < 0x7bff; h++ {
		between := (halfTo64(h) + halfTo64(h+1)) / 2
		if want := h + h&1; halfOf(between) != want || halfOf(-between) != want|0x8000 {
			t.Fatalf("%v is written as %04x, want %04x", between, halfOf(between), want)
		}
	}
	if halfOf(math.NaN())&0x7fff <= 0x7c00 || halfOf(math.Inf(-1)) != 0xfc00 || halfOf(1e-300) != 0 {
		t.Error("what is not finite, or too small")
	}
}

// The bytes are what numpy.save(numpy.array([[1, -2, 65504], [.1, 6e-8, 0]], "<f2")) writes.
func TestNPYHalf(t *testing.T) {
	numbers := []byte{0x00, 0x3c, 0x00, 0xc0, 0xff, 0x7b, 0x66, 0x2e, 0x01, 0x00, 0x00, 0x00}
	x := &Dense[float64]{vec.MatrixOf(2, 3, []float64{1, -2, 65504, .1, 6e-8, 0})}
	var b bytes.Buffer
	if err := WriteNPY(&b, x, NPYOptions{Type: "f2"}); err != nil || !bytes.HasSuffix(b.Bytes(), numbers) {
		t.Fatalf("wrote %x, %v", b.Bytes(), err)
	}
	got, err := ReadNPY[float32](&b, "f", NPYOptions{})
	want := []float32{1, -2, 65504, .0999755859375, 0x1p-24, 0}
	if err != nil || len(got.Data) != len(want) {
		t.Fatal(got, err)
	}
	for i, v := range want {
		if got.Data[i] != v {
			t.Errorf("number %d is %v, want %v", i, got.Data[i], v)
		}
	}
	big := &Dense[float64]{vec.MatrixOf(1, 2, []float64{1, 65520})}
	if err := WriteNPY(&b, big, NPYOptions{Type: "f2"}); err == nil ||
		err.Error() != "dataset: row 0, column 1: value 65520, less 0 and divided by 1, is beyond type f2" {
		t.Error(err)
	}
}
