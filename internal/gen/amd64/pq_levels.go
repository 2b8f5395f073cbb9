package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of levels, by the bits of a level.
var (
	pqLevels8 = levelsOf(8)
	pqLevels4 = levelsOf(4)
)

func levelsOf(bits int) source {
	return source{
		family: "pq", name: fmt.Sprintf("levels%d", bits), entry: fmt.Sprintf("Levels%d", bits), elems: plain,
		forms: []tier{vnni, tiers[0], tiers[1]},
		sig:   "(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)",
		emit:  func(k *kernel) { (&levelsKernel{k: k, bits: bits}).emit() },
	}
}

// levelsKernel multiplies four bytes of a code at a time with four weights: a vector has one group of 16 codes, of 8
// with AVX2. Levels narrower than a byte lie in planes: plane p is what a shift by p bits and a mask leave.
//
// VNNI multiplies unsigned by signed bytes. The other forms add pairs of products in 16 bits, where both planes of
// levels of four bits fit; bytes are taken as two levels of four bits, of which the upper one counts 16 times.
type levelsKernel struct {
	k    *kernel
	bits int

	codes, weights, dst, groups reg.GPVirtual
	mask, ones, sixteens        reg.VecVirtual
}

func (l *levelsKernel) vnni() bool { return l.k.flag == vnni.flag }

// planes is the number of levels in a byte.
func (l *levelsKernel) planes() int { return 8 / l.bits }

func (l *levelsKernel) emit() {
	k := l.k
	n, shift := k.arg("n"), k.XMM()
	l.groups, l.codes, l.weights, l.dst = k.arg("groups"), k.arg("codes"), k.arg("weights"), k.arg("dst")
	by := k.arg("shift")
	k.VMOVQ(by, shift)
	if l.bits < 8 || !l.vnni() {
		width := min(l.bits, 4)
		l.mask = k.everyByte("mask", 0x01010101*uint32(1<<width-1))
	}
	if !l.vnni() {
		l.ones = k.everyByte("ones16", 0x00010001)
		if l.bits == 8 {
			l.sixteens = k.everyByte("sixteens16", 0x00100010)
		}
	}
	pieces := []int{16, 4, 1}
	if !k.wide {
		pieces = []int{2}
	}
	for _, vecs := range pieces {
		loop, done := fmt.Sprintf("by%d", vecs), fmt.Sprintf("by%dend", vecs)
		codes := vecs * k.lanes()
		k.SUBQ(operand.U32(codes), n)
		k.JB(operand.LabelRef(done))
		k.section(loop, fmt.Sprintf("%d codes, %d in a vector.", codes, k.lanes()))
		l.some(vecs, shift)
		k.ADDQ(operand.U32(4*codes), l.codes)
		k.ADDQ(operand.U32(4*codes), l.dst)
		k.SUBQ(operand.U32(codes), n)
		k.JAE(operand.LabelRef(loop))
		k.Label(done)
		k.ADDQ(operand.U32(codes), n)
	}
	k.done()
}

// some takes the next codes, vecs vectors of them.
func (l *levelsKernel) some(vecs int, shift reg.VecVirtual) {
	k := l.k
	here := fmt.Sprintf("groups%d", vecs)
	sums := k.vecs(vecs)
	for i, s := range sums {
		k.load(operand.Mem{Base: l.dst, Disp: i * k.bytes}, s)
		k.VPSLLD(shift, s, s)
	}
	codes, weights, left := k.GP64(), k.GP64(), k.GP64()
	k.MOVQ(l.codes, codes)
	k.MOVQ(l.weights, weights)
	k.MOVQ(l.groups, left)
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef(here + "end"))
	k.section(here, "A group: the products of its levels and weights.")
	w := k.vecs(l.planes())
	for p, v := range w {
		k.VPBROADCASTD(operand.Mem{Base: weights, Disp: 4 * p}, v)
	}
	for i, s := range sums {
		c := k.vec()
		k.load(operand.Mem{Base: codes, Disp: i * k.bytes}, c)
		l.add(c, w, s)
	}
	k.forward(4*l.planes(), weights)
	k.forward(4*blockPQ, codes)
	k.DECQ(left)
	k.JNZ(operand.LabelRef(here))
	k.Label(here + "end")
	for i, s := range sums {
		k.store(s, operand.Mem{Base: l.dst, Disp: i * k.bytes})
	}
}

// add adds to sum the products of the levels in codes and their weights.
func (l *levelsKernel) add(codes reg.VecVirtual, weights []reg.VecVirtual, sum reg.VecVirtual) {
	k := l.k
	if l.vnni() {
		for p, w := range weights {
			k.VPDPBUSD(w, l.plane(codes, p), sum)
		}
		return
	}
	pairs := make([]reg.VecVirtual, 0, 8)
	multiply := func(levels, w reg.VecVirtual) reg.VecVirtual {
		k.VPMADDUBSW(w, levels, levels)
		return levels
	}
	if l.bits == 8 {
		four := &levelsKernel{k: k, bits: 4, mask: l.mask}
		low := multiply(four.plane(codes, 0), weights[0])
		high := multiply(four.plane(codes, 1), weights[0])
		k.VPMADDWD(l.ones, low, low)
		k.VPMADDWD(l.sixteens, high, high)
		k.VPADDD(low, sum, sum)
		k.VPADDD(high, sum, sum)
		return
	}
	for p, w := range weights {
		pairs = append(pairs, multiply(l.plane(codes, p), w))
		if p > 0 {
			k.VPADDW(pairs[p], pairs[0], pairs[0])
		}
	}
	k.VPMADDWD(l.ones, pairs[0], pairs[0])
	k.VPADDD(pairs[0], sum, sum)
}

// plane is the vector of levels of one plane.
func (l *levelsKernel) plane(codes reg.VecVirtual, p int) reg.VecVirtual {
	if l.bits == 8 {
		return codes
	}
	v := l.k.vec()
	if p == 0 {
		l.k.andBytes(l.mask, codes, v)
		return v
	}
	l.k.VPSRLW(operand.Imm(uint64(p*l.bits)), codes, v)
	l.k.andBytes(l.mask, v, v)
	return v
}
