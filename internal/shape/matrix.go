package shape

import (
	"fmt"
	"math/bits"
)

// Sound is a quick check of a matrix of n elements, small enough to be inlined: true where all is well and there is an
// element, or else [Fault] knows.
func Sound(rows, cols, stride, n int) bool {
	if rows <= 0 || cols <= 0 || stride < cols || n < cols {
		return false
	}
	high, low := bits.Mul(uint(rows-1), uint(stride))
	return high == 0 && low <= uint(n-cols)
}

// Fault says in what way the sizes, the stride and the number n of the elements of a matrix do not fit together, or
// nothing.
func Fault(rows, cols, stride, n int) string {
	switch {
	case rows < 0 || cols < 0:
		return fmt.Sprintf("matrix of %d rows and %d columns", rows, cols)
	case rows == 0 || cols == 0:
		return ""
	case stride < cols:
		return fmt.Sprintf("stride %d is less than %d columns", stride, cols)
	case rows-1 > (n-cols)/stride || n < cols:
		return fmt.Sprintf("%d numbers are too few for %d rows of %d columns at stride %d", n, rows, cols, stride)
	}
	return ""
}
