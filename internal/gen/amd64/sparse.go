package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels of a sparse vector: values val with their places idx, int32 that are not negative. Elements are fetched one
// by one, for gathers are slow, or very slow, on most CPUs; where they are fast, the inner product takes them.

var sparseDot = source{
	family: "sparse", name: "dot", entry: "Dot", sig: "(idx *int32, val *T, nnz int, x *T) T",
	forms: []tier{gather, tiers[0], tiers[1]},
	emit: func(k *kernel) {
		s := &sparseVector{k: k}
		s.args("x")
		k.ret(s.dot())
	},
}

var sparseDotAhead = source{
	family: "sparse", name: "dotahead", entry: "DotAhead",
	sig: "(idx *int32, val *T, nnz int, x *T, nextIdx *int32, nextVal *T, p, q, r *byte) T", forms: sparseDot.forms,
	emit: func(k *kernel) {
		s := &sparseVector{k: k}
		s.args("x")
		s.nextIdx, s.nextVal = k.arg("nextIdx"), k.arg("nextVal")
		k.Comment("What the next call needs besides its row.")
		for _, name := range []string{"p", "q", "r"} {
			k.PREFETCHT0(operand.Mem{Base: k.arg(name)})
		}
		k.ret(s.dot())
	},
}

var sparseAxpy = source{
	family: "sparse", name: "axpy", entry: "Axpy", sig: "(alpha T, idx *int32, val *T, nnz int, y *T)",
	emit: func(k *kernel) {
		s := &sparseVector{k: k}
		s.args("y")
		alpha := k.XMM()
		k.loadPart(k.scalarArg("alpha"), alpha, k.size)
		s.axpy(alpha)
		k.done()
	},
}

var sparseMixedDot = source{
	family: "sparse", name: "mixeddot", entry: "MixedDot",
	sig: "(idx *int32, val *float32, nnz int, x *float64) float64", forms: sparseDot.forms, elems: mixed,
	emit: ofSingle(sparseDot.emit),
}

var sparseMixedAxpy = source{
	family: "sparse", name: "mixedaxpy", entry: "MixedAxpy",
	sig: "(alpha float64, idx *int32, val *float32, nnz int, y *float64)", elems: mixed,
	emit: ofSingle(sparseAxpy.emit),
}

var sparseGer = source{
	family: "sparse", name: "ger", entry: "Ger", storeBound: true,
	sig: "(alpha T, idx *int32, val *T, nnz int, y *T, n int, a *T, lda int)",
	emit: func(k *kernel) {
		g := &gerKernel{k: k, m: k.arg("nnz"), n: k.arg("n"), x: k.arg("val"), y: k.arg("y"), a: k.GP64(),
			lda: k.bytesArg("lda"), idx: k.arg("idx"), base: k.arg("a")}
		g.emit()
	},
}

var sparseMaxIndex = source{
	family: "sparse", name: "maxindex", entry: "MaxIndex", elems: plain, sig: "(idx *int32, nnz int) uint32",
	emit: func(k *kernel) {
		idx, nnz, acc := k.arg("idx"), k.arg("nnz"), k.vecs(4)
		k.zero(acc...)
		for _, vecs := range []int{4, 1} {
			loop, lanes := fmt.Sprintf("by%d", vecs), operand.U32(vecs*k.lanes())
			k.SUBQ(lanes, nnz)
			k.JB(operand.LabelRef(loop + "end"))
			k.section(loop, counted(vecs, "vector")+" at a time.")
			for i := range vecs {
				k.VPMAXUD(k.at(idx, i*k.lanes()), acc[i], acc[i])
			}
			k.ADDQ(operand.U32(vecs*k.bytes), idx)
			k.SUBQ(lanes, nnz)
			k.JAE(operand.LabelRef(loop))
			k.Label(loop + "end")
			k.ADDQ(lanes, nnz)
		}
		k.JZ(operand.LabelRef("joined"))
		k.Comment("The rest, under a mask.")
		rest := k.vec()
		k.loadMasked(k.at(idx, 0), k.maskOf(nnz), rest) // what lies behind counts as 0
		k.VPMAXUD(rest, acc[3], acc[3])
		k.section("joined", "The largest of all lanes.")
		k.VPMAXUD(acc[1], acc[0], acc[0])
		k.VPMAXUD(acc[3], acc[2], acc[2])
		k.VPMAXUD(acc[2], acc[0], acc[0])
		k.across(acc[0], k.VPMAXUD)
		ret, err := k.ReturnIndex(0).Resolve()
		if err != nil {
			panic(err)
		}
		largest := k.GP32()
		k.VMOVD(acc[0].AsX(), largest)
		k.MOVL(largest, ret.Addr)
		k.done()
	},
}

