package half

import "unsafe"

// The twins keep four sums; what they add is rounded once where the CPU fuses x*y+z, and twice elsewhere.

func dotb16Generic(x, y *uint16, n int) float32 { return dot(FromB16, x, y, n) }
func doth16Generic(x, y *uint16, n int) float32 { return dot(FromH16, x, y, n) }

func dot(from func(uint16) float32, x, y *uint16, n int) float32 {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	var s [4]float32
	for i, v := range xs {
		s[i&3] += from(v) * from(ys[i])
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func sqdistb16Generic(x, y *uint16, n int) float32 { return sqdist(FromB16, x, y, n) }
func sqdisth16Generic(x, y *uint16, n int) float32 { return sqdist(FromH16, x, y, n) }

func sqdist(from func(uint16) float32, x, y *uint16, n int) float32 {
	xs, ys := unsafe.Slice(x, n), unsafe.Slice(y, n)
	var s [4]float32
	for i, v := range xs {
		d := from(v) - from(ys[i])
		s[i&3] += d * d
	}
	return (s[0] + s[1]) + (s[2] + s[3])
}

func cosb16Generic(x, y *uint16, n int) (xy, xx, yy float32) {
	return dot(FromB16, x, y, n), dot(FromB16, x, x, n), dot(FromB16, y, y, n)
}

func cosh16Generic(x, y *uint16, n int) (xy, xx, yy float32) {
	return dot(FromH16, x, y, n), dot(FromH16, x, x, n), dot(FromH16, y, y, n)
}

func rowsb16Generic(m, n int, a *uint16, lda int, x *uint16, y *float32) {
	for i, ys := 0, unsafe.Slice(y, max(m, 0)); i < m; i++ {
		ys[i] = dot(FromB16, row(a, i, lda, n), x, n)
	}
}

func rowsh16Generic(m, n int, a *uint16, lda int, x *uint16, y *float32) {
	for i, ys := 0, unsafe.Slice(y, max(m, 0)); i < m; i++ {
		ys[i] = dot(FromH16, row(a, i, lda, n), x, n)
	}
}

func mixedrowsb16Generic(m, n int, a *uint16, lda int, x, y *float32) {
	mixedRows(FromB16, m, n, a, lda, x, y)
}

func mixedrowsh16Generic(m, n int, a *uint16, lda int, x, y *float32) {
	mixedRows(FromH16, m, n, a, lda, x, y)
}

func mixedRows(from func(uint16) float32, m, n int, a *uint16, lda int, x, y *float32) {
	xs := unsafe.Slice(x, n)
	for i, ys := 0, unsafe.Slice(y, max(m, 0)); i < m; i++ {
		var s [4]float32
		for j, v := range unsafe.Slice(row(a, i, lda, n), n) {
			s[j&3] += from(v) * xs[j]
		}
		ys[i] = (s[0] + s[1]) + (s[2] + s[3])
	}
}

// row is row i of a, or a itself where rows are empty and there may be no memory.
func row(a *uint16, i, lda, n int) *uint16 {
	if n == 0 {
		return a
	}
	return (*uint16)(unsafe.Add(unsafe.Pointer(a), 2*i*lda))
}

func widenb16Generic(x *uint16, y *float32, n int) { widen(FromB16, x, y, n) }
func widenh16Generic(x *uint16, y *float32, n int) { widen(FromH16, x, y, n) }

func widen(from func(uint16) float32, x *uint16, y *float32, n int) {
	ys := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		ys[i] = from(v)
	}
}

func narrowb16Generic(x *float32, y *uint16, n int) { narrow(ToB16, x, y, n) }
func narrowh16Generic(x *float32, y *uint16, n int) { narrow(ToH16, x, y, n) }

func narrow(to func(float32) uint16, x *float32, y *uint16, n int) {
	ys := unsafe.Slice(y, n)
	for i, v := range unsafe.Slice(x, n) {
		ys[i] = to(v)
	}
}
