package main

import "slices"

// pivot returns a key near the median: of vectors at equal distances, the median of the medians of the lanes. There are
// two in the middle of each; the upper one of the lanes' and then the lower one make up for each other.
var pivot = source{"sort", "pivot", "Pivot", "(src *T, n int) T", func(k *kernel) {
	const samples, log2 = 8, 3
	src, step := k.arg("src"), k.arg("n")
	k.Op("SUB", imm(k.lanes()), step, step)
	k.Op("LSR", imm(log2), step, step)
	k.Op("LSL", imm(k.shift()), step, step)
	n := k.newNet()
	v := n.take(samples)
	k.Comment("Vectors at equal distances, and the median of each lane.")
	for i := range v {
		k.loads(v[i:i+1], src, 0)
		if i+1 < samples {
			k.Op("ADD", step, src, src)
		}
	}
	m := n.row(v, samples/2)
	k.Comment("The median of the medians.")
	t := n.take(2)
	k.Op("VEXT", imm(vectorBytes/2), m.Bits(), m.Bits(), t[0].Bits())
	if k.size == 8 {
		k.ret(n.lesser(m, t[0]))
		return
	}
	lo, hi := n.minMax(m, t[0])
	k.Op("VREV64", lo.Ints(), t[1].Ints())
	k.SMAX(lo, lo, t[1])
	k.Op("VREV64", hi.Ints(), t[1].Ints())
	k.SMIN(hi, hi, t[1])
	k.SMIN(lo, lo, hi)
	k.ret(lo)
}}

// row sorts the columns as far as row i needs it, and returns that row.
func (n *net) row(v []V, i int) V {
	all := comparators(len(v))
	wanted := make([][2]bool, len(all)) // the minimum, the maximum
	needed := make([]bool, len(v))
	needed[i] = true
	for c, at := range slices.Backward(all) {
		wanted[c] = [2]bool{needed[at[0]], needed[at[1]]}
		if needed[at[0]] || needed[at[1]] {
			needed[at[0]], needed[at[1]] = true, true
		}
	}
	for c, at := range all {
		a, b := &v[at[0]], &v[at[1]]
		switch wanted[c] {
		case [2]bool{true, true}:
			*a, *b = n.minMax(*a, *b)
		case [2]bool{true, false}:
			*a = n.lesser(*a, *b)
		case [2]bool{false, true}:
			*b = n.greater(*a, *b)
		}
	}
	return v[i]
}

// lesser returns min(a, b), greater max(a, b), in registers that a and b had.
func (n *net) lesser(a, b V) V {
	k := n.k
	if k.size == 4 {
		k.SMIN(a, a, b)
		return a
	}
	t := n.take(1)[0]
	k.CMGT(k.arr, t, a, b)
	k.insert(a, b, t)
	n.give(t)
	return a
}

func (n *net) greater(a, b V) V {
	k := n.k
	if k.size == 4 {
		k.SMAX(b, a, b)
		return b
	}
	t := n.take(1)[0]
	k.CMGT(k.arr, t, a, b)
	k.insert(b, a, t)
	n.give(t)
	return b
}
