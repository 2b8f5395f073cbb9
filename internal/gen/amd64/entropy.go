package main

import (
	"math"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/fit"
)

// The kernels of package asm/entropy compute with float64. They go through the classes vector by vector, and have the
// rest, if there is one, in a vector that is masked. Rows of u may be read and written beyond the last class.

var entropyBegin = source{
	family: "entropy", name: "begin", entry: "Begin", sig: "(a, s *T, u, sums *float64, m int, shift float64)",
	emit: func(k *kernel) { newEntropy(k).begin() },
}

var entropyStep = source{
	family: "entropy", name: "step", entry: "Step",
	sig:    "(a, delta *T, u *float64, m, y int, q *float64) (outcome int)",
	emit:   func(k *kernel) { newEntropy(k).step() },
	beside: []source{entropyBegin},
}

// entropy is one of the kernels.
type entropy struct {
	*pool  // of float64
	exp    *expKernel
	k      *kernel // for float64
	narrow *kernel // for the element
	m, at  reg.GPVirtual
	row    []reg.GPVirtual // of the softmax z, l, p, g
	rest   [2]mask         // of the last vector: float64 and elements
	isRest bool
	q      reg.GPVirtual          // parameters and results
	kept   map[int]reg.VecVirtual // parameters in registers
	t      reg.VecVirtual         // in a register, or else in q
}

func newEntropy(k *kernel) *entropy {
	n := entropyOf(k, "entropy", "z", "l", "p", "g")
	n.number("one", 1)
	n.number("two", 2)
	n.number("third", 1./3)
	n.number("sixth", 1./6)
	n.number("twelfth", 1./12)
	n.number("quarter", 0.25)
	n.number("none", 0)
	n.bits("no sign", math.MaxInt64)
	for i := 1; i <= logTerms; i++ {
		n.number(logTerm(i), math.Copysign(1/float64(i), float64(i%2)-0.5))
	}
	return n
}

// entropyOf is a kernel with these rows of u, and the exponential in the pool of a name.
func entropyOf(k *kernel, name string, rows ...string) *entropy {
	n := exponentials(k, name)
	n.m, n.row, n.at = k.arg("m"), make([]reg.GPVirtual, len(rows)), k.GP64()
	k.Comment("The rows " + strings.Join(rows, ", ") +
		" of u, which hold m float64 rounded up to a multiple of 8.")
	room := k.GP64()
	k.LEAQ(operand.Mem{Base: n.m, Disp: 7}, room)
	k.ANDQ(operand.I32(-8), room)
	n.row[0] = k.arg("u")
	for i := 1; i < len(rows); i++ {
		n.row[i] = k.GP64()
		k.LEAQ(operand.Mem{Base: n.row[i-1], Index: room, Scale: 8}, n.row[i])
	}
	return n
}

// exponentials is a kernel without rows: what computes on vectors of float64, and exponentials of them.
func exponentials(k *kernel, name string) *entropy {
	double := *k
	double.elem = elems[1]
	n := &entropy{pool: double.newPool(name), k: &double, narrow: k, kept: map[int]reg.VecVirtual{}}
	n.exp = &expKernel{pool: n.pool}
	n.exp.Exp = fit.NewExp(53, 16, 6)
	if !k.wide {
		n.exp.Exp = fit.NewExp(53, 4, 8)
	}
	n.exp.constants()
	return n
}

// each calls f for each vector in a loop, and once more for the rest.
func (n *entropy) each(f func()) {
	k, loop, test, end, last := n.k, n.k.newLabel("loop"), n.k.newLabel("test"), n.k.newLabel("end"), n.k.GP64()
	k.XORL(n.at.As32(), n.at.As32())
	k.MOVQ(n.m, last)
	k.ANDQ(operand.I32(-k.lanes()), last)
	k.JMP(operand.LabelRef(test))
	k.Label(loop)
	f()
	k.ADDQ(operand.Imm(uint64(k.lanes())), n.at)
	k.Label(test)
	k.CMPQ(n.at, last)
	k.JB(operand.LabelRef(loop))
	k.CMPQ(n.at, n.m)
	k.JE(operand.LabelRef(end))
	k.Comment("The last classes, under a mask.")
	left := k.GP64()
	k.MOVQ(n.m, left)
	k.SUBQ(last, left)
	n.rest[0] = k.maskOf(left)
	n.rest[1] = n.rest[0]
	if !k.wide {
		n.rest[1] = n.narrow.maskOf(left)
	}
	n.isRest = true
	f()
	n.isRest = false
	k.Label(end)
}

// mem is the vector's place in a row, and elements that in an array.
func (n *entropy) mem(row int) operand.Mem {
	return operand.Mem{Base: n.row[row], Index: n.at, Scale: 8}
}

func (n *entropy) elements(base reg.GPVirtual) operand.Mem {
	return operand.Mem{Base: base, Index: n.at, Scale: uint8(n.narrow.size)}
}

// read loads from a row, zeros behind the last class. (A masked load would wait until a store before it has left for
// the cache.)
func (n *entropy) read(row int) reg.VecVirtual {
	v := n.k.vec()
	n.k.load(n.mem(row), v)
	n.clear(v)
	return v
}

// load reads elements as they are.
func (n *entropy) load(base reg.GPVirtual, v reg.Register) {
	if n.isRest {
		n.narrow.loadMasked(n.elements(base), n.rest[1], v)
	} else {
		n.narrow.load(n.elements(base), v)
	}
}

