//go:build (amd64 || arm64) && !purego

package math

// LogF32 sets y[:n] to the natural logarithms of x[:n]: NaN of NaN and of negative numbers, -Inf of 0, +Inf of +Inf.
//
//	for i := range n { y[i] = log(x[i]) }
//
//go:noescape
func LogF32(x, y *float32, n int)

// LogF64 is LogF32 for float64.
//
//go:noescape
func LogF64(x, y *float64, n int)
