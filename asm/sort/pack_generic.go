package sort

import "unsafe"

const sign32 = -1 << 31

// join puts the key, or its upper half, above a payload.
func join[K key](k K, payload int32) int64 {
	high := int64(k)
	if is32[K]() {
		high <<= 32
	}
	return high&^(1<<32-1) | int64(uint32(payload^sign32))
}

func payloadOf(v int64) int32 { return int32(v) ^ sign32 }

func packGeneric[K key](dst *int64, x *K, n int, form int) {
	d := unsafe.Slice(dst, n)
	for i, u := range unsafe.Slice(x, n) {
		d[i] = join(toKey(u, Form(form)), int32(i))
	}
}

func packI32Generic(dst *int64, x *int32, n int, form int) { packGeneric(dst, x, n, form) }
func packI64Generic(dst *int64, x *int64, n int, form int) { packGeneric(dst, x, n, form) }

func zipI32Generic(dst *int64, x, payload *int32, n int, form int) {
	d, p := unsafe.Slice(dst, n), unsafe.Slice(payload, n)
	for i, u := range unsafe.Slice(x, n) {
		d[i] = join(toKey(u, Form(form)), p[i])
	}
}

func unpackI64Generic(idx *int32, src *int64, n int) int {
	d, s := unsafe.Slice(idx, n), unsafe.Slice(src, n)
	equal := 0
	for i, v := range s {
		d[i] = payloadOf(v)
		if i > 0 && v>>32 == s[i-1]>>32 {
			equal = 1
		}
	}
	return equal
}

func unzipI32Generic(x, payload *int32, src *int64, n int, form int) {
	d, p := unsafe.Slice(x, n), unsafe.Slice(payload, n)
	for i, v := range unsafe.Slice(src, n) {
		d[i], p[i] = fromKey(int32(v>>32), Form(form)), payloadOf(v)
	}
}
