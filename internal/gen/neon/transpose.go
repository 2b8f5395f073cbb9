package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// packColumns copies a matrix transposed, a group of 32 bytes of each column at a time. Where the rows end
// within a group, the last one fills it.
var packColumns = source{"gemm", "packcolumns", "PackColumns", "(m, n int, src *T, lds int, dst *T, ldd int)",
	func(k *kernel) {
		t := k.turner(2 * k.lanes())
		done, group := k.NewLabel("done"), k.NewLabel("group")
		k.unlessPositive(t.m, done)
		k.unlessPositive(t.n, done)
		k.section(group, "The next rows, as many as fill 32 bytes.")
		k.Op("MOVD", t.src, t.rows[0])
		for i, row := range t.rows[1:] {
			k.Op("ADD", t.lds, t.rows[i], row)
			k.Op("CMP", imm(i+1), t.m)
			k.Op("CSEL", a64.Cond("GT"), row, t.rows[i], row)
		}
		k.Op("ADD", t.lds, t.rows[len(t.rows)-1], t.src)
		t.turn(t.rows, nil)
		k.Op("ADD", imm(2*vectorBytes), t.dst, t.dst)
		k.Op("SUBS", imm(len(t.rows)), t.m, t.m)
		k.Op("BGT", group)
		k.Bind(done)
		k.Op("RET")
	}}

// transpose adds a transposed matrix to beta times another, groups of rows at a time and the rest row by row.
var transpose = source{"gemm", "transpose", "Transpose", "(m, n int, src *T, lds int, beta T, dst *T, ldd int)",
	func(k *kernel) {
		t := k.turner(2 * k.lanes())
		done, zero := k.NewLabel("done"), k.NewLabel("zero")
		k.unlessPositive(t.n, done)
		beta, old := k.scalar("beta"), k.vs(2)
		k.Op(pickOp(k, "FCMPS", "FCMPD"), a64.Symbol("$(0.0)"), beta)
		k.Op("BEQ", zero)
		k.Comment("With beta times dst.")
		t.groups(func(v []V, load func(v []V)) {
			load(old)
			for i, v := range v {
				k.mul(old[i], old[i], beta)
				k.add(v, v, old[i])
			}
		})
		k.section(zero, "beta = 0: dst is not read.")
		t.groups(nil)
		k.Bind(done)
		k.Op("RET")
	}}

// turner is a matrix that is transposed.
type turner struct {
	k             *kernel
	m, n          X
	src, lds      X // strides are bytes
	dst, ldd      X
	to, left      X   // column of dst, elements of the rows that are left
	rows          []X // where the rows of a group are read
	v, t, columns []V
}

func (k *kernel) turner(rows int) *turner {
	t := &turner{k: k, m: k.arg("m"), n: k.arg("n"), src: k.arg("src"), lds: k.bytes("lds"), dst: k.arg("dst"),
		ldd: k.bytes("ldd"), to: k.x(), left: k.x(), v: k.vs(8), t: k.vs(4), columns: k.vs(8)}
	for range rows {
		t.rows = append(t.rows, k.x())
	}
	return t
}

// groups goes through all rows, and returns from the kernel. add changes what is about to be stored.
func (t *turner) groups(add func(v []V, load func(v []V))) {
	k := t.k
	for _, g := range []int{len(t.rows), 1} {
		group, next := k.NewLabel("group"), k.NewLabel("next")
		k.Op("SUBS", imm(g), t.m, t.m)
		k.Op("BLT", next)
		k.section(group, counted(g, "row")+" at a time.")
		for i := range g {
			k.Op("MOVD", t.src, t.rows[i])
			k.Op("ADD", t.lds, t.src, t.src)
		}
		t.turn(t.rows[:g], add)
		k.Op("ADD", imm(g*k.size), t.dst, t.dst)
		k.Op("SUBS", imm(g), t.m, t.m)
		k.Op("BGE", group)
		k.Bind(next)
		k.Op("ADD", imm(g), t.m, t.m)
	}
	k.Op("RET")
}

// turn transposes rows: a whole group by squares, and element by element what a group or a single row has besides.
func (t *turner) turn(rows []X, add func(v []V, load func(v []V))) {
	k := t.k
	one, ones, end := k.NewLabel("one"), k.NewLabel("ones"), k.NewLabel("end")
	k.Op("MOVD", t.dst, t.to)
	k.Op("MOVD", t.n, t.left)
	if len(rows) > 1 {
		squares := k.NewLabel("squares")
		k.Op("SUBS", imm(k.lanes()), t.left, t.left)
		k.Op("BLT", ones)
		k.section(squares, "Squares, transposed.")
		for i, row := range rows {
			k.Op("FMOVQ.P", a64.Mem(row, vectorBytes), t.v[i])
		}
		t.squares()
		for c := range k.lanes() {
			pair := t.columns[2*c : 2*c+2]
			if add != nil {
				add(pair, func(v []V) { k.loads(v, t.to, 0) })
			}
			k.stores(pair, t.to, 0)
			k.Op("ADD", t.ldd, t.to, t.to)
		}
		k.Op("SUBS", imm(k.lanes()), t.left, t.left)
		k.Op("BGE", squares)
		k.Bind(ones)
		k.Op("ADDS", imm(k.lanes()), t.left, t.left)
		k.Op("BEQ", end)
	}
	k.section(one, "Element by element.")
	for i, row := range rows {
		at := a64.Mem(t.to, k.size*i)
		k.Op(k.move+".P", a64.Mem(row, k.size), t.v[0])
		if add != nil {
			add(t.v[:1], func(v []V) { k.Op(k.move, at, v[0]) })
		}
		k.Op(k.move, t.v[0], at)
	}
	k.Op("ADD", t.ldd, t.to, t.to)
	k.Op("SUBS", imm(1), t.left, t.left)
	k.Op("BNE", one)
	k.Bind(end)
}

// squares transposes the upper and the lower half of a group: each column has a vector of either.
func (t *turner) squares() {
	k := t.k
	for half := range 2 {
		r, column := t.v[half*k.lanes():], func(c int) V { return t.columns[2*c+half] }
		if k.size == 8 {
			k.shuffle("VZIP1", a64.D2, column(0), r[0], r[1])
			k.shuffle("VZIP2", a64.D2, column(1), r[0], r[1])
			continue
		}
		for i := range 2 {
			k.shuffle("VTRN1", a64.S4, t.t[i], r[2*i], r[2*i+1])
			k.shuffle("VTRN2", a64.S4, t.t[2+i], r[2*i], r[2*i+1])
		}
		for i := range 2 {
			k.shuffle("VZIP1", a64.D2, column(i), t.t[2*i], t.t[2*i+1])
			k.shuffle("VZIP2", a64.D2, column(i+2), t.t[2*i], t.t[2*i+1])
		}
	}
}
