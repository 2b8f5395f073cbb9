package gemm

import (
	"unsafe"

	"github.com/dualgap/dualgap/asm/sparse"
)

// Where many small matrices A are multiplied with the same large B, one after the other, B is kept in panels: pieces of
// PanelCols columns, each stored row by row without gaps, as tiles read it. Then nothing is packed again, and the bits
// of a product do not depend on how many rows A has, nor on how many columns of B there are.

// PanelCols is the number of columns of a panel: 256 bytes, four vectors of the widest tier.
func PanelCols[T float]() int { return 256 / int(unsafe.Sizeof(*new(T))) }

// PackPanel makes a panel of n rows of k numbers, lds apart, n <= PanelCols: its column j is row j of src. The panel
// has room for k*PanelCols numbers; further columns of it may hold anything.
func PackPanel[T float](n, k int, src *T, lds int, panel *T) {
	packColumns(n, k, src, lds, panel, PanelCols[T]())
}

// Left is an m-by-k matrix A, made ready for products with panels of k rows.
type Left[T float] struct {
	m, k, kc int
	a        *T
	ars, acs int
	mr, nr   int
	apanel   int
}

// unpacked is the number of rows up to which A is taken as it lies.
const unpacked = 8

// LeftRoom returns how many numbers of memory Lay needs for an m-by-k matrix in the tier in use.
func LeftRoom[T float](m, k int) int {
	if m <= unpacked {
		return 0
	}
	var l Left[T]
	l.cut(m, k)
	return (m + l.mr - 1) / l.mr * wholeGroups[T](l.mr) * k
}

// cut sets the sizes for m rows of k numbers. Half of the first-level cache holds the part of a panel that meets all
// rows of A; where the tier has tiles as wide as a panel each reads it without gaps.
func (l *Left[T]) cut(m, k int) {
	s, cols := shapeOf[T](), PanelCols[T]()
	l.m, l.k, l.kc = m, k, evenly(k, max(level1/2/256, 32))
	if widest := len(s.best) * s.lanes; widest == cols {
		l.mr, l.nr = evenly(m, s.best[len(s.best)-1]), widest
	} else {
		l.mr, l.nr = s.tile(m, cols, l.kc, copied)
	}
}

// Lay makes the m-by-k matrix a, m and k above 0, whose rows are lda apart, the A of products. It copies a to room,
// LeftRoom numbers, or refers to it: neither may change before the last product.
func (l *Left[T]) Lay(m, k int, a *T, lda int, room *T) {
	l.cut(m, k)
	if m <= unpacked {
		l.a, l.ars, l.acs, l.apanel = a, lda, 1, l.mr*lda
		return
	}
	width := wholeGroups[T](l.mr)
	l.a, l.ars, l.acs, l.apanel = room, 1, width, width*k
	for i := 0; i < m; i += l.mr {
		packColumns(min(l.mr, m-i), k, at(a, i*lda), lda, at(room, i/l.mr*l.apanel), width)
	}
}

// Times sets C = A B for the first n columns B of panels that lie one after the other. The bits of an element of C
// depend on its row of A, its column of B, the tier and the size of the first-level cache alone.
//
//	for i := range m {
//		for j := range n {
//			c[i*ldc+j] = 0
//			for part := range parts of [0, k) { // equal ones, of at most kc terms
//				sum := 0
//				for p := range part { sum += A[i, p] * B[p, j] } // in this order, fused where the tier fuses
//				c[i*ldc+j] += sum
//			}
//		}
//	}
//
// From panels on there are size numbers. What lies behind a panel is fetched while that one is multiplied.
func (l *Left[T]) Times(n int, panels *T, size int, c *T, ldc int) {
	width := PanelCols[T]()
	if l.m <= l.mr && l.k <= l.kc && l.nr == width { // nothing is used twice
		tiles(l.m, n, l.k, 1, l.a, l.ars, l.acs, l.mr, l.apanel, panels, width, width, width*l.k, 0, c, ldc)
		return
	}
	for j := 0; j < n; j += width {
		l.timesPanel(min(width, n-j), at(panels, j*l.k), size-j*l.k, at(c, j), ldc)
	}
}

// timesPanel is Times for a single panel.
func (l *Left[T]) timesPanel(n int, panel *T, size int, c *T, ldc int) {
	width, beta := PanelCols[T](), T(0)
	for p := 0; p < l.k; p += l.kc {
		terms := min(l.kc, l.k-p)
		part, next := at(panel, p*width), (p+terms)*width
		ahead := min(terms*width, size-next)
		rows, fetch := l.share(ahead)
		for i := 0; i < l.m; i += rows {
			if fetch = min(fetch, ahead); fetch > 0 {
				prefetch(at(panel, next), fetch)
				next, ahead = next+fetch, ahead-fetch
			}
			tiles(min(rows, l.m-i), n, terms, 1, at(l.a, i/l.mr*l.apanel+p*l.acs), l.ars, l.acs, l.mr, l.apanel,
				part, width, l.nr, l.nr, beta, at(c, i*ldc), ldc)
		}
		beta = 1
	}
}

// share cuts the rows of A so that before each cut about 3 kB of the numbers that come next are fetched: more at a time
// would have to wait for each other. Where rows are few, what comes is read so soon that fetching it is of no use.
func (l *Left[T]) share(ahead int) (rows, fetch int) {
	const bytes = 3 << 10
	if l.m <= unpacked || ahead <= 0 {
		return l.m, 0
	}
	panels := (l.m + l.mr - 1) / l.mr
	cuts := min(panels, (ahead*int(unsafe.Sizeof(T(0)))+bytes-1)/bytes)
	return (panels + cuts - 1) / cuts * l.mr, (ahead + cuts - 1) / cuts
}

// prefetch asks for the cache lines of n numbers.
func prefetch[T float](p *T, n int) {
	if isF32[T]() {
		sparse.PrefetchF32(f32(p), n)
	} else {
		sparse.PrefetchF64(f64(p), n)
	}
}
