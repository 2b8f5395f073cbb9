package main

import (
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The bytes of package cpu that entries read.
var level, splitStores = cpuByte("Level"), cpuByte("SplitStores")

// cpuByte spells a variable's name as the assembler wants it.
func cpuByte(name string) operand.Mem {
	return operand.Mem{
		Symbol: operand.Symbol{Name: "github·com∕dualgap∕dualgap∕asm∕cpu·" + name},
		Base:   reg.StaticBase,
	}
}

// emitEntry adds the exported TEXT, which compares the tier in use with each tier, highest first, and jumps. A form
// that needs an extension gives way to the next form where the CPU lacks it, and a kernel bound by its stores leaves
// AVX-512 for AVX2 where the CPU splits 512-bit stores.
func (s source) emitEntry(c *build.Context, e elem) {
	c.Function(s.entry + e.suffix)
	c.Attributes(build.NOSPLIT)
	c.SignatureExpr(e.sig(s.sig))
	forms := s.tiers()
	lower := false // whether a form above gives way to the next tier's
	for i, t := range forms {
		first, last := i == 0 || forms[i-1].level != t.level, i+1 == len(forms) || forms[i+1].level != t.level
		next := map[bool]string{true: below(t), false: "not" + t.suffix}[last]
		if first {
			c.CMPB(level, operand.Imm(t.level))
			c.JNE(operand.LabelRef(past(t)))
			if lower {
				c.Label(below(forms[i-1]))
			}
			if lower = s.storeBound && t.wide; lower {
				c.CMPB(splitStores, operand.Imm(0))
				c.JNE(operand.LabelRef(below(t)))
			}
		}
		for _, name := range t.flags() {
			c.CMPB(cpuByte(name), operand.Imm(1))
			c.JNE(operand.LabelRef(next))
			lower = lower || last
		}
		jump(c, s.tierName(e, t.suffix))
		if !last {
			c.Label(next)
			continue
		}
		c.Label(past(t))
	}
	if lower {
		c.Label(below(forms[len(forms)-1]))
	}
	jump(c, s.tierName(e, "Generic"))
}

// past is the label behind the forms of a level, where another level is asked for, and below the one behind that
// question, where a form of the level is left for the next level's.
func past(t tier) string  { return map[bool]string{true: "notAVX512", false: "notAVX2"}[t.wide] }
func below(t tier) string { return map[bool]string{true: "narrow", false: "twin"}[t.wide] }

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
