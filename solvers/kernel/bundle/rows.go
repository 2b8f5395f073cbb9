package bundle

import (
	"slices"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// Rows sets dst[k] = K_k[rows], len(rows)-by-n, for every kernel k whose dst[k] is not the zero Matrix. The bits of a
// row are the same in every call. Where all kernels of a group are left out nothing is done for it. It panics where
// sizes do not fit or a row is out of range.
//
// A row costs O(n d) for each group whose products are not kept, where d is the number of its features, and O(n) for
// each kernel.
func (b *Bundle[T]) Rows(dst []vec.Matrix[T], rows []int) {
	if len(dst) != b.kernels {
		panic(shape.Errorf("bundle: Bundle.Rows", "%d matrices for %d kernels", len(dst), b.kernels))
	}
	wanted := func(k int) bool { return dst[k].Rows != 0 || dst[k].Cols != 0 }
	for k, d := range dst {
		if wanted(k) && (d.Rows != len(rows) || d.Cols != b.n) {
			panic(shape.Errorf("bundle: Bundle.Rows", "dst is %d-by-%d for %d rows of %d examples", d.Rows, d.Cols,
				len(rows), b.n))
		}
	}
	b.mustHold("Bundle.Rows", "row", rows)
	s, _ := b.scratches.Get().(*scratch[T])
	if s == nil {
		s = new(scratch[T])
	}
	defer b.scratches.Put(s)
	done := 0
	all := func(int) int { return b.n }
	set := func(p *piece[T]) {
		to := dst[p.k].Row(done + p.place)[p.from:p.to]
		copy(to, p.values(to))
	}
	for some := range slices.Chunk(rows, StripeRows) {
		s.rows = append(s.rows[:0], some...)
		for g := range b.groups {
			b.groups[g].eachPiece(s, b.n, all, wanted, set)
		}
		done += len(some)
	}
}
