package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The elements of package ints.
var (
	byteElems = []elem{{suffix: "Int8", goType: "int8", size: 1}, {suffix: "Uint8", goType: "uint8", size: 1}}
	plainByte = []elem{{goType: "uint8", size: 1}}
	plainBits = []elem{{goType: "uint64", size: 8}}
)

var (
	intsDot = source{"ints", "dot", "Dot", "(x, y *T, n int) int", func(k *kernel) {
		k.bytePair(k.multiply)
	}}
	intsSqDist = source{"ints", "sqdist", "SqDist", "(x, y *T, n int) int", func(k *kernel) {
		k.bytePair(k.square)
	}}
	intsHamming = source{"ints", "hamming", "Hamming", "(x, y *T, n int) int", func(k *kernel) {
		n := k.arg("n")
		k.Op("LSL", imm(3), n, n)
		p := k.bytePairs(1, func(sums []V, v, w, t V) { k.differ(sums[0], v, w) })
		p.emit(k.arg("x"), k.arg("y"), n)
		k.Op("MOVD", p.total(0), k.param("ret"))
		k.Op("RET")
	}}
	intsJaccard = source{"ints", "jaccard", "Jaccard", "(x, y *T, n int) (both, any int)", func(k *kernel) {
		n := k.arg("n")
		k.Op("LSL", imm(3), n, n)
		p := k.bytePairs(2, func(sums []V, v, w, t V) {
			k.Op("VAND", v.Bits(), w.Bits(), t.Bits())
			k.Op("VORR", v.Bits(), w.Bits(), v.Bits())
			k.count(sums[0], t)
			k.count(sums[1], v)
		})
		p.emit(k.arg("x"), k.arg("y"), n)
		k.Op("MOVD", p.total(0), k.param("both"))
		k.Op("MOVD", p.total(1), k.param("any"))
		k.Op("RET")
	}}
	intsMulVec = source{"ints", "mulvec", "MulVec", "(m, n int, x *T, ldx int, q *T, dst *int32)",
		func(k *kernel) {
			k.eachByteRow(k.bytePairs(1, func(sums []V, v, w, t V) { k.multiply(sums[0], v, w, t) }), nil)
		}}
	// intsMixedMulVec takes 128 from the rows, whose bytes are signed then, and adds 128 Σ q.
	intsMixedMulVec = source{"ints", "mixedmulvec", "MixedMulVec", "(m, n int, x *uint8, ldx int, q *int8, dst *int32)",
		func(k *kernel) {
			signed := *k
			signed.goType = "int8"
			flip, r := k.vs(1)[0], k.x()
			signed.nextV, signed.nextX = k.nextV, k.nextX
			k.Op("MOVD", imm(0x80), r)
			k.Op("VDUP", r, flip.Bits())
			k = &signed
			p := k.bytePairs(1, func(sums []V, v, w, t V) {
				k.Op("VEOR", flip.Bits(), v.Bits(), v.Bits())
				k.multiply(sums[0], v, w, t)
			})
			k.eachByteRow(p, &bias{k.bytePairsIn(p, func(sums []V, v, w, t V) { // Σ q: w is q, less 0
				k.Op("VEOR", v.Bits(), v.Bits(), v.Bits())
				k.Op("VCMEQ", v.Bits(), v.Bits(), v.Bits()) // -1
				k.multiply(sums[0], v, w, t)
			}), -128})
		}}
	intsHammingRows = source{"ints", "hammingrows", "HammingRows", "(m, n int, x *T, ldx int, q *T, dst *int32)",
		func(k *kernel) {
			k.eachByteRow(k.bytePairs(1, func(sums []V, v, w, t V) { k.differ(sums[0], v, w) }), nil)
		}}
)

// bytePair returns a sum over two vectors of bytes.
func (k *kernel) bytePair(term func(sum, v, w, t V)) {
	p := k.bytePairs(1, func(sums []V, v, w, t V) { term(sums[0], v, w, t) })
	p.emit(k.arg("x"), k.arg("y"), k.arg("n"))
	k.Op("MOVD", p.total(0), k.param("ret"))
	k.Op("RET")
}

// multiply adds the products of sixteen bytes: four to a sum by the extension, otherwise two by two.
func (k *kernel) multiply(sum, v, w, t V) {
	switch signed := k.goType == "int8"; {
	case k.dotProd && signed:
		k.SDOT(sum, v, w)
	case k.dotProd:
		k.UDOT(sum, v, w)
	case signed:
		k.SMULL(t, v, w)
		k.SADALP(sum, t)
		k.SMULL2(t, v, w)
		k.SADALP(sum, t)
	default:
		k.UMULL(t, v, w)
		k.UADALP(sum, t)
		k.UMULL2(t, v, w)
		k.UADALP(sum, t)
	}
}

// square adds the squared differences of sixteen bytes. A difference without its sign is unsigned.
func (k *kernel) square(sum, v, w, t V) {
	if k.goType == "int8" {
		k.SABD(v, v, w)
	} else {
		k.UABD(v, v, w)
	}
	unsigned := *k
	unsigned.goType = "uint8"
	unsigned.multiply(sum, v, v, t)
}

// count adds the ones of v, and destroys it.
func (k *kernel) count(sum, v V) {
	k.Op("VCNT", v.Bits(), v.Bits())
	k.UADDLP(v, v)
	k.UADALP(sum, v)
}

