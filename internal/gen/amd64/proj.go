package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernels of projections that pass over whole vectors. See package proj for what they compute.

// Predicates of comparisons that are true for NaN, and silent.
const (
	notGreater   = operand.U8(0x1a)
	notGreaterEq = operand.U8(0x19)
)

// projMaxima holds four vectors of maxima. 16 elements are one vector of 512 bits up to four of 256 bits; vectors that
// lie 16 elements apart hold the same classes and are joined at the end.
var projMaxima = source{
	family: "proj", name: "maxima", entry: "Maxima", sig: "(m, a *T, n int)",
	emit: func(k *kernel) {
		m := k.arg("m")
		for i, v := range k.classMaxima(k.arg("a"), k.arg("n")) {
			k.store(v, k.at(m, i*k.lanes()))
		}
		k.done()
	},
}

// classMaxima returns the maxima of the classes in one to four vectors.
func (k *kernel) classMaxima(a, n reg.GPVirtual) []reg.VecVirtual {
	lowest, acc := k.vec(), k.vecs(4)
	k.bcast(k.lowest(), lowest)
	for _, v := range acc {
		k.VMOVAPS(lowest, v)
	}
	// The old maximum comes second: it is what a comparison with NaN returns.
	join := func(x, acc reg.Register) { pick(k, k.VMAXPS, k.VMAXPD)(acc, x, acc) }
	take := func(i int, m operand.Mem) {
		x := k.vec()
		k.load(m, x)
		join(x, acc[i])
	}
	lanes := k.lanes()
	k.SUBQ(operand.U32(4*lanes), n)
	k.JB(operand.LabelRef("rest"))
	k.section("loop", "Four vectors at a time.")
	for i := range acc {
		take(i, k.at(a, i*lanes))
	}
	k.ADDQ(operand.U32(4*k.bytes), a)
	k.SUBQ(operand.U32(4*lanes), n)
	k.JAE(operand.LabelRef("loop"))
	k.Label("rest")
	k.ADDQ(operand.U32(4*lanes), n)
	k.Comment("The rest: whole vectors, and one under a mask.")
	for i := range acc { // less than four vectors are left
		part := fmt.Sprintf("part%d", i)
		k.SUBQ(operand.U32(lanes), n)
		if i == len(acc)-1 {
			k.JMP(operand.LabelRef(part))
			break
		}
		k.JB(operand.LabelRef(part))
		take(i, k.at(a, 0))
		k.ADDQ(operand.U32(k.bytes), a)
	}
	for i := range acc {
		k.Label(fmt.Sprintf("part%d", i))
		k.ADDQ(operand.U32(lanes), n)
		by, x := k.maskOf(n), k.vec()
		if k.wide {
			k.VMOVAPS(lowest, x)
			pick(k, k.VMOVUPS, k.VMOVUPD)(k.at(a, 0), by.k, x)
		} else {
			k.loadMasked(k.at(a, 0), by, x)
			pick(k, k.VBLENDVPS, k.VBLENDVPD)(by.v, x, lowest, x)
		}
		join(x, acc[i])
		if i < len(acc)-1 {
			k.JMP(operand.LabelRef("joined"))
		}
	}
	k.section("joined", "Vectors 16 elements apart hold the same classes.")
	vecs := 16 / lanes
	for i := len(acc) - 1; i >= vecs; i-- {
		join(acc[i], acc[i-vecs])
	}
	return acc[:vecs]
}

// lowest is -Inf.
func (k *kernel) lowest() operand.Mem {
	if k.f64 {
		return k.global("lowest64", func() { k.AppendDatum(operand.U64(math.Float64bits(math.Inf(-1)))) })
	}
	return k.global("lowest32", func() { k.AppendDatum(operand.U32(math.Float32bits(float32(math.Inf(-1))))) })
}

func (k *kernel) infinity() operand.Mem {
	if k.f64 {
		return k.global("infinity64", func() { k.AppendDatum(operand.U64(math.Float64bits(math.Inf(1)))) })
	}
	return k.global("infinity32", func() { k.AppendDatum(operand.U32(math.Float32bits(float32(math.Inf(1))))) })
}

