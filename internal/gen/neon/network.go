package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// network sorts what fits into the registers. The elements form a matrix of R rows, one a register:
//
//  1. Batcher's odd-even merge sort sorts the columns; that is minima and maxima of whole registers.
//  2. The matrix is transposed: each column becomes a run of R elements in R / lanes registers, ascending and
//     descending in turn.
//  3. Two neighbouring runs are a bitonic sequence, which half-cleaners merge: first whole registers, then halves of
//     two registers, then neighbours.
//
// Fewer elements than a vector are left to the twin.
//
// K. E. Batcher, Sorting networks and their applications, AFIPS 1968.
var network = source{"sort", "network", "Network", "(dst, src *T, n int, form int)", func(k *kernel) {
	const most = 16 // rows
	dst, src, n := k.arg("dst"), k.arg("src"), k.arg("n")
	f := k.keyForm(k.arg("form"))
	twin := k.NewLabel("twin")
	k.Op("CMP", imm(k.lanes()), n)
	k.Op("BLT", twin)
	pad := f.pad()
	r := k.rowPlaces(n)
	fits := map[int]a64.Label{}
	for rows := k.lanes(); rows < most; rows *= 2 {
		fits[rows] = k.NewLabel("rows")
		k.Op("CMP", imm(rows*k.lanes()), n)
		k.Op("BLE", fits[rows])
	}
	for rows := most; rows >= k.lanes(); rows /= 2 {
		if rows < most {
			k.Bind(fits[rows])
		}
		sure := rows / 2 // the first half is full, and the first row
		if rows == k.lanes() {
			sure = 1
		}
		net := k.newNet()
		v := net.take(rows)
		k.Comment(counted(rows, "row") + ".")
		net.loadRows(v, src, sure, r, pad)
		k.Comment("Floats to keys.")
		f.ifForm(formLoad, func() { f.mapKeys(v...) })
		v = net.sort(v)
		k.Comment("Keys to floats.")
		f.ifForm(formStore, func() { f.unmapKeys(v...) })
		k.Comment("The rows to dst.")
		net.storeRows(v, dst, sure, r)
		k.Op("RET")
	}
	k.section(twin, "Fewer elements than a vector: the twin.")
	k.Op("B", a64.Symbol("·network"+k.suffix+"Generic(SB)"))
	r.write()
}}

// rowPlaces finds rows of which n elements are wanted in all. A row that goes on behind them is moved back to end with
// the last element, and its bytes are shifted by a table lookup.
type rowPlaces struct {
	k         *kernel
	last      X // where the last row begins if it ends with the elements
	zero, all X // 0 and a vector's bytes, negative
	middle    X // of the table: 16 bytes from here are 0, 1, ..., 15, those before and behind are none's
	at, shift X
	write     func()
}

func (k *kernel) rowPlaces(n X) *rowPlaces {
	table := make([]byte, 3*vectorBytes)
	for i := range table {
		table[i] = 255
		if i >= vectorBytes && i < 2*vectorBytes {
			table[i] = byte(i - vectorBytes)
		}
	}
	r := &rowPlaces{k: k, last: k.x(), zero: k.x(), all: k.x(), at: k.x(), shift: k.x()}
	r.middle, r.write = k.byteTable("shift", table)
	k.Op("ADD", imm(vectorBytes), r.middle, r.middle)
	k.Op("MOVD", imm(0), r.zero)
	k.Op("MOVD", imm(-vectorBytes), r.all)
	k.Op("LSL", imm(k.shift()), n, r.last)
	k.Op("SUB", imm(vectorBytes), r.last, r.last)
	return r
}

// find returns the memory of row i of the rows at base, and leaves in shift by how many bytes it is moved, as a
// negative number, at most all of them.
func (r *rowPlaces) find(i int, base X) a64.Operand {
	k := r.k
	k.Op("SUBS", imm(vectorBytes*i), r.last, r.at)
	k.Op("CSEL", a64.Cond("LT"), r.at, r.zero, r.at)
	k.Op("CMP", r.all, r.at)
	k.Op("CSEL", a64.Cond("GT"), r.at, r.all, r.shift)
	k.Op("ADD", base, r.at, r.at)
	return a64.Mem(r.at, vectorBytes*i)
}

// loadRows reads n elements, of which the first sure rows are full, and fills up with pad.
func (n *net) loadRows(v []V, src X, sure int, r *rowPlaces, pad V) {
	k, t, index := n.k, n.take(1)[0], n.take(1)[0]
	k.loads(v[:sure], src, 0)
	for i := sure; i < len(v); i++ {
		k.Op("FMOVQ", r.find(i, src), t)
		k.Op("SUB", r.shift, r.middle, r.shift)
		k.Op("FMOVQ", a64.Mem(r.shift, 0), index)
		k.Op("VMOV", pad.Bits(), v[i].Bits())
		k.Op("VTBX", index.Bits(), a64.List([]V{t}), v[i].Bits())
	}
	n.give(t, index)
}

// storeRows writes n elements. What a row that is moved back writes before its elements, the rows before it overwrite:
// the last row goes first.
func (n *net) storeRows(v []V, dst X, sure int, r *rowPlaces) {
	k, t, index := n.k, n.take(1)[0], n.take(1)[0]
	for i := len(v) - 1; i >= sure; i-- {
		m := r.find(i, dst)
		k.Op("ADD", r.shift, r.middle, r.shift)
		k.Op("FMOVQ", a64.Mem(r.shift, 0), index)
		k.Op("VTBL", index.Bits(), a64.List(v[i:i+1]), t.Bits())
		k.Op("FMOVQ", t, m)
	}
	k.stores(v[:sure], dst, 0)
	n.give(t, index)
}
