// Package view turns results into what people read: sections of tables and pictures, for the terminal and for the page.
package view

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/internal/page"
)

// What reports are made of.
type (
	Section = page.Section
	Figure  = page.Figure
	Table   = page.Table
)

// number writes v with about digits significant digits, without an exponent where that is short; "-" for NaN.
func number(v float64, digits int) string {
	a := math.Abs(v)
	switch {
	case v != v:
		return "-"
	case a != 0 && (a < 1e-3 || a >= 1e7):
		return fmt.Sprintf("%.*e", max(digits-2, 0), v)
	case a == 0 || a >= math.Pow(10, float64(digits-1)):
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.*f", digits-1-int(math.Floor(math.Log10(a))), v)
}

// Duration writes seconds with a unit that suits them.
func Duration(seconds float64) string {
	switch {
	case seconds != seconds:
		return "-"
	case seconds < 1e-6:
		return number(seconds*1e9, 3) + " ns"
	case seconds < 1e-3:
		return number(seconds*1e6, 3) + " µs"
	case seconds < 1:
		return number(seconds*1e3, 3) + " ms"
	}
	return number(seconds, 3) + " s"
}

// least returns of some lines the one with the least time.
func least(lines []results.Line) (best results.Line) {
	for k, l := range lines {
		if k == 0 || l.Value(results.Seconds) < best.Value(results.Seconds) {
			best = l
		}
	}
	return best
}
