package solvers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Memory is what a training takes besides the examples that it is given, by its parts: the most that is alive at a
// time, or up to a quarter more, as far as the method Memory of each family's Problem says so, which tells it before
// any of it is taken. It leaves out the stacks of goroutines, and what products of matrices copy of their operands:
// about as much as the second-level cache holds, for each goroutine. Nor does it count what is dead and has not been
// collected, which GOGC allows: by default as much again.
type Memory []MemoryPart

// MemoryPart is one part of a Memory.
type MemoryPart struct {
	What    string // such as "weights"
	Formula string // with its numbers, such as "20000 features x 20000 classes x 4 bytes x 5"
	Bytes   float64
}

// Bytes returns the sum of all parts.
func (m Memory) Bytes() (sum float64) {
	for _, p := range m {
		sum += p.Bytes
	}
	return sum
}

// String returns a line for each part of a hundredth of the sum or more, the largest first, such as
//
//	8 GB: weights, 20000 features x 20000 classes x 4 bytes x 5
func (m Memory) String() string {
	parts, sum := slices.Clone(m), m.Bytes()
	slices.SortStableFunc(parts, func(a, b MemoryPart) int { return cmp.Compare(b.Bytes, a.Bytes) })
	var lines []string
	for _, p := range parts {
		if p.Bytes >= sum/100 {
			lines = append(lines, fmt.Sprintf("%s: %s, %s", bytesText(p.Bytes), p.What, p.Formula))
		}
	}
	return strings.Join(lines, "\n")
}

// bytesText returns three digits and a unit.
func bytesText(v float64) string {
	unit := "B"
	for _, next := range []string{"KB", "MB", "GB", "TB", "PB"} {
		if v < 999.5 {
			break
		}
		v, unit = v/1000, next
	}
	return fmt.Sprintf("%.3g %s", v, unit)
}
