package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// The kernels of a sparse x are the kernels of a dense one on the rows that it has elements for.

var sparseGemvT = source{"sparse", "gemvt", "GemvT",
	"(n int, alpha T, a *T, lda int, idx *int32, val *T, nnz int, beta T, y *T)", func(k *kernel) {
		const group, narrow = 8, 8 // rows, vectors
		alpha, n := k.scalar("alpha"), k.arg("n")
		done, narrowly := k.NewLabel("done"), k.NewLabel("narrow")
		k.unlessPositive(n, done)
		x, y, yNow, j := k.arg("val"), k.arg("y"), k.x(), k.x()
		k.betaY(y, n, yNow, j)
		each := k.sparseRows(group)
		k.Op("CMP", imm(k.elements(block(narrow))), n)
		k.Op("BLT", narrowly)
		k.gemvtWide(each, group, alpha, x, y, n, yNow, j)
		k.Op("RET")
		k.Bind(narrowly)
		k.gemvtNarrow(each, k.ends(narrow), alpha, x, y, n)
		k.Bind(done)
		k.Op("RET")
	}}

// A row that comes twice in a group is updated in turn: the loads of a row follow the stores of the one before.
var sparseGer = source{"sparse", "ger", "Ger", "(alpha T, idx *int32, val *T, nnz int, y *T, n int, a *T, lda int)",
	func(k *kernel) {
		alpha, n := k.scalar("alpha"), k.arg("n")
		x, y := k.arg("val"), k.arg("y")
		k.gerRows(func() eachRows { return k.sparseRows(gerGroup) }, alpha, n, x, y)
	}}

// sparseRows goes through the rows of a that idx names, most of them at a time.
func (k *kernel) sparseRows(most int) eachRows {
	a, lda, idx, nnz := k.arg("a"), k.arg("lda"), k.arg("idx"), k.arg("nnz")
	k.Op("LSL", imm(k.shift()), lda, lda)
	var rows []X
	for range most {
		rows = append(rows, k.x())
	}
	return func(groups []int, body func(rows []X)) {
		for _, g := range groups {
			loop, done := k.NewLabel("rows"), k.NewLabel("rest")
			k.Op("SUBS", imm(g), nnz, nnz)
			k.Op("BLT", done)
			k.section(loop, counted(g, "row")+" at a time.")
			for _, row := range rows[:g] {
				k.Op("MOVWU.P", a64.Mem(idx, 4), row)
				k.Op("MADD", lda, a, row, row)
			}
			body(rows[:g])
			k.Op("SUBS", imm(g), nnz, nnz)
			k.Op("BGE", loop)
			k.Bind(done)
			k.Op("ADD", imm(g), nnz, nnz)
		}
	}
}