type sparseVector struct {
	k                *kernel
	idx, val, nnz, x reg.GPVirtual

	nextIdx, nextVal reg.GPVirtual // of a row that is asked for meanwhile, or nil
	labels           string        // what the labels of axpy begin with
	scarce           bool          // registers are: see zero
}

// zero clears registers. What kernel.zero clears avo takes to be alive before, beyond the lowest 16 bytes.
func (s *sparseVector) zero(v reg.VecVirtual) {
	if s.scarce {
		s.k.VXORPS(v, v, v)
	} else {
		s.k.zero(v)
	}
}

func (s *sparseVector) args(x string) {
	s.idx, s.val, s.nnz, s.x = s.k.arg("idx"), s.k.arg("val"), s.k.arg("nnz"), s.k.arg(x)
}

// dot returns the register with the sum.
func (s *sparseVector) dot() reg.VecVirtual {
	if s.k.flag == gather.flag {
		return s.dotByGathers()
	}
	return s.dotByElements()
}

// dotByElements adds up in four registers of 16 bytes, filled element by element.
func (s *sparseVector) dotByElements() reg.VecVirtual {
	lanes := 16 / s.k.size
	acc := []reg.VecVirtual{s.k.XMM(), s.k.XMM(), s.k.XMM(), s.k.XMM()}
	s.k.zero(acc...)
	for _, vecs := range []int{4, 1} {
		here := fmt.Sprintf("by%d", vecs)
		s.k.SUBQ(operand.Imm(uint64(vecs*lanes)), s.nnz)
		s.k.JB(operand.LabelRef(here + "end"))
		s.k.section(here, counted(vecs*lanes, "element")+" at a time.")
		if vecs > 1 {
			s.askNext(vecs * lanes)
		}
		for i := range vecs {
			s.k.fmaData(s.k.atData(s.val, i*lanes), s.gather(i*lanes), acc[i])
		}
		s.advance(vecs * lanes)
		s.k.SUBQ(operand.Imm(uint64(vecs*lanes)), s.nnz)
		s.k.JAE(operand.LabelRef(here))
		s.k.Label(here + "end")
		if vecs > 1 {
			s.askNext(0)
		}
		s.k.ADDQ(operand.Imm(uint64(vecs*lanes)), s.nnz)
	}
	s.k.Comment("The sum of the chains.")
	s.k.add(acc[1], acc[0], acc[0])
	s.k.add(acc[3], acc[2], acc[2])
	s.k.add(acc[2], acc[0], acc[0])
	s.k.JZ(operand.LabelRef("total")) // nothing above touches the flags of the addition to nnz
	s.k.section("last", "The rest, one by one.")
	v, j := s.k.XMM(), s.k.GP64()
	s.k.MOVL(operand.Mem{Base: s.idx}, j.As32())
	s.one(0, v)
	pick(s.k, s.k.VFMADD231SS, s.k.VFMADD231SD)(s.element(j), v, acc[0])
	s.advance(1)
	s.k.DECQ(s.nnz)
	s.k.JNZ(operand.LabelRef("last"))
	s.k.Label("total")
	s.k.sumLanes(acc[0], 16)
	return acc[0]
}

// dotByGathers adds up in one register: a gather takes longer than the sum before it.
func (s *sparseVector) dotByGathers() reg.VecVirtual {
	acc, lanes := s.k.vec(), operand.Imm(uint64(s.k.lanes()))
	s.zero(acc)
	bits, all := s.k.GP32(), s.k.K()
	s.k.MOVL(operand.U32(0xffffffff), bits)
	s.k.KMOVW(bits, all)
	s.k.SUBQ(lanes, s.nnz)
	s.k.JB(operand.LabelRef("tail"))
	s.k.section("loop", "A vector of elements at a time.")
	s.askNext(s.k.lanes())
	idx := s.indices()
	s.k.load(operand.Mem{Base: s.idx}, idx)
	s.k.fmaData(s.k.atData(s.val, 0), s.gathered(idx, all), acc)
	s.advance(s.k.lanes())
	s.k.SUBQ(lanes, s.nnz)
	s.k.JAE(operand.LabelRef("loop"))
	s.k.Label("tail")
	s.askNext(0)
	s.k.ADDQ(lanes, s.nnz)
	s.k.JZ(operand.LabelRef("total"))
	s.k.Comment("The rest, under a mask.")
	by, idx, val := s.k.maskOf(s.nnz), s.indices(), s.k.vec()
	s.k.VMOVDQU32_Z(operand.Mem{Base: s.idx}, by.k, idx)
	s.k.loadDataMasked(s.k.atData(s.val, 0), by, val)
	s.k.fma(val, s.gathered(idx, by.k), acc)
	s.k.Label("total")
	s.k.sumLanes(acc, s.k.bytes)
	return acc
}

