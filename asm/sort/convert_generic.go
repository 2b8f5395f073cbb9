package sort

import "unsafe"

// convertGeneric writes src in the other form.
func convertGeneric[K key](dst, src *K, n int, form int) {
	d, s, f := unsafe.Slice(dst, n), unsafe.Slice(src, n), Form(form)
	switch {
	case f&Load != 0:
		for i, u := range s {
			d[i] = toKey(u, f)
		}
	case f&Store != 0:
		for i, k := range s {
			d[i] = fromKey(k, f)
		}
	default:
		copy(d, s)
	}
}

func convertI32Generic(dst, src *int32, n int, form int) { convertGeneric(dst, src, n, form) }
func convertI64Generic(dst, src *int64, n int, form int) { convertGeneric(dst, src, n, form) }