// projAbove compresses each vector in a register and stores all of it, which the room behind n is for. Four vectors are
// mostly dropped at once.
var projAbove = source{
	family: "proj", name: "above", entry: "Above", sig: "(dst, a *T, n int, t T) int",
	emit: func(k *kernel) {
		dst, a, n, count, table := k.arg("dst"), k.arg("a"), k.arg("n"), k.GP64(), reg.GPVirtual(nil)
		t := k.vec()
		k.bcast(k.scalarArg("t"), t)
		k.XORL(count.As32(), count.As32())
		if !k.wide {
			table = k.GP64()
			if k.f64 {
				k.LEAQ(k.permutations("compress4x2", 4, 2), table)
			} else {
				k.LEAQ(k.permutations("compress8", 8, 1), table)
			}
		}
		compare := func(m operand.Op, by *mask) mask {
			cmp := pick(k, k.VCMPPS, k.VCMPPD)
			switch {
			case k.wide && by == nil:
				above := k.K()
				cmp(notGreater, m, t, above)
				return mask{k: above}
			case k.wide:
				above := k.K()
				cmp(notGreater, m, t, by.k, above)
				return mask{k: above}
			}
			above := k.vec()
			cmp(notGreater, m, t, above)
			if by != nil {
				k.and(by.v, above, above)
			}
			return mask{v: above}
		}
		keep := func(x reg.VecVirtual, above mask) {
			bits, to := k.GP32(), operand.Mem{Base: dst, Index: count, Scale: uint8(k.size)}
			if k.wide {
				k.KMOVW(above.k, bits)
				pick(k, k.VCOMPRESSPS_Z, k.VCOMPRESSPD_Z)(x, above.k, x)
			} else {
				pick(k, k.VMOVMSKPS, k.VMOVMSKPD)(above.v, bits)
				perm := k.vec()
				k.VPMOVZXBD(operand.Mem{Base: table, Index: bits.As64(), Scale: 8}, perm)
				k.VPERMPS(x, perm, x)
			}
			k.store(x, to)
			k.POPCNTL(bits, bits)
			k.ADDQ(bits.As64(), count)
		}
		lanes := k.lanes()
		for _, vecs := range []int{4, 1} {
			loop := fmt.Sprintf("by%d", vecs)
			k.SUBQ(operand.U32(vecs*lanes), n)
			k.JB(operand.LabelRef(loop + "end"))
			k.section(loop, counted(vecs, "vector")+" at a time: what is not at most t is compressed.")
			above := make([]mask, vecs)
			for i := range above {
				above[i] = compare(k.at(a, i*lanes), nil)
			}
			if vecs > 1 {
				k.unlessSome(above, loop+"none")
			}
			for i, m := range above {
				x := k.vec()
				k.load(k.at(a, i*lanes), x)
				keep(x, m)
			}
			if vecs > 1 {
				k.Label(loop + "none")
			}
			k.ADDQ(operand.U32(vecs*k.bytes), a)
			k.SUBQ(operand.U32(vecs*lanes), n)
			k.JAE(operand.LabelRef(loop))
			k.Label(loop + "end")
			k.ADDQ(operand.U32(vecs*lanes), n)
		}
		k.JZ(operand.LabelRef("done"))
		k.Comment("The rest, under a mask.")
		by, x := k.maskOf(n), k.vec()
		k.loadMasked(k.at(a, 0), by, x)
		keep(x, compare(x, &by))
		k.Label("done")
		ret, err := k.ReturnIndex(0).Resolve()
		if err != nil {
			panic(err)
		}
		k.MOVQ(count, ret.Addr)
		k.done()
	},
}

// unlessSome jumps when none of the masks, a power of two, selects anything.
func (k *kernel) unlessSome(m []mask, to string) {
	for m = slices.Clone(m); len(m) > 2; m = m[:len(m)/2] {
		for i := range len(m) / 2 {
			m[i] = k.either(m[i], m[i+len(m)/2])
		}
	}
	if k.wide {
		k.KORTESTW(m[0].k, m[1].k)
	} else {
		v := k.either(m[0], m[1]).v
		k.VTESTPS(v, v)
	}
	k.JZ(operand.LabelRef(to))
}

func (k *kernel) either(a, b mask) mask {
	if k.wide {
		c := k.K()
		k.KORW(a.k, b.k, c)
		return mask{k: c}
	}
	c := k.vec()
	k.VORPS(a.v, b.v, c)
	return mask{v: c}
}

