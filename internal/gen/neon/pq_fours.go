package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// fours is the loop of kernels that add up what a block's codes have in each group of four bytes: a vector has one
// group of four codes, for which a vector has sums.
type fours struct {
	*kernel
	n, groups, codes, dst, all X // all: the groups' data
	at, data, left             X // of the group
	sums                       []V
	by                         V // the shift, in every lane
}

// fours loads the arguments, of which one is the groups' data.
func (k *kernel) fours(data string) *fours {
	f := &fours{kernel: k, n: k.arg("n"), groups: k.arg("groups"), codes: k.arg("codes"), dst: k.arg("dst"),
		all: k.arg(data), at: k.x(), data: k.x(), left: k.x(), sums: k.vs(16), by: k.vs(1)[0]}
	r := k.arg("shift")
	k.Op("VDUP", r, f.by.Ints())
	return f
}

// emit goes through the codes. For each some of them begin changes their shifted sums; for each group next loads its
// data, and add adds to a sum what four codes have there.
func (f *fours) emit(begin func(sum V), next func(), add func(sum V, codes a64.Operand)) {
	for _, vecs := range []int{16, 4} {
		loop, done := f.NewLabel(fmt.Sprintf("by%d", vecs)), f.NewLabel(fmt.Sprintf("by%dend", vecs))
		f.Op("SUBS", imm(4*vecs), f.n, f.n)
		f.Op("BLT", done)
		f.section(loop, fmt.Sprintf("%d codes: the sums of all groups.", 4*vecs))
		sums := f.sums[:vecs]
		f.loads(sums, f.dst, 0)
		for _, s := range sums {
			f.USHL(s, s, f.by)
			begin(s)
		}
		f.each(func() {
			next()
			for i, s := range sums {
				add(s, a64.Mem(f.at, 16*i))
			}
			f.Op("ADD", imm(4*blockPQ), f.at, f.at)
		})
		f.stores(sums, f.dst, 0)
		f.Op("ADD", imm(16*vecs), f.codes, f.codes)
		f.Op("ADD", imm(16*vecs), f.dst, f.dst)
		f.Op("SUBS", imm(4*vecs), f.n, f.n)
		f.Op("BGE", loop)
		f.Bind(done)
		f.Op("ADD", imm(4*vecs), f.n, f.n)
	}
	f.Op("RET")
}

// each goes through the groups.
func (f *fours) each(body func()) {
	end := f.NewLabel("groupsend")
	f.Op("CBZ", f.groups, end)
	f.Op("MOVD", f.codes, f.at)
	f.Op("MOVD", f.all, f.data)
	f.Op("MOVD", f.groups, f.left)
	f.repeat("groups", f.left, body)
	f.Bind(end)
}
