package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"strings"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// emitEntry adds the exported TEXT, which jumps to the twin when cpu.Level is 0 and to the only other tier when it is
// not: to its form for an extension where the CPU has that.
func (s source) emitEntry(f *a64.File, e elem) {
	sig := e.signature(s.sig)
	_, bytes := layout(sig)
	f.Text(s.entry+e.suffix, sig, bytes)
	level := X(0)
	generic := f.NewLabel("generic")
	f.Op("MOVBU", a64.Symbol("github·com∕dualgap∕dualgap∕asm∕cpu·Level(SB)"), level)
	f.Op("CBZ", level, generic)
	for _, form := range s.forms() {
		next := a64.Label("")
		if form != "NEON" {
			next = f.NewLabel("not" + form)
			f.Op("MOVBU", a64.Symbol("github·com∕dualgap∕dualgap∕asm∕cpu·"+form+"(SB)"), level)
			f.Op("CBZ", level, next)
		}
		f.Op("B", a64.Symbol("·"+s.tierName(e, form)+"(SB)"))
		if next != "" {
			f.Bind(next)
		}
	}
	f.Bind(generic)
	f.Op("B", a64.Symbol("·"+s.tierName(e, "Generic")+"(SB)"))
}

// tierName is the unexported name of a tier's function: dotF32NEON.
func (s source) tierName(e elem, suffix string) string { return s.name + e.suffix + suffix }

// signature spells the signature for one element type: T is that type, U the other of float32 and float64.
func (e elem) signature(sig string) string {
	other := elems[0].goType
	if e.size == 4 {
		other = elems[1].goType
	}
	return strings.NewReplacer("T", e.goType, "U", other).Replace(sig)
}

// layout returns the offset of each parameter from FP, a result without a name as "ret", and the bytes of all of them:
// in ABI0 parameters and results lie in order at their natural alignment, results beginning at a multiple of 8.
func layout(sig string) (offset map[string]int, bytes int) {
	expr, err := parser.ParseExpr("func" + sig)
	if err != nil {
		panic(fmt.Sprintf("signature %s: %v", sig, err))
	}
	offset = map[string]int{}
	add := func(name string, t ast.Expr) {
		size := 8 // pointer, int, float64
		if id, ok := t.(*ast.Ident); ok && (id.Name == "float32" || id.Name == "int32" || id.Name == "uint32") {
			size = 4
		}
		bytes = align(bytes, size)
		offset[name] = bytes
		bytes += size
	}
	fn := expr.(*ast.FuncType)
	for _, field := range fn.Params.List {
		for _, name := range field.Names {
			add(name.Name, field.Type)
		}
	}
	if fn.Results != nil {
		bytes = align(bytes, 8)
		for _, field := range fn.Results.List {
			if field.Names == nil {
				add("ret", field.Type)
			}
			for _, name := range field.Names {
				add(name.Name, field.Type)
			}
		}
	}
	return offset, bytes
}

func align(n, to int) int { return (n + to - 1) / to * to }
