package a64

import (
	"fmt"
	"testing"
)

// dotProduct is what a disassembler says of SDOT and UDOT, which golang.org/x/arch does not know: bits 31 to 21 and 15
// to 10 are fixed but for U, bit 29 (DDI 0487, C7.2, "SDOT (vector)" with Q = 1).
func dotProduct(bits uint32) string {
	const fixed, u = 0xffe0fc00, 1 << 29
	if bits&fixed&^u != 0b010_01110_100_00000_1001_01_00000_00000 {
		return ""
	}
	name := map[uint32]string{0: "sdot", u: "udot"}[bits&u]
	return fmt.Sprintf("%s v%d.4s, v%d.16b, v%d.16b", name, bits&31, bits>>5&31, bits>>16&31)
}

// TestBytes asks the disassembler what the instructions on bytes are.
func TestBytes(t *testing.T) {
	var f File
	for _, r := range [][3]V{{0, 1, 2}, {31, 16, 8}, {7, 31, 15}, {8, 15, 31}, {16, 0, 1}, {0, 0, 0}} {
		for _, three := range []func(d, n, m V){f.SDOT, f.UDOT, f.SABD, f.UABD, f.SMULL, f.SMULL2, f.UMULL, f.UMULL2} {
			three(r[0], r[1], r[2])
		}
		for _, two := range []func(d, n V){f.SADALP, f.UADALP, f.UADDLP} {
			two(r[0], r[1])
		}
	}
	for _, w := range f.words {
		if got, err := disassemble(w.bits); err != nil || got != w.text {
			t.Errorf("%08x is %q (error %v), the encoder says %q", w.bits, got, err, w.text)
		}
	}
	for bit := range 32 {
		if got, want := dotProduct(0x4e829420^1<<bit), "sdot v0.4s, v1.16b, v2.16b"; got == want {
			t.Errorf("flipped bit %d went unseen", bit)
		}
	}
}