// differ adds the number of bits that differ.
func (k *kernel) differ(sum, v, w V) {
	k.Op("VEOR", v.Bits(), w.Bits(), v.Bits())
	k.count(sum, v)
}

// pairLoop is a loop over two vectors of bytes, 64 at a time into sums that take turns, then 16, then what the bits of
// the number say is left, as vectors whose other bytes are zero.
type pairLoop struct {
	*kernel
	sums [4][]V
	v, w []V
	t    V
	byte X
	term func(sums []V, v, w, t V)
}

// bytePairs takes the registers for a loop whose term adds to that many sums.
func (k *kernel) bytePairs(sums int, term func(sums []V, v, w, t V)) *pairLoop {
	p := &pairLoop{kernel: k, v: k.vs(4), w: k.vs(4), t: k.vs(1)[0], byte: k.x(), term: term}
	for i := range p.sums {
		p.sums[i] = k.vs(sums)
	}
	return p
}

// bytePairsIn is a loop with another term in the registers of p.
func (k *kernel) bytePairsIn(p *pairLoop, term func(sums []V, v, w, t V)) *pairLoop {
	q := *p
	q.term = term
	return &q
}

// emit leaves the sums in the first of those that take turns. It moves x and y and destroys n.
func (p *pairLoop) emit(x, y, n X) {
	for _, s := range p.sums {
		p.zero(s...)
	}
	for _, vectors := range []int{4, 1} {
		loop, done := p.NewLabel("loop"), p.NewLabel("rest")
		p.Op("SUBS", imm(16*vectors), n, n)
		p.Op("BLT", done)
		p.section(loop, counted(vectors, "vector")+" at a time.")
		for _, r := range block(vectors).runs() {
			p.load(r, p.v, x)
			p.load(r, p.w, y)
		}
		for i := range vectors {
			p.term(p.sums[i], p.v[i], p.w[i], p.t)
		}
		p.Op("SUBS", imm(16*vectors), n, n)
		p.Op("BGE", loop)
		p.Bind(done)
		p.Op("ADD", imm(16*vectors), n, n)
	}
	p.Comment("The rest by the bits of n: 1 byte, 2, 4, 8.")
	for bit, name := range []string{"MOVBU", "MOVHU", "FMOVS", "FMOVD"} {
		if 1<<bit < p.size {
			continue
		}
		skip := p.NewLabel("skip")
		p.Op("TBZ", imm(bit), n, skip)
		for _, side := range []struct {
			from X
			to   V
		}{{x, p.v[0]}, {y, p.w[0]}} {
			if from := a64.Mem(side.from, 1<<bit); bit < 2 {
				p.Op(name+".P", from, p.byte)
				p.Op("FMOVS", p.byte, side.to)
			} else {
				p.Op(name+".P", from, side.to)
			}
		}
		p.term(p.sums[bit], p.v[0], p.w[0], p.t)
		p.Bind(skip)
	}
	p.Comment("The sums of the chains.")
	for _, from := range []int{2, 1} {
		for i := range from {
			for s := range p.sums[i] {
				p.Op("VADD", p.sums[i+from][s].Ints(), p.sums[i][s].Ints(), p.sums[i][s].Ints())
			}
		}
	}
}

// total returns the sum of the lanes of one of the sums, extended by its sign.
func (p *pairLoop) total(sum int) X {
	v := p.sums[0][sum]
	p.Comment("The sum across the lanes.")
	p.Op("VADDV", v.Ints(), a64.Symbol(fmt.Sprintf("V%d", v)))
	p.Op("FMOVS", v, p.byte)
	p.Op("MOVW", p.byte, p.byte)
	return p.byte
}

// bias is what is added to every sum: factor times the sum of the loop over q and itself.
type bias struct {
	*pairLoop
	factor int
}

// eachByteRow takes a vector q against one row of a matrix after the other.
func (k *kernel) eachByteRow(p *pairLoop, b *bias) {
	m, n, x, ld, q, dst := k.arg("m"), k.arg("n"), k.arg("x"), k.arg("ldx"), k.arg("q"), k.arg("dst")
	row, y, left, more := k.x(), k.x(), k.x(), k.x()
	end := k.NewLabel("end")
	k.Op("CMP", imm(0), m)
	k.Op("BLE", end)
	k.Op("LSL", imm(k.shift()), n, n)
	k.Op("LSL", imm(k.shift()), ld, ld)
	if b != nil {
		k.Comment("What every sum gets: a factor times the sum of q.")
		k.Op("MOVD", q, row)
		k.Op("MOVD", q, y)
		k.Op("MOVD", n, left)
		b.emit(row, y, left)
		k.Op("MOVD", imm(b.factor), more)
		k.Op("MUL", b.total(0), more, more)
	}
	k.Comment("Row by row.")
	k.repeat("row", m, func() {
		k.Op("MOVD", x, row)
		k.Op("MOVD", q, y)
		k.Op("MOVD", n, left)
		p.emit(row, y, left)
		sum := p.total(0)
		if b != nil {
			k.Op("ADD", more, sum, sum)
		}
		k.Op("MOVW", sum, a64.Mem(dst, 0))
		k.Op("ADD", imm(4), dst, dst)
		k.Op("ADD", ld, x, x)
	})
	k.Bind(end)
	k.Op("RET")
}
