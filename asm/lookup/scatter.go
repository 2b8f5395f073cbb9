//go:build (amd64 || arm64) && !purego

package lookup

// Scatter8 adds a line of a to the lines of d that the codes of its row choose, for the 256 rows of a block.
//
//	for i := range 256 { for q := range nq { d[q][codes[q][i]] += a[i] } }   // [8]float32
//
// Meanwhile it may bring to the second cache the codes of a block to come at laterCodes, of up to 16 subspaces. That
// address need not be valid.
//
//go:noescape
func Scatter8(d *float32, codes *byte, nq int, a *float32, laterCodes *byte)

// Scatter1 is Scatter8 with single numbers.
//
//go:noescape
func Scatter1(d *float32, codes *byte, nq int, a *float32, laterCodes *byte)
