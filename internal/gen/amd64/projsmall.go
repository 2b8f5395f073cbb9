package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// projSmall solves problems of up to 16 elements, and longer ones that come down to those, with hardly a loop over
// steps of an algorithm. Whether an element lies above a threshold is asked for all elements at once, each one's own
// value taken for the threshold: with
//
//	p_j = sum_i max(0, a_i - a_j) = sum_i max(a_i, a_j) - n a_j
//
// that is one comparison a lane. These sums are float32, since they only tell sets; the thresholds follow from the sets
// in float64, and the sets are verified by them. Where they do not verify, or the problem is a rare one, the result
// says so, and nothing is written.
var projSmall = source{
	family: "proj", name: "small", entry: "Small", sig: "(dst, a *T, n, k, kind int, p *float64) int",
	emit: func(k *kernel) {
		if !k.wide {
			smallNarrow(k)
			return
		}
		s := &small{kernel: k, p: k.arg("p"), n: k.arg("n"), a: k.arg("a")}
		s.x = [2]reg.VecVirtual{k.ZMM(), k.ZMM()}
		s.t, s.u, s.lambda = k.ZMM(), k.ZMM(), k.XMM()
		s.y = [2]reg.VecVirtual{k.ZMM(), k.ZMM()}
		s.all = k.K()
		s.raw, s.zero = k.ZMM(), k.ZMM()
		k.zero(s.zero)
		s.base = s.zero
		if k.f64 {
			s.base = k.ZMM()
		}
		k.CMPQ(s.n, operand.Imm(16))
		k.JA(operand.LabelRef("many"))
		s.load()
		k.Label("loaded")
		kind := k.arg("kind")
		k.TESTQ(operand.U32(3), kind) // 0 and 4
		k.JZ(operand.LabelRef("simplex"))
		k.TESTQ(operand.U32(1), kind) // 1 and 3
		k.JNZ(operand.LabelRef("knapsack"))
		k.Comment("Kind 2, the top-k simplex.")
		s.widen()
		s.topK(s.rank())
		k.section("knapsack", "Kinds 1 and 3, with a cap.")
		s.knapsack("knapsack")
		k.section("simplex", "Kinds 0 and 4, without a cap.")
		s.simplex("simplex")
		k.section("write", "The answer from thresholds in float64.")
		s.write()
		s.storeLanes()
		k.section("many", "More than 16 elements: those that may be positive.")
		s.many()
		k.JMP(operand.LabelRef("loaded"))
		s.spread()
		k.Label("unsolved")
		k.smallReturn(0)
	},
}

// The kinds of problems, as in package proj.
const kindSimplex, kindCapped, kindTopK, kindKnapsack, kindEqual = 0, 1, 2, 3, 4

// The layout of p, as in package proj: what is asked, then the answer.
const (
	smallR, smallRho, smallK, smallCap, smallShare                   = 0, 8, 16, 24, 32
	smallC, smallShift, smallT, smallU, smallLambda, smallCounts int = 40, 48, 56, 64, 72, 80
	smallScratch                                                     = 88 // 16 elements
	// of more than 16 elements, those in the lanes, one bit each: see many
	smallKept  = 88 + 128
	smallBound = 88 + 144 // a bound on T from below: see many
)

// small is the kernel under construction.
type small struct {
	*kernel
	p, n, a reg.GPVirtual
	all     reg.Register      // the lanes below n
	x       [2]reg.VecVirtual // the elements as float64, -Inf behind them; later minus c
	c       reg.VecVirtual
	raw     reg.VecVirtual // the elements minus base as float32
	base    reg.VecVirtual // float32, 0 unless the elements are float64
	zero    reg.VecVirtual
	set     reg.Register // the positive elements as guessed

	t, u   reg.VecVirtual // what write takes: thresholds minus c
	lambda reg.VecVirtual
	y      [2]reg.VecVirtual // what spread takes
}

// smallReturn returns a small number.
func (k *kernel) smallReturn(n int32) {
	b, err := k.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	k.MOVQ(operand.I32(n), b.Addr)
	k.done()
}

// ifBias emits the ways of the kinds with the bias, 0 and 1, and without, or the latter alone.
func (s *small) ifBias(may bool, with, without func()) {
	if !may {
		without()
		return
	}
	plain, joined := s.newLabel("plain"), s.newLabel("joined")
	s.CMPQ(s.kindArg(), operand.Imm(kindTopK))
	s.JGE(operand.LabelRef(plain))
	with()
	s.JMP(operand.LabelRef(joined))
	s.Label(plain)
	without()
	s.Label(joined)
}

func (s *small) kindArg() operand.Mem { return s.kernel.scalarArg("kind") }

func (s *small) param(offset int) operand.Mem { return operand.Mem{Base: s.p, Disp: offset} }

// number broadcasts a parameter.
func (s *small) number(offset int) reg.VecVirtual {
	v := s.ZMM()
	s.VBROADCASTSD(s.param(offset), v)
	return v
}

// number32 broadcasts a parameter as float32.
func (s *small) number32(offset int) reg.VecVirtual {
	v := s.ZMM()
	s.VCVTSD2SS(s.param(offset), s.zero.AsX(), v.AsX())
	s.VBROADCASTSS(v.AsX(), v)
	return v
}

// count32 broadcasts n, up to 16, as float32.
func (s *small) count32() reg.VecVirtual {
	v, table := s.ZMM(), s.GP64()
	s.LEAQ(s.global("counts32", func() {
		for n := range 17 {
			s.AppendDatum(operand.U32(math.Float32bits(float32(n))))
		}
	}), table)
	s.VBROADCASTSS(operand.Mem{Base: table, Index: s.n, Scale: 4}, v)
	return v
}
