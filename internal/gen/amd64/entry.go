package main

import (
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bytes of package cpu that entries read.
var level, splitStores, hasVBMI = cpuByte("Level"), cpuByte("SplitStores"), cpuByte("VBMI")

// cpuByte spells a variable's name as the assembler wants it.
func cpuByte(name string) operand.Mem {
	return operand.Mem{
		Symbol: operand.Symbol{Name: "github·com∕dualgap∕dualgap∕asm∕cpu·" + name},
		Base:   reg.StaticBase,
	}
}

// emitEntry adds the exported TEXT, which compares the tier in use with each tier, highest first, and jumps. A kernel
// bound by its stores leaves AVX-512 for AVX2 where the CPU splits 512-bit stores, one that needs VBMI where the CPU
// lacks it.
func (s source) emitEntry(c *build.Context, e elem) {
	c.Function(s.entry + e.suffix)
	c.Attributes(build.NOSPLIT)
	c.SignatureExpr(e.sig(s.sig))
	for _, t := range s.tiers() {
		next := "not" + t.suffix
		c.CMPB(level, operand.Imm(t.level))
		c.JNE(operand.LabelRef(next))
		switch {
		case s.storeBound && t.wide:
			c.CMPB(splitStores, operand.Imm(0))
			c.JNE(operand.LabelRef("narrow"))
		case s.vbmi && t.wide:
			c.CMPB(hasVBMI, operand.Imm(1))
			c.JNE(operand.LabelRef("narrow"))
		case s.storeBound || s.vbmi:
			c.Label("narrow")
		}
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

// sig spells the signature for one element type: T is that type, U the other of float32 and float64.
func (e elem) sig(s string) string {
	other := map[string]string{"float32": "float64", "float64": "float32"}[e.goType]
	return "func" + strings.NewReplacer("T", e.goType, "U", other).Replace(s)
}
