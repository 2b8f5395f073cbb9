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

var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

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

// leadingNumber reads the number that b begins with, up to a blank, the end of a line or a comment, as parseNumber
// does, and returns how many bytes it has: 0 where it is not finite, or where b ends with it.
func leadingNumber[T vec.Float](b []byte) (T, int) {
	i := 0
	if len(b) > 0 && b[0] == '-' {
		i = 1
	}
	var digits uint64
	start := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		digits = digits*10 + uint64(b[i]-'0')
	}
	count, behind := i-start, 0
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			digits = digits*10 + uint64(b[i]-'0')
		}
		behind = i - point
		count += behind
	}
	if i == len(b) {
		return 0, 0
	}
	if endsWord[b[i]] && 0 < count {
		var v float64
		var ok bool
		if count <= 19 && digits < 1<<53 {
			v = float64(digits)
			if behind > 0 {
				v /= pow10[behind]
			}
			ok = unsafe.Sizeof(T(0)) == 8 || roundsOnce(v)
		} else if unsafe.Sizeof(T(0)) == 4 {
			v, ok = cutNumber(b[start:i])
		}
		if ok {
			if start > 0 && v != 0 {
				v = -v
			}
			return T(v), i
		}
	}
	for ; i < len(b) && !endsWord[b[i]]; i++ {
	}
	if i == len(b) {
		return 0, 0
	}
	v, ok := parseSlow[T](string(b[:i]))
	if ok != finite {
		return 0, 0
	}
	return v, i
}

// cutNumber reads digits with at most one point among them, of which there are many, to the precision of float32. The
// number lies between its first 15 digits D and D+1, times a power of ten: where both of these round to the same
// float32, so does it.
func cutNumber(b []byte) (v float64, ok bool) {
	var digits uint64
	behind, point := 0, false
	for _, c := range b {
		switch {
		case c == '.':
			point = true
		case digits < 1e14:
			digits = digits*10 + uint64(c-'0')
			if point {
				behind++
			}
		case !point:
			return 0, false // the power of ten is positive
		}
	}
	if behind >= len(pow10) {
		return 0, false
	}
	low, high := float64(digits)/pow10[behind], float64(digits+1)/pow10[behind]
	return low, roundsOnce(low) && roundsOnce(high) && float32(low) == float32(high)
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
