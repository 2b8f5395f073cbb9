package proj

import (
	"math"
	"unsafe"
)

type float interface{ float32 | float64 }

func maximaGeneric[T float](m, a *T, n int) {
	ms, as := unsafe.Slice(m, 16), unsafe.Slice(a, n)
	for j := range ms {
		ms[j] = T(math.Inf(-1))
	}
	for len(as) >= 16 {
		block := as[:16:16]
		for j, v := range block {
			if v > ms[j] {
				ms[j] = v
			}
		}
		as = as[16:]
	}
	for j, v := range as {
		if v > ms[j] {
			ms[j] = v
		}
	}
}

func maximaF32Generic(m, a *float32, n int) { maximaGeneric(m, a, n) }
func maximaF64Generic(m, a *float64, n int) { maximaGeneric(m, a, n) }
