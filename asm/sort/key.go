package sort

import "unsafe"

// is32 is a constant in each instance, so that the branch on it costs nothing.
func is32[K key]() bool { return unsafe.Sizeof(*new(K)) == 4 }

// toKey returns the key of a float with the bits u.
func toKey[K key](u K, f Form) K {
	sign, top, fraction := parts[K]()
	if f&Descending != 0 {
		u ^= sign
	}
	if u < 0 {
		u ^= top
	}
	return u - fraction
}

// fromKey is the inverse of toKey.
func fromKey[K key](k K, f Form) K {
	sign, top, fraction := parts[K]()
	k += fraction
	if k < 0 {
		k ^= top
	}
	if f&Descending != 0 {
		k ^= sign
	}
	return k
}

// parts returns the sign, all bits but the sign, and the bits of the fraction.
func parts[K key]() (sign, top, fraction K) {
	one, n, m := K(1), 31, 23
	if !is32[K]() {
		n, m = 63, 52
	}
	sign = one << n
	return sign, ^sign, one<<m - 1
}