// askNext asks for a cache line of each part of the next row, and goes on by a number of elements. Where a row has as
// many lines as this one, none is left out but perhaps the last, and no branch depends on its length.
func (s *sparseVector) askNext(elements int) {
	if s.nextIdx == nil {
		return
	}
	for _, part := range []struct {
		at   reg.GPVirtual
		size int
	}{{s.nextIdx, 4}, {s.nextVal, s.k.size}} {
		s.k.PREFETCHT0(operand.Mem{Base: part.at})
		if elements > 0 {
			s.k.ADDQ(operand.Imm(uint64(part.size*elements)), part.at)
		}
	}
}

// indices is a register for as many indices as a vector has elements.
func (s *sparseVector) indices() reg.VecVirtual { return s.k.part(4 * s.k.lanes()) }

// gathered returns the elements of x at the indices that by selects, and 0 in the other lanes.
func (s *sparseVector) gathered(idx reg.VecVirtual, by reg.Register) reg.VecVirtual {
	v, left := s.k.vec(), s.k.K() // a gather clears its mask
	s.zero(v)
	s.k.KMOVW(by, left)
	pick(s.k, s.k.VGATHERDPS, s.k.VGATHERDPD)(s.element(idx), left, v)
	return v
}

// element is x[j].
func (s *sparseVector) element(j reg.Register) operand.Mem {
	return operand.Mem{Base: s.x, Index: j, Scale: uint8(s.k.size)}
}

func (s *sparseVector) advance(elements int) {
	s.k.ADDQ(operand.Imm(uint64(4*elements)), s.idx)
	s.k.ADDQ(operand.Imm(uint64(s.k.dataSize()*elements)), s.val)
}

// gather returns 16 bytes of x, those at the indices from the one at disp on. One load fetches two indices.
func (s *sparseVector) gather(disp int) reg.VecVirtual {
	v := s.k.XMM()
	for i := 0; i < 16/s.k.size; i += 2 {
		pair := s.two(disp + i)
		first, second := pair[0], pair[1]
		switch {
		case s.k.f64:
			s.k.VMOVSD(s.element(first), v)
			s.k.VMOVHPD(s.element(second), v, v)
		case i == 0:
			s.k.VMOVSS(s.element(first), v)
			s.k.VINSERTPS(operand.U8(0x10), s.element(second), v, v)
		default:
			s.k.VINSERTPS(operand.U8(0x20), s.element(first), v, v)
			s.k.VINSERTPS(operand.U8(0x30), s.element(second), v, v)
		}
	}
	return v
}

// axpy updates one element after the other, so that an index may come twice.
func (s *sparseVector) axpy(alpha reg.VecVirtual) {
	for _, n := range []int{4, 1} {
		here := fmt.Sprintf("%sby%d", s.labels, n)
		s.k.SUBQ(operand.Imm(uint64(n)), s.nnz)
		s.k.JB(operand.LabelRef(here + "end"))
		s.k.section(here, counted(n, "element")+" at a time.")
		places := []reg.GPVirtual{s.k.GP64()}
		if n == 1 {
			s.k.MOVL(operand.Mem{Base: s.idx}, places[0].As32())
		} else {
			places = append(s.two(0), s.two(2)...)
		}
		for i, j := range places {
			v := s.k.XMM()
			s.one(i, v)
			pick(s.k, s.k.VFMADD213SS, s.k.VFMADD213SD)(s.element(j), alpha, v)
			s.k.storePart(v, s.element(j), s.k.size)
		}
		s.advance(n)
		s.k.SUBQ(operand.Imm(uint64(n)), s.nnz)
		s.k.JAE(operand.LabelRef(here))
		s.k.Label(here + "end")
		s.k.ADDQ(operand.Imm(uint64(n)), s.nnz)
	}
}

// one loads a value into the lowest lane of v.
func (s *sparseVector) one(disp int, v reg.VecVirtual) {
	s.k.loadPart(s.k.atData(s.val, disp), v, s.k.dataSize())
	if s.k.single {
		s.k.VCVTPS2PD(v, v)
	}
}

// two loads two indices at once, those at disp and behind it.
func (s *sparseVector) two(disp int) []reg.GPVirtual {
	first, second := s.k.GP64(), s.k.GP64()
	s.k.MOVQ(operand.Mem{Base: s.idx, Disp: 4 * disp}, second)
	s.k.MOVL(second.As32(), first.As32())
	s.k.SHRQ(operand.U8(32), second)
	return []reg.GPVirtual{first, second}
}

// rowAt loads an index and leaves where its row begins, in bytes from row 0.
func (k *kernel) rowAt(idx operand.Mem, lda, row reg.GPVirtual) {
	k.MOVL(idx, row.As32())
	k.IMULQ(lda, row)
}
