//go:build (amd64 || arm64) && !purego

package pair

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level

// ScanF32 returns the partner l of k in [0, n) whose pair step gains most, the first of equals, with what it gains and
// the step. Where no gain is above 0, which NaN is not, it returns -1, 0, 0.
//
//	a    = max(A + q[l] - 2 row[l], Least)
//	b    = B + f[l] + P x[l]
//	D    = min(max(b/a, max(L0, L1 x[l] + L2)), min(U0, U1 x[l] + U2))
//	gain = D (b - a/2 D)
//
// x is finite or NaN.
//
//go:noescape
func ScanF32(row, q, f, x *float32, n int, p *Scan[float32]) (best int, gain, d float32)

// ScanF64 is ScanF32 for float64.
//
//go:noescape
func ScanF64(row, q, f, x *float64, n int, p *Scan[float64]) (best int, gain, d float64)

// ScanMixed is ScanF64 with rows of float32.
//
//go:noescape
func ScanMixed(row, q *float32, f, x *float64, n int, p *Scan[float64]) (best int, gain, d float64)
