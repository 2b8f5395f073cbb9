package main

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Neither avo nor Go's assembler knows VDPBF16PS. It goes through avo as an instruction of that name, so that registers
// are found for it, and is replaced by its bytes when the text is written.

// dpbf16 is acc += a0 b0 + a1 b1 for each pair of bfloat16 in 32 bits of a and b.
func (k *kernel) dpbf16(a, b, acc reg.Register) {
	k.Instruction(&ir.Instruction{
		Opcode:   "VDPBF16PS",
		Operands: []operand.Op{a, b, acc},
		Inputs:   []operand.Op{a, b, acc},
		Outputs:  []operand.Op{acc},
		ISA:      []string{"AVX512BF16"},
	})
}

var dpbf16Line = regexp.MustCompile(`(?m)^\tVDPBF16PS +Z(\d+), Z(\d+), Z(\d+)$`)

// encoded is a file with each VDPBF16PS as its bytes, EVEX.512.F3.0F38.W0 52 /r, which leave the instruction as their
// comment. The register fields are inverted but in the last byte.
func encoded(text []byte) []byte {
	return dpbf16Line.ReplaceAllFunc(text, func(line []byte) []byte {
		var r [3]byte
		for i, digits := range dpbf16Line.FindSubmatch(line)[1:] {
			n, err := strconv.Atoi(string(digits))
			if err != nil || n > 31 {
				panic("no register: " + string(line))
			}
			r[i] = byte(n)
		}
		m, v, d := r[0], r[1], r[2]
		off := func(r byte, bit, at int) byte { return (^r >> bit & 1) << at }
		return fmt.Appendf(nil, "\tBYTE $0x62; BYTE $0x%02x; BYTE $0x%02x; BYTE $0x%02x; BYTE $0x52; BYTE $0x%02x "+
			"// VDPBF16PS Z%d, Z%d, Z%d", off(d, 3, 7)|off(m, 4, 6)|off(m, 3, 5)|off(d, 4, 4)|2, (^v&15)<<3|6,
			0x40|off(v, 4, 3), 0xc0|d&7<<3|m&7, m, v, d)
	})
}