// widen reads elements as float64, zeros behind the last class.
func (n *entropy) widen(base reg.GPVirtual) reg.VecVirtual {
	k, v, from := n.k, n.k.vec(), n.elements(base)
	switch {
	case n.narrow.f64:
		n.load(base, v)
	case n.isRest && k.wide:
		k.VCVTPS2PD_Z(from, n.rest[0].k, v)
	case n.isRest:
		n.load(base, v.AsX())
		k.VCVTPS2PD(v.AsX(), v)
	default:
		k.VCVTPS2PD(from, v)
	}
	return v
}

// clear sets v to 0 behind the last class.
func (n *entropy) clear(v reg.VecVirtual) {
	switch {
	case !n.isRest:
	case n.k.wide:
		n.k.VMOVAPD_Z(v, n.rest[0].k, v)
	default:
		n.k.VANDPD(n.rest[0].v, v, v)
	}
}

// parameter is a number of q in every lane.
func (n *entropy) parameter(i int) reg.VecVirtual {
	if v, ok := n.kept[i]; ok {
		return v
	}
	v := n.k.vec()
	n.k.VBROADCASTSD(n.k.at(n.q, i), v)
	return v
}

// use is op with a constant as the first source, from a register or from memory.
func (n *entropy) use(op, broadcast func(...operand.Op), name string, rest ...operand.Op) {
	if _, ok := n.held[name]; !ok && n.k.wide {
		broadcast(append([]operand.Op{n.places[name]}, rest...)...)
	} else {
		op(append([]operand.Op{n.vector(name)}, rest...)...)
	}
}

// onePlus returns 1 + a times the constant.
func (n *entropy) onePlus(name string, a reg.VecVirtual) reg.VecVirtual {
	v := n.fresh("one")
	n.use(n.k.VFMADD231PD, n.k.VFMADD231PD_BCST, name, a, v)
	return v
}

func (n *entropy) plusOne(v, d reg.VecVirtual) { n.use(n.k.VADDPD, n.k.VADDPD_BCST, "one", v, d) }

// timesPlusOne is d = d a + 1.
func (n *entropy) timesPlusOne(a, d reg.VecVirtual) {
	n.use(n.k.VFMADD213PD, n.k.VFMADD213PD_BCST, "one", a, d)
}

// times is d = v times the constant.
func (n *entropy) times(name string, v, d reg.VecVirtual) {
	n.use(n.k.VMULPD, n.k.VMULPD_BCST, name, v, d)
}

// newSums begins sums. (What kernel.zero clears avo takes to be alive before, beyond the lowest 16 bytes.)
func (n *entropy) newSums(count int) (sums []reg.VecVirtual) {
	for range count {
		sums = append(sums, n.fresh("none"))
	}
	return sums
}

// write stores the sums of lanes.
func (n *entropy) write(to reg.GPVirtual, from int, v ...reg.VecVirtual) {
	for i, v := range v {
		n.k.sumLanes(v, n.k.bytes)
		n.k.VMOVSD(v.AsX(), n.k.at(to, from+i))
	}
}

// prepare keeps the constants of the exponential in registers, where there are enough of them.
func (n *entropy) prepare() {
	if n.k.wide {
		n.exp.prepare(1)
	}
}

// exponential returns e^v, and leaves v.
func (n *entropy) exponential(v reg.VecVirtual) reg.VecVirtual {
	if !n.k.wide {
		clear(n.held) // what is held where another vector is treated
		n.exp.prepare(1)
	}
	x := n.k.vec()
	n.k.move(v, x)
	one := []reg.VecVirtual{x}
	if n.k.wide {
		return n.exp.wideExp(one, one)[0]
	}
	return n.exp.carefulExp(one, []reg.VecVirtual{x})[0]
}

// begin is the softmax of the scores, and <a,s>.
func (n *entropy) begin() {
	k := n.k
	a, s, to, shift := k.arg("a"), k.arg("s"), k.arg("sums"), k.vec()
	n.prepare()
	k.VBROADCASTSD(k.scalarArg("shift"), shift)
	k.Comment("l = s - shift, p = e^l; the sums of p, and of a s.")
	sums := n.newSums(2)
	n.each(func() {
		l := n.widen(s)
		k.fma(l, n.widen(a), sums[1])
		k.sub(shift, l, l)
		k.store(l, n.mem(1))
		p := n.exponential(l)
		n.clear(p)
		k.store(p, n.mem(2))
		k.add(p, sums[0], sums[0])
	})
	k.Comment("The sums across the lanes.")
	n.write(to, 0, sums...)
	k.done()
}

// isY is the lane of the true class in this vector.
func (n *entropy) isY() mask {
	k, y, numbers := n.k, n.k.vec(), n.k.vec()
	k.VPBROADCASTQ(k.scalarArg("y"), y)
	if k.wide {
		k.VPBROADCASTQ(n.at, numbers)
		k.VPADDQ(k.classNumbers(0), numbers, numbers)
		m := mask{k: k.K()}
		k.VPCMPEQQ(numbers, y, m.k)
		return m
	}
	at := k.XMM()
	k.VMOVQ(n.at, at)
	k.VPBROADCASTQ(at, numbers)
	k.VPADDQ(k.classNumbers(0), numbers, numbers)
	k.VPCMPEQQ(numbers, y, y)
	return mask{v: y}
}

// without sets v to 0 in a lane.
func (n *entropy) without(lane mask, zero, v reg.VecVirtual) {
	if n.k.wide {
		n.k.VMOVAPD(zero, lane.k, v)
	} else {
		n.k.VANDNPD(v, lane.v, v)
	}
}
