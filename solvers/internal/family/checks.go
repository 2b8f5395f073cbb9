package family

import (
	"fmt"
	"math"
)

// Positive returns an error that names a field whose value is not a finite number above 0.
func Positive(field string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return fmt.Errorf("%s = %v, want a positive number", field, v)
	}
	return nil
}

// Count returns an error that names a field whose value is negative: least is what it may be, and 0 its default.
func Count(field string, v, least int) error {
	if v < 0 {
		return fmt.Errorf("%s = %d, want at least %d", field, v, least)
	}
	return nil
}

// Guesses returns an error unless the first k of m classes are some, but not all.
func Guesses(k, m int) error {
	if k >= m {
		return fmt.Errorf("K = %d with %d classes, want K < classes", k, m)
	}
	return nil
}

// Name returns the name of the value v of a type, in words.
func Name(kind string, v int, names []string) string {
	if v < 0 || v >= len(names) {
		return fmt.Sprintf("%s(%d)", kind, v)
	}
	return names[v]
}
