package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// leader finds an extremum of computed vectors and where it is first: each lane keeps its own best, with the index that
// raised it last. NaN never leads, nor does what is not beyond the bound that the lanes begin with.
type leader struct {
	k                   *kernel
	best, at, now, zero V
	mask                V // of the lanes that the last vector leads
	count               X
}

// newLeader begins with best in all lanes and the indices 0, 1, 2, ...
func (k *kernel) newLeader(best float64) *leader {
	v := k.vs(5)
	l := &leader{k, v[0], v[1], v[2], v[3], v[4], k.x()}
	k.constant(l.best, best)
	k.zero(l.at, l.zero)
	k.Op("VMOV", l.zero.Bits(), l.now.Bits())
	for i := 1; i < k.lanes(); i++ {
		k.Op("MOVD", imm(i), l.count)
		k.Op("VMOV", l.count, l.now.Lane(k.arr, i))
	}
	return l
}

// note takes the next vector, of which a piece counts, and returns the mask of the lanes that it leads: by more, or by
// less.
func (l *leader) note(v V, p piece, least bool) V {
	k := l.k
	if least {
		k.FCMGT(k.arr, l.mask, l.best, v)
	} else {
		k.FCMGT(k.arr, l.mask, v, l.best)
	}
	k.fillUp(p, l.mask, l.zero)
	k.insert(l.best, v, l.mask)
	k.insert(l.at, l.now, l.mask)
	return l.mask
}

// next goes on to the indices behind a piece.
func (l *leader) next(p piece) {
	k := l.k
	k.Op("MOVD", imm(k.elements(p)), l.count)
	k.Op("VDUP", l.count, l.mask.As(k.arr))
	k.addInt(l.now, l.now, l.mask)
}

// index returns the first index of the best, and leaves that in all lanes of best, and in mask the lane of that index.
func (l *leader) index(least bool) X {
	k, at, other := l.k, l.k.x(), l.count
	top, equal := l.now, l.mask
	k.Comment("The best of all lanes, and the first index that has it.")
	switch {
	case k.size == 4 && least:
		k.FMINV(top, l.best)
	case k.size == 4:
		k.FMAXV(top, l.best)
	case least:
		k.FMINPScalar(top, l.best)
	default:
		k.FMAXPScalar(top, l.best)
	}
	k.Op("VDUP", top.Lane(k.arr, 0), top.As(k.arr))
	k.FCMEQ(k.arr, equal, top, l.best)
	k.Op("VMOV", top.Bits(), l.best.Bits())
	k.FCMEQ(k.arr, top, l.zero, l.zero)
	k.insertUnless(l.at, top, equal) // of other lanes the largest integer
	k.Op("VMOV", l.at.Lane(k.arr, 0), at)
	for i := 1; i < k.lanes(); i++ {
		k.Op("VMOV", l.at.Lane(k.arr, i), other)
		k.Op("CMP", other, at) // at - other
		k.Op("CSEL", a64.Cond("LO"), at, other, at)
	}
	k.Op("VDUP", at, top.As(k.arr))
	k.Op("VCMEQ", top.As(k.arr), l.at.As(k.arr), l.mask.As(k.arr))
	return at
}
