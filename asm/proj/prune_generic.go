package proj

// The twin leaves pruning to the other kernels.

func pruneF32Generic(cand *float32, index *int32, m, a, dst *float32, n, k int, p *float32) int {
	return -1
}
func pruneF64Generic(cand *float64, index *int32, m, a, dst *float64, n, k int, p *float32) int {
	return -1
}
