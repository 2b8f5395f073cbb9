package main

import "math/bits"

// matrix is the m-by-n matrix a of the parameters, taken some rows at a time.
type matrix struct {
	m        X   // rows still to do
	rows     []X // pointers into the rows of the group
	stride   X   // bytes from row to row
	rowBytes X   // bytes of n elements
}

// matrix loads the parameters. n is not negative.
func (k *kernel) matrix(n X, rows int) matrix { return k.matrixOf(n, rows, k.dataShift()) }

// matrixOf is matrix of elements of which the size has that logarithm.
func (k *kernel) matrixOf(n X, rows, shift int) matrix {
	a := matrix{m: k.arg("m"), rows: []X{k.arg("a")}, stride: k.arg("lda"), rowBytes: k.x()}
	k.Op("LSL", imm(shift), a.stride, a.stride)
	k.Op("LSL", imm(shift), n, a.rowBytes)
	for i := 1; i < rows; i++ {
		a.rows = append(a.rows, k.x())
		k.Op("ADD", a.stride, a.rows[i-1], a.rows[i])
	}
	return a
}

// eachRows goes through the rows in groups of the first number, what is left in groups of the second, and so on; the
// last number is 1. body moves the pointers of its group from the start of the rows to their ends.
func (k *kernel) eachRows(a matrix, groups []int, body func(rows []X)) {
	next := k.x()
	for _, g := range groups {
		loop, done := k.NewLabel("rows"), k.NewLabel("rest")
		k.Op("LSL", imm(bits.TrailingZeros(uint(g))), a.stride, next)
		k.Op("SUB", a.rowBytes, next, next)
		k.Op("SUBS", imm(g), a.m, a.m)
		k.Op("BLT", done)
		k.section(loop, counted(g, "row")+" at a time.")
		body(a.rows[:g])
		for _, p := range a.rows[:g] {
			k.Op("ADD", next, p, p)
		}
		k.Op("SUBS", imm(g), a.m, a.m)
		k.Op("BGE", loop)
		k.Bind(done)
		k.Op("ADD", imm(g), a.m, a.m)
	}
}

// group is the piece of n elements, n a power of two.
func (e elem) group(n int) piece {
	if n < e.lanes() {
		return piece{1, n * e.size}
	}
	return block(n / e.lanes())
}

// coefficients loads the next n elements at x, multiplied by alpha, into v.
func (k *kernel) coefficients(n int, v []V, x X, alpha V) {
	for _, r := range k.group(n).runs() {
		k.load(r, v, x)
		r.each(func(i int) { k.mul(v[i], v[i], alpha) })
	}
}

// eachRows calls body with pointers to the rows of each group that it takes, of the first number of rows while as many
// are left, then of the second, and so on.
type eachRows func(groups []int, body func(rows []X))

// rowsOf goes through all rows of a.
func (k *kernel) rowsOf(a matrix) eachRows {
	return func(groups []int, body func(rows []X)) { k.eachRows(a, groups, body) }
}
