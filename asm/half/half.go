//go:build (amd64 || arm64) && !purego

package half

// DotB16 returns the inner product of x[:n] and y[:n].
//
//	for i := range n { sum += x[i] * y[i] }
//
//go:noescape
func DotB16(x, y *uint16, n int) float32

// DotH16 is DotB16 for float16.
//
//go:noescape
func DotH16(x, y *uint16, n int) float32

// SqDistB16 returns the squared distance of x[:n] and y[:n].
//
//	for i := range n { sum += (x[i] - y[i])² }
//
//go:noescape
func SqDistB16(x, y *uint16, n int) float32

// SqDistH16 is SqDistB16 for float16.
//
//go:noescape
func SqDistH16(x, y *uint16, n int) float32

// CosB16 returns the inner product of x[:n] and y[:n] and their squared norms, in one pass.
//
//	for i := range n { xy += x[i] * y[i]; xx += x[i] * x[i]; yy += y[i] * y[i] }
//
//go:noescape
func CosB16(x, y *uint16, n int) (xy, xx, yy float32)

// CosH16 is CosB16 for float16.
//
//go:noescape
func CosH16(x, y *uint16, n int) (xy, xx, yy float32)

// RowsB16 sets y[:m] = A x[:n], A m-by-n with rows lda apart. y overlaps neither a nor x.
//
//	for i := range m {
//		for j := range n { s += a[i*lda+j] * x[j] }
//		y[i] = s
//	}
//
//go:noescape
func RowsB16(m, n int, a *uint16, lda int, x *uint16, y *float32)

// RowsH16 is RowsB16 for float16.
//
//go:noescape
func RowsH16(m, n int, a *uint16, lda int, x *uint16, y *float32)

// MixedRowsB16 is RowsB16 with an x of float32.
//
//go:noescape
func MixedRowsB16(m, n int, a *uint16, lda int, x, y *float32)

// MixedRowsH16 is MixedRowsB16 for float16.
//
//go:noescape
func MixedRowsH16(m, n int, a *uint16, lda int, x, y *float32)

// WidenB16 sets y[:n] to x[:n], which is exact. A signaling NaN stays one.
//
//go:noescape
func WidenB16(x *uint16, y *float32, n int)

// WidenH16 sets y[:n] to x[:n], which is exact. A NaN keeps its payload and becomes quiet.
//
//go:noescape
func WidenH16(x *uint16, y *float32, n int)

// NarrowB16 sets y[:n] to x[:n], rounded to the nearest, of two to the even one. A NaN keeps the upper bits of its
// payload and becomes quiet.
//
//go:noescape
func NarrowB16(x *float32, y *uint16, n int)

// NarrowH16 is NarrowB16 for float16.
//
//go:noescape
func NarrowH16(x *float32, y *uint16, n int)
