package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// compress copies the elements above t, and their positions. Each vector is compressed in a register and stored whole,
// for AMD's CPUs compress to memory by microcode: what lies behind the survivors is overwritten by the next vector or
// left, but since the store begins no further on than the vector was read, it stays within n elements. Only the last,
// partial vector needs a masked store.
//
// Survivors are rare where thresholds are useful, so four vectors are compared at once and mostly dropped at once.
var compress = source{
	family: "reduce", name: "compress", entry: "Compress", sig: "(x *T, n int, t T, val *T, idx *int32) int",
	emit: func(k *kernel) {
		c := &compressKernel{k: k, x: k.arg("x"), n: k.arg("n"), val: k.arg("val"), idx: k.arg("idx"), i: k.GP64(),
			count: k.GP64(), t: k.vec()}
		c.emit()
	},
}

type compressKernel struct {
	k              *kernel
	x, n, val, idx reg.GPVirtual
	i, count       reg.GPVirtual // elements read, survivors
	t              reg.VecVirtual
	iota           reg.VecVirtual // AVX-512: 0, 1, 2, ... as int32
	table, places  reg.GPVirtual  // AVX2: the permutations by mask
}

func (c *compressKernel) emit() {
	c.k.Comment("The threshold, and the tables that turn a mask into positions.")
	c.k.bcast(c.k.scalarArg("t"), c.t)
	c.k.XORL(c.i.As32(), c.i.As32())
	c.k.XORL(c.count.As32(), c.count.As32())
	c.loadTables()
	for _, vecs := range []int{4, 1} {
		loop, lanes := fmt.Sprintf("by%d", vecs), operand.U32(vecs*c.k.lanes())
		c.k.SUBQ(lanes, c.n) // n counts what is left
		c.k.JB(operand.LabelRef(loop + "end"))
		c.k.section(loop, counted(vecs, "vector")+" at a time.")
		c.block(vecs, loop)
		c.k.ADDQ(lanes, c.i)
		c.k.SUBQ(lanes, c.n)
		c.k.JAE(operand.LabelRef(loop))
		c.k.Label(loop + "end")
		c.k.ADDQ(lanes, c.n)
	}
	c.k.JZ(operand.LabelRef("done"))
	c.k.Comment("The rest, under a mask.")
	by, v := c.k.maskOf(c.n), c.k.vec()
	c.k.loadMasked(c.element(c.x, c.i, 0), by, v)
	c.survivors(c.k.above(v, c.t, &by), v, 0, &by)
	c.k.Label("done")
	c.k.retInt(c.count)
}

// element is the element of an array at position i + disp.
func (c *compressKernel) element(p, i reg.GPVirtual, disp int) operand.Mem {
	return operand.Mem{Base: p, Index: i, Scale: uint8(c.k.size), Disp: disp * c.k.size}
}

// block treats vecs vectors, or drops them when none of them has a survivor.
func (c *compressKernel) block(vecs int, here string) {
	above := make([]mask, vecs)
	for j := range above {
		above[j] = c.k.above(c.element(c.x, c.i, j*c.k.lanes()), c.t, nil)
	}
	if vecs > 1 {
		c.k.Comment("Nothing where no lane of the four is above t.")
		c.unlessAny(above, here+"none")
		c.fewSurvivors(above, here)
	}
	for j, m := range above {
		v := c.k.vec()
		c.k.load(c.element(c.x, c.i, j*c.k.lanes()), v)
		c.survivors(m, v, j*c.k.lanes(), nil)
	}
	c.k.Label(here + "none")
}

// unlessAny jumps when none of four masks selects anything.
func (c *compressKernel) unlessAny(m []mask, to string) {
	if c.k.wide {
		a, b := c.k.K(), c.k.K()
		c.k.KORW(m[0].k, m[1].k, a)
		c.k.KORW(m[2].k, m[3].k, b)
		c.k.KORTESTW(a, b)
	} else {
		a, b := c.k.vec(), c.k.vec()
		c.k.VORPS(m[0].v, m[1].v, a)
		c.k.VORPS(m[2].v, m[3].v, b)
		c.k.VORPS(a, b, a)
		c.k.VTESTPS(a, a)
	}
	c.k.JZ(operand.LabelRef(to))
}

// few is the number of survivors among four vectors that are cheaper to move one by one.
const few = 4

// fewSurvivors moves them and jumps over the vectors; if there are more, it goes on to those.
func (c *compressKernel) fewSurvivors(above []mask, here string) {
	bits, number := c.k.GP64(), c.k.GP64()
	for j := len(above) - 1; j >= 0; j-- {
		m := c.k.GP64()
		if j == len(above)-1 {
			m = bits
		}
		if c.k.wide {
			c.k.KMOVW(above[j].k, m.As32())
		} else {
			pick(c.k, c.k.VMOVMSKPS, c.k.VMOVMSKPD)(above[j].v, m.As32())
		}
		if m != bits {
			c.k.SHLQ(operand.U8(c.k.lanes()), bits)
			c.k.ORQ(m, bits)
		}
	}
	c.k.POPCNTQ(bits, number)
	c.k.CMPQ(number, operand.Imm(few))
	c.k.JA(operand.LabelRef(here + "many"))
	c.k.section(here+"few", "At most 4 survivors: one by one.")
	at, v := c.k.GP64(), c.k.GP64()
	c.k.TZCNTQ(bits, at)
	c.k.ADDQ(c.i, at)
	if c.k.f64 {
		c.k.MOVQ(c.element(c.x, at, 0), v)
		c.k.MOVQ(v, c.element(c.val, c.count, 0))
	} else {
		c.k.MOVL(c.element(c.x, at, 0), v.As32())
		c.k.MOVL(v.As32(), c.element(c.val, c.count, 0))
	}
	c.k.MOVL(at.As32(), operand.Mem{Base: c.idx, Index: c.count, Scale: 4})
	c.k.INCQ(c.count)
	c.k.BLSRQ(bits, bits)
	c.k.JNZ(operand.LabelRef(here + "few"))
	c.k.JMP(operand.LabelRef(here + "none"))
	c.k.section(here+"many", "More: each vector is compressed, and stored whole.")
}

