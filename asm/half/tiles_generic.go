package half

import "unsafe"

func tilesb16Generic(m, n, k int, alpha float32, a *uint32, ars, acs, mr, apanel int, b *uint32, ldb, nr, bpanel int,
	beta float32, c *float32, ldc int) {
	for i := range max(m, 0) {
		for j := range max(n, 0) {
			var sum float32
			for p := range k {
				v := *word(a, i/mr*apanel+i%mr*ars+p*acs)
				w := *word(b, j/nr*bpanel+p*ldb+j%nr)
				sum += FromB16(uint16(v>>16)) * FromB16(uint16(w>>16))
				sum += FromB16(uint16(v)) * FromB16(uint16(w))
			}
			to := word(c, i*ldc+j)
			sum *= alpha
			if beta != 0 {
				sum += beta * *to
			}
			*to = sum
		}
	}
}

// word is element i behind p.
func word[T uint32 | float32](p *T, i int) *T { return (*T)(unsafe.Add(unsafe.Pointer(p), 4*i)) }
