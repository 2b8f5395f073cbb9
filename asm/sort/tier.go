package sort

import "github.com/dualgap/dualgap/asm/cpu"

// limits is the length up to which a tier's network sorts; elements of 8 bytes halve it. The twin's is where insertion
// loses to partitions.
var limits = [...]int{cpu.Generic: 24, cpu.NEON: 64, cpu.AVX2: 64, cpu.AVX512: 256}

// limit is the most elements that a call of network sorts in the tier in use.
func limit[K key]() int {
	n := limits[cpu.Level]
	if !is32[K]() && n > 24 {
		n /= 2
	}
	return n
}