// survivors appends the lanes of v that m selects, v being the elements from position i + disp on. Of a partial vector,
// by selects what may be written.
func (c *compressKernel) survivors(m mask, v reg.VecVirtual, disp int, by *mask) {
	bits, position := c.k.bits(m), c.k.GP64()
	c.k.LEAL(operand.Mem{Base: c.i, Disp: disp}, position.As32())
	where := c.order()
	if c.k.wide {
		c.k.VPBROADCASTD(position.As32(), where)
		c.k.VPADDD(c.like32(c.iota), where, where)
		pick(c.k, c.k.VCOMPRESSPS_Z, c.k.VCOMPRESSPD_Z)(v, m.k, v)
		c.k.VPCOMPRESSD_Z(where, m.k, where)
	} else {
		perm, base := c.k.vec(), c.k.XMM()
		c.k.VPMOVZXBD(operand.Mem{Base: c.table, Index: bits, Scale: 8}, perm)
		c.k.VPERMPS(v, perm, v)
		c.k.VMOVD(position.As32(), base)
		c.k.VPBROADCASTD(base, where)
		if c.k.f64 {
			c.k.VPMOVZXBD(operand.Mem{Base: c.places, Index: bits, Scale: 4}, base)
			c.k.VPADDD(base, where, where)
		} else {
			c.k.VPADDD(perm, where, where)
		}
	}
	val, idx := c.element(c.val, c.count, 0), operand.Mem{Base: c.idx, Index: c.count, Scale: 4}
	switch {
	case by == nil:
		c.k.store(v, val)
		c.k.VMOVUPS(where, idx)
	case c.k.wide:
		c.k.storeMasked(v, *by, val)
		c.k.VMOVUPS(where, by.k, idx)
	default:
		c.k.storeMasked(v, *by, val)
		c.k.VMASKMOVPS(where, c.like32(c.mask32(c.n)), idx)
	}
	c.k.POPCNTL(bits.As32(), bits.As32())
	c.k.ADDQ(bits, c.count)
}

// order returns a fresh register for as many int32 as a vector has elements.
func (c *compressKernel) order() reg.Register { return c.like32(c.k.vec()) }

func (c *compressKernel) like32(v reg.VecVirtual) reg.Register {
	switch 4 * c.k.lanes() {
	case 16:
		return v.AsX()
	case 32:
		return v.AsY()
	}
	return v.AsZ()
}

// mask32 is maskOf for int32, as a vector.
func (c *compressKernel) mask32(n reg.GPVirtual) reg.VecVirtual {
	f32 := *c.k
	f32.elem = elems[0]
	return f32.maskOf(n).v
}

// loadTables loads what turns a mask into positions.
func (c *compressKernel) loadTables() {
	if c.k.wide {
		c.iota = c.k.vec()
		c.k.VMOVDQU32(c.k.counting(), c.like32(c.iota))
		return
	}
	c.table = c.k.GP64()
	if !c.k.f64 {
		c.k.LEAQ(c.k.permutations("compress8", 8, 1), c.table)
		return
	}
	c.places = c.k.GP64()
	c.k.LEAQ(c.k.permutations("compress4x2", 4, 2), c.table)
	c.k.LEAQ(c.k.permutations("compress4", 4, 1), c.places)
}

// counting holds 0 to 15 as int32.
func (k *kernel) counting() operand.Mem {
	return k.global("counting", func() {
		for i := range 16 {
			k.AppendDatum(operand.U32(i))
		}
	})
}

// permutations holds for each mask of n lanes the selected lanes in order, then zeros, a byte each; with parts = 2 each
// lane counts as a pair.
func (k *kernel) permutations(name string, n, parts int) operand.Mem {
	return k.global(name, func() {
		for m := range 1 << n {
			row, at := uint64(0), 0
			for lane := range n {
				for p := range parts * (m >> lane & 1) {
					row |= uint64(lane*parts+p) << at
					at += 8
				}
			}
			if n*parts == 8 {
				k.AppendDatum(operand.U64(row))
			} else {
				k.AppendDatum(operand.U32(row))
			}
		}
	})
}

// global is the table of that name, filled when first asked for.
func (k *kernel) global(name string, fill func()) operand.Mem {
	if m, ok := k.tables[name]; ok {
		return m
	}
	m := k.StaticGlobal(name)
	k.DataAttributes(attr.RODATA | attr.NOPTR)
	fill()
	if k.constants.tables == nil {
		k.constants.tables = map[string]operand.Mem{}
	}
	k.constants.tables[name] = m
	return m
}
