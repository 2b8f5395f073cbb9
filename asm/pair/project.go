//go:build (amd64 || arm64) && !purego

package pair

// ProjectF64 sets dst to the projected gradient of variables x[l] between 0 and end[l], of either sign, and returns
// where it is largest in magnitude, the first of equals, and that magnitude: -1 and 0 where no magnitude is above 0,
// which NaN is not. dst overlaps no other array.
//
//	stop   = max(end[l], 0) where slope[l] > 0, else min(end[l], 0)
//	dst[l] = slope[l] where x[l] != stop, else 0
//
//go:noescape
func ProjectF64(dst, slope, x, end *float64, n int) (at int, most float64)
