package jsonrow

import (
	"math"
	"strconv"
)

// powers are the powers of ten that float64 has exactly.
var powers = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
	1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// number reads the number that b begins with, by the grammar of JSON (RFC 8259, section 6), correctly rounded, and
// returns how many bytes it has: 0 where there is none. A number beyond float64 is an infinity.
//
// An integer below 2^53 times or by an exact power of ten is rounded once (Clinger, How to read floating point numbers
// accurately, 1990); the rest is left to strconv.
func number(b []byte) (v float64, n int) {
	i, negative := 0, false
	if len(b) > 0 && b[0] == '-' {
		i, negative = 1, true
	}
	start := i
	var digits uint64
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		digits = digits*10 + uint64(b[i]-'0')
	}
	count := i - start
	if count == 0 || count > 1 && b[start] == '0' {
		return 0, 0
	}
	exponent := 0
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			digits = digits*10 + uint64(b[i]-'0')
		}
		if i == point {
			return 0, 0
		}
		exponent = point - i
		count -= exponent
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		e, read := power(b[i+1:])
		if read == 0 {
			return 0, 0
		}
		exponent += e
		i += 1 + read
	}
	if count > 19 || digits >= 1<<53 || exponent < -22 || exponent > 22 {
		v, err := strconv.ParseFloat(string(b[:i]), 64)
		if err != nil {
			return math.Inf(1), i // out of range: the grammar has been checked
		}
		return v, i
	}
	v = float64(digits)
	if exponent < 0 {
		v /= powers[-exponent]
	} else {
		v *= powers[exponent]
	}
	if negative {
		v = -v
	}
	return v, i
}

// power reads what follows the e of a number, and returns how many bytes it has: 0 where there is none.
func power(b []byte) (e, n int) {
	i, sign := 0, 1
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
		if b[0] == '-' {
			sign = -1
		}
	}
	first := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		e = min(e*10+int(b[i]-'0'), 1<<20) // far beyond the exact powers
	}
	if i == first {
		return 0, 0
	}
	return sign * e, i
}
