package pq

// codePart returns part j of a code.
func (q *Quantizer) codePart(code []byte, j int) int {
	if q.nbits == 8 {
		return int(code[j])
	}
	return int(code[j/2] >> (j % 2 * 4) & 15)
}

// pack writes m parts, one a byte, as a code.
func (q *Quantizer) pack(code, parts []byte) {
	if q.nbits == 8 {
		copy(code, parts)
		return
	}
	for p := range code {
		code[p] = parts[2*p]
		if 2*p+1 < q.m {
			code[p] |= parts[2*p+1] << 4
		}
	}
}
