//go:build !(amd64 || arm64) || purego

package half

// Without assembly each kernel is its twin.

func DotB16(x, y *uint16, n int) float32    { return dotb16Generic(x, y, n) }
func DotH16(x, y *uint16, n int) float32    { return doth16Generic(x, y, n) }
func SqDistB16(x, y *uint16, n int) float32 { return sqdistb16Generic(x, y, n) }
func SqDistH16(x, y *uint16, n int) float32 { return sqdisth16Generic(x, y, n) }

func CosB16(x, y *uint16, n int) (xy, xx, yy float32) { return cosb16Generic(x, y, n) }
func CosH16(x, y *uint16, n int) (xy, xx, yy float32) { return cosh16Generic(x, y, n) }

func RowsB16(m, n int, a *uint16, lda int, x *uint16, y *float32) { rowsb16Generic(m, n, a, lda, x, y) }
func RowsH16(m, n int, a *uint16, lda int, x *uint16, y *float32) { rowsh16Generic(m, n, a, lda, x, y) }
func MixedRowsB16(m, n int, a *uint16, lda int, x, y *float32) {
	mixedrowsb16Generic(m, n, a, lda, x, y)
}
func MixedRowsH16(m, n int, a *uint16, lda int, x, y *float32) {
	mixedrowsh16Generic(m, n, a, lda, x, y)
}

func WidenB16(x *uint16, y *float32, n int)  { widenb16Generic(x, y, n) }
func WidenH16(x *uint16, y *float32, n int)  { widenh16Generic(x, y, n) }
func NarrowB16(x *float32, y *uint16, n int) { narrowb16Generic(x, y, n) }
func NarrowH16(x *float32, y *uint16, n int) { narrowh16Generic(x, y, n) }
