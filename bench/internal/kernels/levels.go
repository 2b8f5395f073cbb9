package kernels

// Levels are the places of operands, the nearest first.
var Levels = []string{"L1", "L2", "L3", "memory"}

// Level returns the index of the level that has room for bytes, by the caches' sizes in bytes; where a CPU does
// not tell them, by common ones.
func Level(bytes int, caches [3]int) int {
	for k, size := range caches {
		if size <= 0 {
			size = [3]int{32 << 10, 1 << 20, 32 << 20}[k]
		}
		if bytes <= size {
			return k
		}
	}
	return 3
}
