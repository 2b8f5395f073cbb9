package dataset

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// Every decimal reads as strconv reads it, to the bit.
func TestParseNumberAgainstStrconv(t *testing.T) {
	texts := []string{"0", "-0", "+0", "1", "-1", "+1.5", ".5", "5.", "0.1", "1e5", "-1E-5", "00012.500",
		"9007199254740991", "9007199254740993",
		"1.00000005960464477539", "1.000000059604644775390626", "16777217", "33554435", "1.17549435e-38",
		"0.0000000000000000000001", "1e-46",
		"3.4028235e38", "1e-320", "123456789012345678901234567890", "0.30000000000000004", "2.2250738585072014e-308"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		v := math.Float64frombits(rng.Uint64())
		if isFinite(v) && math.Abs(v) < 1e38 {
			texts = append(texts, strconv.FormatFloat(v, 'g', -1, 64))
		}
		texts = append(texts, strconv.FormatFloat(rng.Float64()*100, 'f', rng.IntN(18), 64))
		f := math.Float32frombits(rng.Uint32() & 0xbfffffff)
		texts = append(texts, strconv.FormatFloat(float64(f), 'g', -1, 32))
		// Near the middle between two float32, where two roundings can differ from one.
		mid := float64(1+rng.Float32()) * (1 + 0x1p-24)
		texts = append(texts, strconv.FormatFloat(mid, 'f', 14+rng.IntN(3), 64))
		texts = append(texts, strconv.FormatFloat(mid*1e-3, 'f', 18+rng.IntN(6), 64), strconv.FormatFloat(-mid*1e6, 'f',
			12, 64))
	}
	for _, s := range texts {
		w64, _ := strconv.ParseFloat(s, 64)
		if v, ok := parseNumber[float64](s); ok != finite || math.Float64bits(v) != math.Float64bits(w64+0) {
			t.Errorf("float64 %q: %v, verdict %d, want %v", s, v, ok, w64)
		}
		w32, _ := strconv.ParseFloat(s, 32)
		if v, ok := parseNumber[float32]([]byte(s)); ok != finite || math.Float32bits(v) != math.Float32bits(
			float32(w32)+0) {
			t.Errorf("float32 %q: %v, verdict %d, want %v", s, v, ok, w32)
		}
		if v, n := leadingNumber[float64]([]byte(s + " 7")); n != len(s) || math.Float64bits(v) != math.Float64bits(
			w64+0) {
			t.Errorf("float64 %q: %v of %d bytes, want %v", s, v, n, w64)
		}
		if v, n := leadingNumber[float32]([]byte(s + "\n")); n != len(s) || math.Float32bits(v) != math.Float32bits(
			float32(w32)+0) {
			t.Errorf("float32 %q: %v of %d bytes, want %v", s, v, n, w32)
		}
	}
}

// A number that the bytes end with may go on behind them.
func TestLeadingNumberMayGoOn(t *testing.T) {
	for _, s := range []string{"", "-", "1", "1.", "-1.5", "1e", "1e5", "nan"} {
		if v, n := leadingNumber[float32]([]byte(s)); n != 0 {
			t.Errorf("%q: %v of %d bytes", s, v, n)
		}
	}
}

func TestParseNumberRefuses(t *testing.T) {
	for _, c := range []struct {
		text string
		want verdict
	}{
		{"", notNumber}, {"+", notNumber}, {"-", notNumber}, {".", notNumber}, {"+.", notNumber}, {"1.2.3", notNumber},
		{"1-2", notNumber},
		{"--1", notNumber}, {"1e", notNumber}, {"e5", notNumber}, {"0x1p3", notNumber}, {"1_000", notNumber},
		{"1,5", notNumber}, {" 1", notNumber},
		{"n", notNumber}, {"nano", notNumber}, {"NaN", notFinite}, {"nan", notFinite}, {"Inf", notFinite},
		{"-infinity", notFinite}, {"+inf", notFinite},
		{"1e400", tooLarge}, {"-1e400", tooLarge}, {"1\x00", notNumber}, {"१", notNumber},
	} {
		if _, ok := parseNumber[float64](c.text); ok != c.want {
			t.Errorf("float64 %q: verdict %d, want %d", c.text, ok, c.want)
		}
		if _, ok := parseNumber[float32]([]byte(c.text)); ok != c.want {
			t.Errorf("float32 %q: verdict %d, want %d", c.text, ok, c.want)
		}
		if v, n := leadingNumber[float32]([]byte(c.text + "\n")); n != 0 {
			t.Errorf("float32 %q: %v of %d bytes", c.text, v, n)
		}
	}
	for _, s := range []string{"1e39", "340282356779733661637539395458142568448", "-3.5e38"} {
		if _, ok := parseNumber[float32](s); ok != tooLarge {
			t.Errorf("float32 %q: verdict %d, want %d", s, ok, tooLarge)
		}
	}
}

func TestParseNumberDoesNotAllocate(t *testing.T) {
	t.Run("float32", parseAllocs[float32])
	t.Run("float64", parseAllocs[float64])
}

func parseAllocs[T vec.Float](t *testing.T) {
	texts := [][]byte{[]byte("-0.123456"), []byte("784"), []byte("1.5e-7"), []byte("0.12345678901234567890")}
	if n := prove.Allocs(100, func() {
		for _, s := range texts {
			if _, ok := parseNumber[T](s); ok != finite {
				t.Fatalf("%q refused", s)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations for %d numbers", n, len(texts))
	}
}
