//go:build (amd64 || arm64) && !purego

package math

// ExpF32 sets y[:n] to the exponentials of x[:n]: NaN of NaN, +Inf of what overflows, gradually to 0 of what
// underflows.
//
//	for i := range n { y[i] = exp(x[i]) }
//
//go:noescape
func ExpF32(x, y *float32, n int)

// ExpF64 is ExpF32 for float64.
//
//go:noescape
func ExpF64(x, y *float64, n int)

// ExpScaledF32 sets y[:n] to the exponentials of alpha x[:n], whose products are not rounded before.
//
//	for i := range n { y[i] = exp(alpha * x[i]) }
//
//go:noescape
func ExpScaledF32(alpha float32, x, y *float32, n int)

// ExpScaledF64 is ExpScaledF32 for float64.
//
//go:noescape
func ExpScaledF64(alpha float64, x, y *float64, n int)

// ExpSumF32 returns the sum of the exponentials of x[:n] - shift, differences that are rounded, and stores them in
// y[:n] unless y is nil.
//
//	for i := range n { e := exp(x[i] - shift); y[i] = e; sum += e }
//
//go:noescape
func ExpSumF32(shift float32, x, y *float32, n int) float32

// ExpSumF64 is ExpSumF32 for float64.
//
//go:noescape
func ExpSumF64(shift float64, x, y *float64, n int) float64
