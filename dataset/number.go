package dataset

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/dualgap/dualgap/vec"
)

// verdict is what parseNumber makes of a text.
type verdict int

const (
	finite    verdict = iota
	notFinite         // NaN or an infinity, spelled out
	tooLarge          // a decimal number beyond the type's range
	notNumber
)

// want says what should stand in place of a text with verdict v.
func (v verdict) want(size uintptr) string {
	switch v {
	case notFinite:
		return "a finite number"
	case tooLarge:
		return "a number in the range of float" + strconv.Itoa(int(8*size))
	}
	return "a number"
}

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber reads a decimal number, correctly rounded to T; -0 becomes 0. Without an exponent, digits that make an
// integer below 2^53 and at most 22 of them behind the point, it is one division of two exact float64 (Clinger, How to
// read floating point numbers accurately, 1990); the rest is left to strconv.
func parseNumber[T vec.Float, S []byte | string](s S) (T, verdict) {
	i, negative := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		i, negative = 1, s[0] == '-'
	}
	var digits uint64
	start, point := i, -1
	for ; i < len(s); i++ {
		if c := s[i] - '0'; c <= 9 {
			digits = digits*10 + uint64(c)
		} else if s[i] == '.' && point < 0 {
			point = i
		} else {
			return parseSlow[T](string(s))
		}
	}
	count, behind := i-start, 0
	if point >= 0 {
		count, behind = count-1, i-1-point
	}
	if count == 0 || count > 19 || digits >= 1<<53 || behind > 22 {
		return parseSlow[T](string(s))
	}
	v := float64(digits) / pow10[behind]
	if unsafe.Sizeof(T(0)) == 4 && !roundsOnce(v) {
		return parseSlow[T](string(s))
	}
	if negative && digits != 0 {
		v = -v
	}
	return T(v), finite
}

// roundsOnce reports whether rounding v on to float32 gives what rounding the exact number at once would: v is a normal
// float32 and does not lie halfway between two of them, where the first rounding may have put it.
func roundsOnce(v float64) bool {
	return v == 0 || v >= 0x1p-126 && v <= math.MaxFloat32 && math.Float64bits(v)&(1<<29-1) != 1<<28
}

func parseSlow[T vec.Float](s string) (T, verdict) {
	v, err := strconv.ParseFloat(s, int(8*unsafe.Sizeof(T(0))))
	spelled := strings.ContainsAny(s, "nN") // inf, nan; no decimal number has the letter
	switch {
	case err == nil && spelled:
		return 0, notFinite
	case strings.ContainsAny(s, "xX_"), err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, notNumber
	case err != nil:
		return 0, tooLarge
	}
	return T(v) + 0, finite
}

// appendNumber appends the shortest text that parseNumber[T] reads as v.
func appendNumber[T vec.Float](b []byte, v T) []byte {
	return strconv.AppendFloat(b, float64(v), 'g', -1, int(8*unsafe.Sizeof(v)))
}
