package memory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Size is a number of bytes. A flag says it as 500M, 8G, 8GB or 7.5GiB: K, M, G, T are powers of 1000, Ki and so on of
// 1024.
type Size int64

var units = []string{"K", "M", "G", "T", "P"}

// UnmarshalText reads a size above 0.
func (s *Size) UnmarshalText(b []byte) error {
	text := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(string(b))), "B")
	base := 1000.0
	if rest, ok := strings.CutSuffix(text, "I"); ok {
		text, base = rest, 1024
	}
	factor := 1.0
	for k, unit := range units {
		if rest, ok := strings.CutSuffix(text, unit); ok {
			text, factor = rest, math.Pow(base, float64(k+1))
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if bytes := v * factor; err == nil && bytes >= 1 && bytes < math.MaxInt64 && (base == 1000 || factor > 1) {
		*s = Size(bytes)
		return nil
	}
	return fmt.Errorf("%q, want a size of memory such as 500M, 8G or 7.5GiB", b)
}

// String returns three digits and the unit, such as 12.3 GB.
func (s Size) String() string {
	v, unit := float64(s), ""
	for _, next := range units {
		if v < 999.5 {
			break
		}
		v, unit = v/1000, next
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + " " + unit + "B"
}
