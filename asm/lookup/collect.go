//go:build (amd64 || arm64) && !purego

package lookup

// Collect16 adds the lines of b that each of 256 lists names. The lists follow one another in rows, each filled up to a
// multiple of four, with the number of a line of zeros for example; order says whose they are and how long.
//
//	for k := range 256 {
//		c, fours := order[2*k], order[2*k+1]
//		for range 4*fours { d[c] += b[*rows++] }   // [16]float32
//	}
//
// It is fast when few neighbours in order have different lengths.
//
//go:noescape
func Collect16(d *float32, rows, order *uint16, b *float32)

// Collect32I16 adds lines of 32 integers of 16 bits, none above 8191 in magnitude, without rounding, then scales:
// d[c] += scale * Σ b[row]   // [32]float32
//
//go:noescape
func Collect32I16(d *float32, rows, order *uint16, b *int16, scale *float32)
