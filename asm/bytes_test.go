package asm

import (
	"fmt"
	"strings"
	"testing"
)

// Go's assembler does not know VDPBF16PS: it stands as its six bytes, with the instruction as their comment.

// decoded returns the instruction of a line of bytes if it is what the comment says, and otherwise the line itself,
// which no tier may contain.
func decoded(line, comment string) string {
	var code []byte
	for _, one := range strings.Split(line, "; ") {
		var b byte
		if n, err := fmt.Sscanf(one, "BYTE $0x%02x", &b); n != 1 || err != nil {
			return line
		}
		code = append(code, b)
	}
	if text, ok := disassemble(code); ok && text == comment {
		return text
	}
	return line
}

// disassemble knows VDPBF16PS of three registers of 512 bits without a mask: EVEX.512.F3.0F38.W0 52 /r. The prefix is
//
//	62  R X B R' 0 0 1 0  W v3 v2 v1 v0 1 1 0  z 1 0 b V' a2 a1 a0  52  1 1 r2 r1 r0 m2 m1 m0
//
// R, X, B, R', v and V' inverted; the destination is R' R r, the first source V' v, the second X B m.
func disassemble(code []byte) (text string, ok bool) {
	if len(code) != 6 {
		return "", false
	}
	p0, p1, p2, modrm := code[1], code[2], code[3], code[5]
	if code[0] != 0x62 || p0&0x0f != 2 || p1&0x87 != 6 || p2&0xf7 != 0x40 || code[4] != 0x52 || modrm>>6 != 3 {
		return "", false
	}
	off := func(b byte, bit, weight int) int { return int(^b>>bit&1) * weight }
	dst := off(p0, 4, 16) + off(p0, 7, 8) + int(modrm>>3&7)
	first := off(p2, 3, 16) + int(^p1>>3&15)
	second := off(p0, 6, 16) + off(p0, 5, 8) + int(modrm&7)
	return fmt.Sprintf("VDPBF16PS Z%d, Z%d, Z%d", second, first, dst), true
}

// TestDisassemble holds the decoder against bytes of LLVM's assembler, and has it see each bit that changes.
func TestDisassemble(t *testing.T) {
	for text, code := range map[string][]byte{
		"VDPBF16PS Z17, Z1, Z2":   {0x62, 0xb2, 0x76, 0x48, 0x52, 0xd1},
		"VDPBF16PS Z0, Z0, Z0":    {0x62, 0xf2, 0x7e, 0x48, 0x52, 0xc0},
		"VDPBF16PS Z31, Z31, Z31": {0x62, 0x02, 0x06, 0x40, 0x52, 0xff},
		"VDPBF16PS Z8, Z16, Z24":  {0x62, 0x42, 0x7e, 0x40, 0x52, 0xc0},
		"VDPBF16PS Z3, Z12, Z21":  {0x62, 0xe2, 0x1e, 0x48, 0x52, 0xeb},
		"VDPBF16PS Z30, Z7, Z9":   {0x62, 0x12, 0x46, 0x48, 0x52, 0xce},
	} {
		if got, ok := disassemble(code); !ok || got != text {
			t.Errorf("% x is %q, want %q", code, got, text)
		}
		for bit := range 8 * len(code) {
			other := append([]byte(nil), code...)
			other[bit/8] ^= 1 << (bit % 8)
			if got, ok := disassemble(other); ok && got == text {
				t.Errorf("% x, bit %d flipped, is still %q", other, bit, got)
			}
		}
	}
}
