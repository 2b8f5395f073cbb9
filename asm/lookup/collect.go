//go:build amd64 && !purego

package lookup

// Collect16 adds the lines of b that each of 256 lists names.
//
//	for c := range 256 { for p := start[c]; p < start[c+1]; p++ { d[c] += b[rows[p]] } }   // [16]float32
//
//go:noescape
func Collect16(d *float32, rows, start *uint16, b *float32)

// Collect8 is Collect16 with lines of 8 numbers.
//
//go:noescape
func Collect8(d *float32, rows, start *uint16, b *float32)

// Collect32I16 adds lines of 32 integers of 16 bits without rounding, then scales.
//
//	for c := range 256 { d[c] += scale * Σ_p b[rows[p]] }   // [32]float32
//
//go:noescape
func Collect32I16(d *float32, rows, start *uint16, b *int16, scale *float32)
