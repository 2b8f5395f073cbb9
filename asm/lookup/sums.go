//go:build (amd64 || arm64) && !purego

package lookup

// Sum16 adds lines of 16 numbers, for the 256 rows of a block.
//
//	for i := range 256 { for q := range nq { dst[i] += table[q][codes[q][i]] } }   // [16]float32
//
// Meanwhile it may bring to the second cache what sums to come will need: the codes of a block at laterCodes, of up to
// 16 subspaces, and 32 ahead cache lines from later on. No such address is read otherwise, and none need be valid.
//
//go:noescape
func Sum16(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int)

// Sum8 is Sum16 with lines of 8 numbers.
//
//go:noescape
func Sum8(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int)

// Sum1 is Sum16 with single numbers.
//
//go:noescape
func Sum1(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int)

// Sum32I16 adds lines of 32 integers in 16 bits, which the sums must fit, then scales.
//
//	for i := range 256 { dst[i] += scale * Σ_q table[q][codes[q][i]] }   // [32]float32
//
//go:noescape
func Sum32I16(dst *float32, codes *byte, nq int, table *int16, scale *float32, laterCodes, later *byte, ahead int)

// Sum64U8 adds lines of 64 bytes without rounding, then scales; nq <= 257. Byte 2j of a line belongs to output j, byte
// 2j+1 to output 32+j.
//
//go:noescape
func Sum64U8(dst *float32, codes *byte, nq int, table *uint8, scale *float32, laterCodes, later *byte, ahead int)
