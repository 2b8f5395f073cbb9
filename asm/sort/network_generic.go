package sort

import "unsafe"

// networkGeneric sorts by insertion.
func networkGeneric[K key](dst, src *K, n int, form int) {
	d, s, f := unsafe.Slice(dst, n), unsafe.Slice(src, n), Form(form)
	for i, k := range s {
		if f&Load != 0 {
			k = toKey(k, f)
		}
		j := i
		for ; j > 0 && d[j-1] > k; j-- {
			d[j] = d[j-1]
		}
		d[j] = k
	}
	if f&Store != 0 {
		for i, k := range d {
			d[i] = fromKey(k, f)
		}
	}
}

func networkI32Generic(dst, src *int32, n int, form int) { networkGeneric(dst, src, n, form) }
func networkI64Generic(dst, src *int64, n int, form int) { networkGeneric(dst, src, n, form) }
