package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// network sorts what fits into the registers. The elements form a matrix of R rows, one a register:
//
//  1. Batcher's odd-even merge sort sorts the columns; that is minima and maxima of whole registers.
//  2. Groups of 1, 2, 4, ... neighbouring columns, each sorted row by row, are merged in pairs. A bitonic merge
//     compares each element with its mirror image: first across rows, then within them. The lower of two rows takes the
//     minima in all lanes, so only the steps within a row need blends.
//
// K. E. Batcher, Sorting networks and their applications, AFIPS 1968.
var network = source{
	family: "sort", name: "network", entry: "Network", sig: "(dst, src *T, n int, form int)", elems: keyElems,
	emit: func(k *kernel) {
		dst, src, n := k.arg("dst"), k.arg("src"), k.arg("n")
		f := k.keyForm(k.arg("form"))
		net := k.lanesNet()
		most := k.mostRows()
		last := lastRow{k.vec(), k.GP64()}
		for rows := 1; rows < most; rows *= 2 {
			k.CMPQ(n, operand.U32(rows*k.lanes()))
			k.JBE(operand.LabelRef(fmt.Sprintf("rows%d", rows)))
		}
		for rows := most; rows >= 1; rows /= 2 {
			here := fmt.Sprintf("rows%d", rows)
			k.section(here, counted(rows, "row")+".")
			v := k.loadRows(src, n, rows, f)
			k.ifForm(f, formLoad, here+"keys", func() { k.mapKeys(f, v...) })
			v = net.sort(v)
			k.ifForm(f, formStore, here+"done", func() { k.unmapKeys(f, v...) })
			k.Comment("The rows to dst.")
			k.storeRows(v, dst, n, last, here)
			k.done()
		}
		if !k.wide {
			k.storeLast(last, n)
		}
	},
}

// mostRows is how many registers hold rows; the others are for temporaries and constants.
func (k *kernel) mostRows() int { return k.regs / 2 }

// ifForm emits body behind a test of a bit of the form.
func (k *kernel) ifForm(f keyForm, bit uint64, label string, body func()) {
	k.TESTQ(operand.U32(bit), f.form)
	k.JZ(operand.LabelRef(label))
	body()
	k.Label(label)
}

// lanesNet has the constants of comparisons within a register.
type lanesNet struct {
	k      *kernel
	high   map[int]reg.Register // lanes whose number has that bit
	mirror map[int]reg.VecVirtual
}

func (k *kernel) lanesNet() *lanesNet {
	net := &lanesNet{k, map[int]reg.Register{}, map[int]reg.VecVirtual{}}
	if k.wide {
		for i, lanes := range []uint64{0xaaaa, 0xcccc, 0xf0f0, 0xff00} {
			if d := 1 << i; d < k.lanes() {
				r, m := k.GP32(), k.K()
				k.MOVL(operand.U32(lanes), r)
				k.KMOVW(r, m)
				net.high[d] = m
			}
		}
	}
	for g := 8; g <= k.lanes(); g *= 2 {
		net.mirror[g] = k.vec()
		k.iload(k.mirrorTable(g), net.mirror[g])
	}
	return net
}

// mirrorTable holds the lanes' numbers, mirrored in groups of g.
func (k *kernel) mirrorTable(g int) operand.Mem {
	return k.global(fmt.Sprintf("mirror%dof%d", g, 8*k.size), func() {
		for i := range 64 / k.size {
			k.AppendDatum(k.word(uint64(i/g*g + g - 1 - i%g)))
		}
	})
}

// sort returns the sorted rows, which are other registers.
func (net *lanesNet) sort(v []reg.VecVirtual) []reg.VecVirtual {
	net.k.Comment("The columns, by Batcher's odd-even merge sort.")
	net.sortColumns(v)
	for g := 2; g <= net.k.lanes(); g *= 2 {
		if len(v) > 1 {
			net.k.Comment(fmt.Sprintf("Groups of %d columns, in pairs: across rows.", g/2))
		}
		for block := len(v); block >= 2; block /= 2 {
			for from := 0; from < len(v); from += block {
				for i := range block / 2 {
					a, b := &v[from+i], &v[from+block-1-i]
					*a, *b = net.k.minMax(*a, net.reversed(*b, g))
				}
			}
		}
		net.k.Comment(fmt.Sprintf("Groups of %d columns: within rows.", g))
		for i := range v {
			v[i] = net.exchange(v[i], net.reversed(v[i], g), g/2)
			for d := g / 4; d >= 1; d /= 2 {
				v[i] = net.exchange(v[i], net.swapped(v[i], d), d)
			}
		}
	}
	return v
}

// sortColumns sorts the elements of each lane over the rows.
func (net *lanesNet) sortColumns(v []reg.VecVirtual) {
	n := len(v)
	for p := 1; p < n; p *= 2 {
		for d := p; d >= 1; d /= 2 {
			for j := d % p; j+d < n; j += 2 * d {
				for i := j; i < j+d && i+d < n; i++ {
					if i/(2*p) == (i+d)/(2*p) {
						v[i], v[i+d] = net.k.minMax(v[i], v[i+d])
					}
				}
			}
		}
	}
}

// exchange puts the minima of v and t into lanes without the bit d, the maxima into the others.
func (net *lanesNet) exchange(v, t reg.VecVirtual, d int) reg.VecVirtual {
	k := net.k
	if k.wide {
		out := k.vec()
		pick(k, k.VPMINSD, k.VPMINSQ)(t, v, out)
		pick(k, k.VPTERNLOGD, k.VPTERNLOGQ)(operand.U8(0x96), v, t, net.high[d], out) // the maximum: v ^ t ^ out
		return out
	}
	lo, hi := k.minMax(v, t)
	words := map[int]uint64{1: 0xaa, 2: 0xcc, 4: 0xf0}[d*k.size/4]
	k.VPBLENDD(operand.U8(words), hi, lo, lo)
	return lo
}

// reversed mirrors the lanes in groups of g.
func (net *lanesNet) reversed(v reg.VecVirtual, g int) reg.VecVirtual {
	k, t := net.k, net.k.vec()
	switch bytes := g * k.size; {
	case g == 2:
		return net.swapped(v, 1)
	case g == 4 && bytes == 16:
		k.VPSHUFD(operand.U8(0x1b), v, t)
	case g == 4:
		k.VPERMQ(operand.U8(0x1b), v, t)
	default:
		pick(k, k.VPERMD, k.VPERMQ)(v, net.mirror[g], t)
	}
	return t
}

// swapped exchanges each lane with the one whose number differs in bit d.
func (net *lanesNet) swapped(v reg.VecVirtual, d int) reg.VecVirtual {
	k, t := net.k, net.k.vec()
	switch d * k.size {
	case 4:
		k.VPSHUFD(operand.U8(0xb1), v, t)
	case 8:
		k.VPSHUFD(operand.U8(0x4e), v, t)
	case 16:
		if k.wide {
			k.VSHUFI64X2(operand.U8(0xb1), v, v, t)
		} else {
			k.VPERMQ(operand.U8(0x4e), v, t)
		}
	case 32:
		k.VSHUFI64X2(operand.U8(0x4e), v, v, t)
	}
	return t
}
