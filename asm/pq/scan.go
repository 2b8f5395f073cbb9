//go:build (amd64 || arm64) && !purego

package pq

// Scan adds up the entries of m tables of 256 that each of n codes of m bytes names, four sums taking turns:
//
//	for i := range n {
//		for j := range m { s[j%4] += table[j*256+codes[i*m+j]] }
//		dst[i] = (s[0] + s[2]) + (s[1] + s[3])
//	}
//
//go:noescape
func Scan(n, m int, table *float32, codes *uint8, dst *float32)

// Scan8 is Scan with tables of bytes, for codes in blocks of 256: byte (b*m+j)*256+i is part j of code i of block b.
//
//	dst[b*256+i] = Σ_j table[j*256+codes[(b*m+j)*256+i]]
//
// in 16 bits, which the sums must fit.
//
//go:noescape
func Scan8(blocks, m int, table, codes *uint8, dst *uint16)

// Scan4 is Scan8 for parts of four bits. Byte (b*pairs+p)*256+i holds part 2p of code i of block b in its lower half
// and part 2p+1 in its upper, and the tables have 16 entries, none above 127:
//
//	c := codes[(b*pairs+p)*256+i]
//	dst[b*256+i] = Σ_p table[p*32+c&15] + table[p*32+16+c>>4]
//
//go:noescape
func Scan4(blocks, pairs int, table, codes *uint8, dst *uint16)

// Below writes to dst the indices i < n with s[i] <= limit in rising order and returns their number. It may write
// anything to the rest of dst[:n].
//
//go:noescape
func Below(n int, s *uint16, limit uint32, dst *uint32) int
