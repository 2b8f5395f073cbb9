package proj

// SmallParams is the length of the last argument of SmallF32 and SmallF64: parameters, answer, and scratch memory.
const SmallParams = 14 + 16

// The twin leaves everything to others, which package project has anyway.

func smallF32Generic(dst, a *float32, n, k, kind int, p *float64) int { return 0 }
func smallF64Generic(dst, a *float64, n, k, kind int, p *float64) int { return 0 }