// projClip works on units of one vector of float64. Of each four units one comparison finds out whether any is to be
// computed.
var projClip = source{
	family: "proj", name: "clip", entry: "Clip", sig: "(dst, a *T, n int, skip T, c, t, l, u float64)",
	emit: func(k *kernel) {
		dst, a, n := k.arg("dst"), k.arg("a"), k.arg("n")
		skip, low, c, t, l, u := k.vec(), k.vec(), k.vec(), k.vec(), k.vec(), k.vec()
		k.bcast(k.scalarArg("skip"), skip)
		for _, p := range []struct {
			name string
			v    reg.VecVirtual
		}{{"c", c}, {"t", t}, {"l", l}, {"u", u}} {
			k.VBROADCASTSD(k.scalarArg(p.name), p.v)
		}
		unit := k.bytes / 8 // elements
		narrow := k.narrow
		if k.f64 {
			k.VMOVAPS(l, low)
		} else {
			k.VMOVAPS(l, low)
			k.toF32(low)
			k.duplicate(low)
		}
		compute := func(x reg.VecVirtual) { // float64 in, the element's type out
			k.VSUBPD(c, x, x)
			k.VSUBPD(t, x, x)
			k.VMAXPD(x, l, x) // NaN in the second source is what comes out
			k.VMINPD(x, u, x)
			if !k.f64 {
				k.toF32(x)
			}
		}
		widen := func(m operand.Op, x reg.VecVirtual) {
			if k.f64 {
				k.load(m.(operand.Mem), x)
			} else {
				k.VCVTPS2PD(m, x)
			}
		}
		one := func(i int) {
			x := k.vec()
			widen(k.at(a, i*unit), x)
			compute(x)
			k.store(narrow(x), k.at(dst, i*unit))
		}
		forward := func(units int) {
			k.ADDQ(operand.U32(units*unit*k.size), a)
			k.ADDQ(operand.U32(units*unit*k.size), dst)
		}
		k.SUBQ(operand.U32(4*unit), n)
		k.JB(operand.LabelRef("units"))
		k.section("loop", "Four units: does an element reach skip?")
		some := make([]mask, 4*unit/k.lanes())
		for i := range some {
			cmp := pick(k, k.VCMPPS, k.VCMPPD)
			if k.wide {
				some[i].k = k.K()
				cmp(notGreaterEq, k.at(a, i*k.lanes()), skip, some[i].k)
			} else {
				some[i].v = k.vec()
				cmp(notGreaterEq, k.at(a, i*k.lanes()), skip, some[i].v)
			}
		}
		vectors := len(some)
		k.unlessSome(some, "none")
		k.Comment("One does: min(max(l, (a - c) - t), u).")
		for i := range 4 {
			one(i)
		}
		forward(4)
		k.SUBQ(operand.U32(4*unit), n)
		k.JAE(operand.LabelRef("loop"))
		k.JMP(operand.LabelRef("units"))
		k.section("none", "None does: l.")
		for i := range vectors {
			k.store(low, k.at(dst, i*k.lanes()))
		}
		forward(4)
		k.SUBQ(operand.U32(4*unit), n)
		k.JAE(operand.LabelRef("loop"))

		k.Label("units")
		k.ADDQ(operand.U32(4*unit), n)
		k.SUBQ(operand.U32(unit), n)
		k.JB(operand.LabelRef("part"))
		k.section("unit", "A unit.")
		one(0)
		forward(1)
		k.SUBQ(operand.U32(unit), n)
		k.JAE(operand.LabelRef("unit"))
		k.Label("part")
		k.ADDQ(operand.U32(unit), n)
		k.JZ(operand.LabelRef("done"))
		k.Comment("The rest, under a mask.")
		by, x := k.maskOf(n), k.vec()
		k.loadMasked(k.at(a, 0), by, narrow(x))
		if !k.f64 {
			k.VCVTPS2PD(narrow(x), x)
		}
		compute(x)
		k.storeBits(x, unit*k.size, n, dst)
		k.Label("done")
		k.done()
	},
}

// narrow is the part of v that a vector of float64 fills when converted to the element's type.
func (k *kernel) narrow(v reg.VecVirtual) reg.Register {
	switch {
	case k.f64:
		return v
	case k.wide:
		return v.AsY()
	}
	return v.AsX()
}

// toF32 converts float64 to float32, in the lower half of the register.
func (k *kernel) toF32(v reg.VecVirtual) {
	if k.wide {
		k.VCVTPD2PS(v, v.AsY())
	} else {
		k.VCVTPD2PSY(v, v.AsX())
	}
}

// duplicate copies the lower half of v to the upper.
func (k *kernel) duplicate(v reg.VecVirtual) {
	if k.wide {
		k.VSHUFF64X2(operand.U8(0x44), v, v, v)
	} else {
		k.VINSERTF128(operand.Imm(1), v.AsX(), v, v)
	}
}

// newLabel is a label that the function does not have yet.
func (k *kernel) newLabel(name string) string {
	k.labels++
	return fmt.Sprintf("%s%d", name, k.labels)
}

// storeBits writes the lowest elements of v, which fill bytes when n, of which only the lower bits count, has one more.
// It shifts v and moves dst. On some CPUs loads wait for a masked store before them.
func (k *kernel) storeBits(v reg.VecVirtual, bytes int, n, dst reg.GPVirtual) {
	to := operand.Mem{Base: dst}
	for bytes /= 2; bytes >= k.size; bytes /= 2 {
		skip := k.newLabel("skip")
		k.TESTQ(operand.U32(bytes/k.size), n)
		k.JZ(operand.LabelRef(skip))
		switch bytes {
		case 32:
			k.store(v.AsY(), to)
			k.VEXTRACTF64X4(operand.Imm(1), v, v.AsY())
		case 16:
			k.store(v.AsX(), to)
			if k.wide {
				k.VEXTRACTF32X4(operand.Imm(1), v.AsY(), v.AsX())
			} else {
				k.VEXTRACTF128(operand.Imm(1), v.AsY(), v.AsX())
			}
		case 8:
			k.VMOVSD(v.AsX(), to)
			if !k.f64 {
				k.VPERMILPD(operand.Imm(1), v.AsX(), v.AsX())
			}
		case 4:
			k.VMOVSS(v.AsX(), to)
		}
		if bytes > k.size {
			k.ADDQ(operand.U32(bytes), dst)
		}
		k.Label(skip)
	}
}
