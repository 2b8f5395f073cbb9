package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The kernels of levels, by the bits of a level.
var (
	pqLevels8 = levelsOf(8)
	pqLevels4 = levelsOf(4)
	pqLevels2 = levelsOf(2)
	pqLevels1 = levelsOf(1)
)

func levelsOf(bits int) source {
	return source{"pq", fmt.Sprintf("levels%d", bits), fmt.Sprintf("Levels%d", bits),
		"(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)",
		func(k *kernel) { (&levelsKernel{kernel: k, bits: bits}).emit() }}
}

// levelsKernel multiplies four bytes of a code at a time with four weights: a vector has one group of four codes.
// Levels narrower than a byte lie in planes: plane p is what a shift by p bits and a mask leave.
//
// Levels of a byte are taken less 128, so that they have signs as weights do, and what that takes away, 128 Σ w, is
// added at the end. Without the extension all planes' products are added up in 16 bits, where they fit, before pairs
// are added to the sums.
type levelsKernel struct {
	*kernel
	bits int

	codes, weights, dst, groups X
	at, w, left                 X // of the group
	sums, planes                []V
	by, mask                    V // of every lane: the shift; what a plane has of a byte, or 128
	bias                        V // of levels of a byte: Σ -128 w
	code, level, low, high      V
}

func (l *levelsKernel) emit() {
	n, r := l.arg("n"), l.x()
	l.groups, l.codes, l.weights, l.dst = l.arg("groups"), l.arg("codes"), l.arg("weights"), l.arg("dst")
	l.at, l.w, l.left = l.x(), l.x(), l.x()
	l.sums, l.planes = l.vs(16), l.vs(8/l.bits)
	rest := l.vs(6)
	l.by, l.mask, l.code, l.level, l.low, l.high = rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]
	l.Op("MOVD", l.param("shift"), r)
	l.Op("VDUP", r, l.by.Ints())
	l.Op("MOVD", imm(min(1<<l.bits-1, 0x80)), r)
	l.Op("VDUP", r, l.mask.Bits())
	if l.bits == 8 {
		l.bias = l.vs(1)[0]
		l.zero(l.bias)
		l.sumWeights()
	}
	for _, vecs := range []int{16, 4} {
		loop, done := l.NewLabel(fmt.Sprintf("by%d", vecs)), l.NewLabel(fmt.Sprintf("by%dend", vecs))
		codes := 4 * vecs
		l.Op("SUBS", imm(codes), n, n)
		l.Op("BLT", done)
		l.Bind(loop)
		l.some(l.sums[:vecs])
		l.Op("ADD", imm(16*vecs), l.codes, l.codes)
		l.Op("ADD", imm(16*vecs), l.dst, l.dst)
		l.Op("SUBS", imm(codes), n, n)
		l.Op("BGE", loop)
		l.Bind(done)
		l.Op("ADD", imm(codes), n, n)
	}
	l.Op("RET")
}

// sumWeights sets the bias.
func (l *levelsKernel) sumWeights() {
	end := l.NewLabel("sumend")
	l.Op("CBZ", l.groups, end)
	l.begin()
	l.repeat("sum", l.left, func() {
		l.nextWeights()
		l.add(l.bias, func(int) V { return l.mask })
	})
	l.Bind(end)
}

// begin goes to the first group.
func (l *levelsKernel) begin() {
	l.Op("MOVD", l.codes, l.at)
	l.Op("MOVD", l.weights, l.w)
	l.Op("MOVD", l.groups, l.left)
}

func (l *levelsKernel) nextWeights() {
	for _, v := range l.planes {
		l.Op("VLD1R.P", a64.Mem(l.w, 4), a64.IntsList(v))
	}
}

// some takes the next codes, four in each of the sums.
func (l *levelsKernel) some(sums []V) {
	end := l.NewLabel("groupsend")
	l.loads(sums, l.dst, 0)
	for _, s := range sums {
		l.USHL(s, s, l.by)
		if l.bits == 8 {
			l.Op("VSUB", l.bias.Ints(), s.Ints(), s.Ints())
		}
	}
	l.Op("CBZ", l.groups, end)
	l.begin()
	l.repeat("groups", l.left, func() {
		l.nextWeights()
		for i, s := range sums {
			l.Op("FMOVQ", a64.Mem(l.at, 16*i), l.code)
			l.add(s, l.plane)
		}
		l.Op("ADD", imm(4*blockPQ), l.at, l.at)
	})
	l.Bind(end)
	l.stores(sums, l.dst, 0)
}

// add adds to the sum the products of the levels of all planes and their weights.
func (l *levelsKernel) add(sum V, plane func(p int) V) {
	for p, w := range l.planes {
		level := plane(p)
		switch {
		case l.dotProd:
			l.SDOT(sum, level, w)
		case p == 0:
			l.SMULL(l.low, level, w)
			l.SMULL2(l.high, level, w)
		default:
			l.SMLAL(l.low, level, w)
			l.SMLAL2(l.high, level, w)
		}
	}
	if !l.dotProd {
		l.addFours(sum)
	}
}

// addFours adds to the four sums four products each, of which low and high have 16. Two products of levels of a byte do
// not fit 16 bits.
func (l *levelsKernel) addFours(sum V) {
	if l.bits < 8 {
		l.Op("VADDP", l.high.Words(), l.low.Words(), l.low.Words())
		l.SADALP(sum, l.low)
		return
	}
	l.SADDLP(l.low, l.low)
	l.SADDLP(l.high, l.high)
	l.Op("VADDP", l.high.Ints(), l.low.Ints(), l.low.Ints())
	l.Op("VADD", l.low.Ints(), sum.Ints(), sum.Ints())
}

// plane is the vector of levels of one plane, or of levels of a byte less 128.
func (l *levelsKernel) plane(p int) V {
	switch {
	case l.bits == 8:
		l.Op("VEOR", l.mask.Bits(), l.code.Bits(), l.level.Bits())
	case p == 0:
		l.Op("VAND", l.mask.Bits(), l.code.Bits(), l.level.Bits())
	default:
		l.Op("VUSHR", imm(p*l.bits), l.code.Bits(), l.level.Bits())
		if p < len(l.planes)-1 {
			l.Op("VAND", l.mask.Bits(), l.level.Bits(), l.level.Bits())
		}
	}
	return l.level
}
