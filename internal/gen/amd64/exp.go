package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/fit"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

var exp = source{
	family: "math", name: "exp", entry: "Exp", sig: "(x, y *T, n int)",
	emit:   func(k *kernel) { newExp(k, argument{}).each() },
	beside: []source{expScaled, expSum, gaussian},
}

var expScaled = source{
	family: "math", name: "expscaled", entry: "ExpScaled", sig: "(alpha T, x, y *T, n int)",
	emit: func(k *kernel) { newExp(k, argument{scale: "alpha"}).each() },
}

var expSum = source{
	family: "math", name: "expsum", entry: "ExpSum", sig: "(shift T, x, y *T, n int) T",
	emit: func(k *kernel) { newExp(k, argument{shift: "shift"}).each() },
}

// argument says whose exponential is taken: x, x times a scalar, or x less a scalar. The last sums up.
type argument struct{ scale, shift string }

// expKernel computes exponentials by the numbers of fit.Exp, which has the formulas. With AVX-512 a permutation looks
// up the table and VSCALEF multiplies by 2^⌊n⌋, with every rounding and overflow right. With AVX2 the exponent is added
// to the table's entry as an integer; where 2^n is no normal number that goes wrong, so a block of vectors is examined
// first, and takes a slower way if need be.
type expKernel struct {
	*pool
	argument
	fit.Exp
	scalar reg.VecVirtual // of argument
	sums   []reg.VecVirtual
}

func newExp(k *kernel, a argument) *expKernel {
	e := &expKernel{pool: k.newPool("exp"), argument: a}
	precision, table, degree := uint(24), 16, 3
	switch {
	case k.f64 && k.wide:
		precision, degree = 53, 6
	case k.f64:
		precision, table, degree = 53, 4, 8 // more would take more permutations than they save products
	case !k.wide:
		table, degree = 8, 4
	}
	e.Exp = fit.NewExp(precision, table, degree)
	e.constants()
	return e
}

// each emits the kernel: blocks of vectors, single vectors, a masked one.
func (e *expKernel) each() {
	k := e.k
	x, y, n := k.arg("x"), k.arg("y"), k.arg("n")
	block := 2
	if k.wide && e.shift == "" { // sums take registers
		block = 4
	}
	k.Comment("The constants that stay in registers.")
	e.prepare(block)
	var careful func()
	k.blocks(n, block, func(count int, by *mask) {
		if later := e.vectors(count, x, y, by); later != nil {
			careful = later
		}
	})
	e.end()
	if careful != nil {
		careful()
	}
}

// end returns the sum, if there is one.
func (e *expKernel) end() {
	if e.sums == nil {
		e.k.done()
		return
	}
	for n := len(e.sums) / 2; n > 0; n /= 2 {
		for i := range n {
			e.k.add(e.sums[i+n], e.sums[i], e.sums[i])
		}
	}
	e.k.sumLanes(e.sums[0], e.k.bytes)
	e.k.ret(e.sums[0])
}

// prepare fills the registers that last.
func (e *expKernel) prepare(block int) {
	k := e.k
	if name := e.scale + e.shift; name != "" {
		e.scalar = k.vec()
		k.bcast(k.scalarArg(name), e.scalar)
	}
	if e.shift != "" {
		e.sums = k.vecs(block)
		k.zero(e.sums...)
	}
	if k.wide {
		e.hold("magic", "log2e", e.low(), "half", e.high())
		for i := range e.C {
			e.hold(coefficient(i))
		}
	} else {
		e.hold("magic")
	}
	parts := e.K / k.lanes()
	if k.f64 {
		parts = 2
	}
	for i := range parts {
		e.held[tablePart(i)] = k.vec()
		k.load(e.places["table"].Offset(i*k.bytes), e.held[tablePart(i)])
	}
}

// vectors treats a few vectors, or the lanes of one that by selects, and steps forward. It returns what emits code that
// belongs behind the return.
func (e *expKernel) vectors(count int, x, y reg.GPVirtual, by *mask) (later func()) {
	k := e.k
	v := k.vecs(count)
	k.loadVectors(x, by, v...)
	a := e.arguments(v)
	switch {
	case k.wide:
		e.finish(e.wideExp(v, a), y, by)
	case count == 1:
		e.finish(e.carefulExp(v, a), y, by)
	default:
		e.examine(a)
		result := e.normalExp(v, a)
		k.Label("computed")
		e.finish(result, y, by)
		later = func() {
			k.section("careful", "A block with an argument that is NaN or large.")
			for i, r := range e.carefulExp(v, a) {
				k.move(r, result[i])
			}
			k.JMP(operand.LabelRef("computed"))
		}
	}
	k.forward(count*k.bytes, x)
	return later
}

// arguments returns the exponents, rounded. With a scale v stays; otherwise they replace it.
func (e *expKernel) arguments(v []reg.VecVirtual) (a []reg.VecVirtual) {
	for _, v := range v {
		if e.scale != "" {
			product := e.k.vec()
			e.k.mul(e.scalar, v, product)
			v = product
		} else if e.shift != "" {
			e.k.sub(e.scalar, v, v)
		}
		a = append(a, v)
	}
	return a
}

// finish adds the results up, if there is a sum, and stores them where y is not nil.
func (e *expKernel) finish(result []reg.VecVirtual, y reg.GPVirtual, by *mask) {
	k := e.k
	skip := fmt.Sprintf("summed%d", len(result))
	if e.sums != nil {
		for i, v := range result {
			switch {
			case by == nil:
				k.add(v, e.sums[i], e.sums[i])
			case k.wide:
				pick(k, k.VADDPS, k.VADDPD)(v, e.sums[i], by.k, e.sums[i])
			default:
				w := k.vec()
				k.and(by.v, v, w)
				k.add(w, e.sums[i], e.sums[i])
			}
		}
		if by != nil {
			skip += "masked"
		}
		k.TESTQ(y, y)
		k.JZ(operand.LabelRef(skip))
	}
	for i, v := range result {
		if by != nil {
			k.storeMasked(v, *by, k.at(y, 0))
		} else {
			k.store(v, k.at(y, i*k.lanes()))
		}
	}
	k.forward(len(result)*k.bytes, y)
	if e.sums != nil {
		k.Label(skip)
	}
}
