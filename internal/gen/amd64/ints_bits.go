package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// bitsKernel counts ones in words of 64 bits: by VPOPCNTQ, or by a table of the ones of 4 bits and VPSADBW, which adds
// the bytes of each word.
type bitsKernel struct {
	k                   *kernel
	table, nibble, none reg.VecVirtual
}

func newBits(k *kernel) *bitsKernel {
	b := &bitsKernel{k: k}
	if !b.counts() {
		k.Comment("The ones of each value of 4 bits.")
		b.table = k.quarterTable(k.global("ones_of_nibble", func() {
			k.AppendDatum(operand.U64(0x0302020102010100))
			k.AppendDatum(operand.U64(0x0403030203020201))
		}))
		b.nibble, b.none = k.nibbles(), k.vec()
		k.zero(b.none)
	}
	return b
}

func (b *bitsKernel) counts() bool { return b.k.flag == vpopcnt.flag }

// count adds the ones of the words of v to the words of sum, and destroys v.
func (b *bitsKernel) count(v, sum reg.VecVirtual) {
	if b.counts() {
		b.k.VPOPCNTQ(v, v)
	} else {
		high := b.k.vec()
		b.k.VPSRLW(operand.Imm(4), v, high)
		b.k.andBytes(b.nibble, v, v)
		b.k.andBytes(b.nibble, high, high)
		b.k.VPSHUFB(v, b.table, v)
		b.k.VPSHUFB(high, b.table, high)
		b.k.VPADDB(high, v, v)
		b.k.VPSADBW(b.none, v, v)
	}
	b.k.VPADDQ(v, sum, sum)
}

// The instructions of logic have a name for each tier.

func (b *bitsKernel) xor(x, y, v operand.Op) {
	if b.k.wide {
		b.k.VPXORQ(x, y, v)
	} else {
		b.k.VPXOR(x, y, v)
	}
}

func (b *bitsKernel) and(x, y, v operand.Op) {
	if b.k.wide {
		b.k.VPANDQ(x, y, v)
	} else {
		b.k.VPAND(x, y, v)
	}
}

func (b *bitsKernel) or(x, y, v operand.Op) {
	if b.k.wide {
		b.k.VPORQ(x, y, v)
	} else {
		b.k.VPOR(x, y, v)
	}
}

// pair is the loop over two vectors of words.
func (b *bitsKernel) pair(sums int) *pairs {
	return &pairs{k: b.k, step: b.k.lanes(), sums: sums,
		read: func(_ bool, m operand.Op, v reg.VecVirtual) { b.k.load(m.(operand.Mem), v) },
		rest: func(x, y, n reg.GPVirtual, v, w reg.VecVirtual) {
			by := b.k.maskOf(n)
			b.k.loadMasked(operand.Mem{Base: x}, by, v)
			b.k.loadMasked(operand.Mem{Base: y}, by, w)
		},
	}
}

// intsHamming counts the bits that differ. A sum of words is below 2³², so that its upper half is zero.
var intsHamming = source{
	family: "ints", name: "hamming", entry: "Hamming", sig: "(x, y *T, n int) int", elems: plainBits, forms: bitForms,
	emit: func(k *kernel) {
		b := newBits(k)
		p := b.pair(1)
		p.term = func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
			b.xor(v, w, v)
			b.count(v, sums[0])
		}
		k.retInt(k.intSum(p.emit()[0]))
	},
}

// intsJaccard counts the bits that are set in both vectors, and those that are set in at least one.
var intsJaccard = source{
	family: "ints", name: "jaccard", entry: "Jaccard", sig: "(x, y *T, n int) (both, any int)", elems: plainBits,
	forms: bitForms,
	emit: func(k *kernel) {
		b := newBits(k)
		p := b.pair(2)
		p.term = func(v, w reg.VecVirtual, sums []reg.VecVirtual) {
			t := b.k.vec()
			b.and(v, w, t)
			b.or(v, w, v)
			b.count(t, sums[0])
			b.count(v, sums[1])
		}
		sums := p.emit()
		for i, s := range sums {
			to, err := k.ReturnIndex(i).Resolve()
			if err != nil {
				panic(err)
			}
			k.MOVQ(k.intSum(s), to.Addr)
		}
		k.done()
	},
}
