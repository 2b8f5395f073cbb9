package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scatter adds lines of width float32, d[q][codes[q][i]] += a[i]. The lines of d lie in the first cache, where an
// addition to the line before last waits for nothing; codes of other subspaces come between rows that share a line.
func scatter(name, entry string, width int) source {
	return source{
		family: "lookup", name: name, entry: entry,
		sig: "(d *float32, codes *byte, nq int, a *float32, laterCodes *byte)", elems: plainF32,
		emit: func(k *kernel) {
			bytes := 4 * width
			lines, sum := make([]reg.VecVirtual, codeRows), k.vecOf(bytes)
			for i := range lines {
				lines[i] = k.vecOf(bytes)
			}
			c := codeLoop{dst: k.arg("a"), codes: k.arg("codes"), table: k.arg("d"), nq: k.arg("nq"),
				laterCodes: k.arg("laterCodes"), askMore: func() {}}
			k.lookUp(c, codeRows, bytes, bytes,
				func(a reg.GPVirtual) {
					for i, v := range lines {
						if m := (operand.Mem{Base: a, Disp: i * bytes}); width == 1 {
							k.VMOVSS(m, v)
						} else {
							k.load(m, v)
						}
					}
				},
				func(row int, line operand.Mem) {
					if width == 1 {
						k.VADDSS(line, lines[row], sum)
						k.VMOVSS(sum, line)
						return
					}
					k.add(line, lines[row], sum)
					k.store(sum, line)
				},
				func(reg.GPVirtual) {},
			)
		},
	}
}
