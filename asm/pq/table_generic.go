package pq

import "unsafe"

func tableL2Generic(dsub, ksub int, q, ct, dst *float32) {
	out := unsafe.Slice(dst, ksub)
	clear(out)
	for t, v := range unsafe.Slice(q, dsub) {
		for j, c := range unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(ct), 4*t*ksub)), ksub) {
			e := v - c
			out[j] = fma(e, e, out[j])
		}
	}
}

func tableIPGeneric(dsub, ksub int, q, ct, dst *float32) {
	out := unsafe.Slice(dst, ksub)
	clear(out)
	for t, v := range unsafe.Slice(q, dsub) {
		for j, c := range unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(ct), 4*t*ksub)), ksub) {
			out[j] = fma(v, c, out[j])
		}
	}
}
