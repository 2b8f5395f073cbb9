//go:build !(amd64 || arm64) || purego

package proj

// Without assembly each kernel is its twin.

func MaximaF32(m, a *float32, n int)                 { maximaGeneric(m, a, n) }
func MaximaF64(m, a *float64, n int)                 { maximaGeneric(m, a, n) }
func AboveF32(dst, a *float32, n int, t float32) int { return aboveGeneric(dst, a, n, t) }
func AboveF64(dst, a *float64, n int, t float64) int { return aboveGeneric(dst, a, n, t) }
func ClipF32(dst, a *float32, n int, skip float32, c, t, l, u float64) {
	clipGeneric(dst, a, n, c, t, l, u)
}
func ClipF64(dst, a *float64, n int, skip float64, c, t, l, u float64) {
	clipGeneric(dst, a, n, c, t, l, u)
}

func SmallF32(dst, a *float32, n, k, kind int, p *float64) int { return 0 }
func SmallF64(dst, a *float64, n, k, kind int, p *float64) int { return 0 }

func PruneF32(cand *float32, index *int32, m, a, dst *float32, n, k int, p *float32) int { return -1 }
func PruneF64(cand *float64, index *int32, m, a, dst *float64, n, k int, p *float32) int { return -1 }
