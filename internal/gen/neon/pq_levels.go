package main

import (
	"fmt"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// The kernels of levels, by the bits of a level.
var (
	pqLevels8 = levelsOf(8)
	pqLevels4 = levelsOf(4)
)

func levelsOf(bits int) source {
	return source{"pq", fmt.Sprintf("levels%d", bits), fmt.Sprintf("Levels%d", bits),
		"(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)",
		func(k *kernel) { (&levelsKernel{fours: k.fours("weights"), bits: bits}).start() }}
}

// levelsKernel multiplies four bytes of a code at a time with four weights. Levels of four bits lie in two planes: the
// lower halves of the bytes, and the upper halves.
//
// Levels of a byte are taken less 128, so that they have signs as weights do, and what that takes away, 128 Σ w, is
// added before. Without the extension the planes' products are added up in 16 bits, where they fit, before pairs are
// added to the sums.
type levelsKernel struct {
	*fours
	bits                   int
	planes                 []V // weights
	mask, bias             V   // in every byte: 15, or 128; of levels of a byte: Σ -128 w
	code, level, low, high V
}

func (l *levelsKernel) start() {
	l.planes = l.vs(8 / l.bits)
	rest, r := l.vs(6), l.x()
	l.mask, l.bias, l.code, l.level, l.low, l.high = rest[0], rest[1], rest[2], rest[3], rest[4], rest[5]
	l.Op("MOVD", imm(map[int]int{8: 128, 4: 15}[l.bits]), r)
	l.Op("VDUP", r, l.mask.Bits())
	begin := func(V) {}
	if l.bits == 8 {
		l.zero(l.bias)
		l.each(func() {
			l.weights()
			l.add(l.bias, func(int) V { return l.mask })
		})
		begin = func(sum V) { l.Op("VSUB", l.bias.Ints(), sum.Ints(), sum.Ints()) }
	}
	l.emit(begin, l.weights, func(sum V, codes a64.Operand) {
		l.Op("FMOVQ", codes, l.code)
		l.add(sum, l.plane)
	})
}

// weights loads a group's weights.
func (l *levelsKernel) weights() {
	for _, v := range l.planes {
		l.Op("VLD1R.P", a64.Mem(l.data, 4), a64.IntsList(v))
	}
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
		l.Op("VUSHR", imm(4), l.code.Bits(), l.level.Bits())
	}
	return l.level
}
