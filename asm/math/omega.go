//go:build (amd64 || arm64) && !purego

package math

// OmegaSumF64 sets y[:n] to Wright's omega function of (x[:n] - shift) scale, which is the w > 0 with w + log w = z, or
// Lambert's W(e^z) without a power that overflows. It sets sums[0] to the sum of these and sums[1] to the sum of their
// derivatives w/(1+w), which are taken for 1 where w is +Inf or NaN. w is +Inf of +Inf, gradually 0 of what underflows,
// and NaN of NaN.
//
//	for i := range n { w := omega((x[i] - shift) * scale); y[i] = w; sums[0] += w; sums[1] += w / (1 + w) }
//
// The relative error of w for the rounded argument is at most four units of rounding, 4 * 2^-53, and the error of the
// derivatives eight.
//
//go:noescape
func OmegaSumF64(shift, scale float64, x, y, sums *float64, n int)
