package sort

import "unsafe"

// The kernels for K. Memory is passed as pointers, since a slice costs the driver a bounds check at each cut.

func network[K key](dst, src *K, n int, f Form) {
	if is32[K]() {
		NetworkI32(as32(dst), as32(src), n, int(f))
	} else {
		NetworkI64(as64(dst), as64(src), n, int(f))
	}
}

func convert[K key](dst, src *K, n int, f Form) {
	if is32[K]() {
		ConvertI32(as32(dst), as32(src), n, int(f))
	} else {
		ConvertI64(as64(dst), as64(src), n, int(f))
	}
}

func pivot[K key](src *K, n int) K {
	if is32[K]() {
		return K(PivotI32(as32(src), n))
	}
	return K(PivotI64(as64(src), n))
}

func partition[K key](x *K, n int, p K) int {
	if is32[K]() {
		return PartitionI32(as32(x), n, int32(p))
	}
	return PartitionI64(as64(x), n, int64(p))
}

func as32[K key](p *K) *int32 { return (*int32)(unsafe.Pointer(p)) }
func as64[K key](p *K) *int64 { return (*int64)(unsafe.Pointer(p)) }

// after is &p[n].
func after[K key](p *K, n int) *K {
	return (*K)(unsafe.Add(unsafe.Pointer(p), n*int(unsafe.Sizeof(*p))))
}
