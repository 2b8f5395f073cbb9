package main

import (
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
)

// level is the byte cpu.Level, spelt as the assembler wants it.
var level = operand.Mem{
	Symbol: operand.Symbol{Name: "github·com∕dualgap∕dualgap∕asm∕cpu·Level"},
	Base:   staticBase,
}

// emitEntry adds the exported TEXT, which compares the tier in use with each tier, highest first, and jumps.
func (s source) emitEntry(c *build.Context, e elem) {
	c.Function(s.entry + e.suffix)
	c.Attributes(build.NOSPLIT)
	c.SignatureExpr(e.sig(s.sig))
	for _, t := range tiers {
		next := "not" + t.suffix
		c.CMPB(level, operand.Imm(t.level))
		c.JNE(operand.LabelRef(next))
		jump(c, s.tierName(e, t.suffix))
		c.Label(next)
	}
	jump(c, s.tierName(e, "Generic"))
}

// jump leaves for another function, which finds the arguments where they are.
func jump(c *build.Context, name string) {
	c.Instruction(&ir.Instruction{
		Opcode:     "JMP",
		Operands:   []operand.Op{operand.LabelRef("·" + name + "(SB)")},
		IsTerminal: true,
	})
}

// tierName is the unexported name of a tier's function: dotF32AVX2.
func (s source) tierName(e elem, suffix string) string {
	return s.name + e.suffix + suffix
}

// sig spells the signature for one element type.
func (e elem) sig(s string) string {
	return "func" + strings.ReplaceAll(s, "T", e.goType)
}
