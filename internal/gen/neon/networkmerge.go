package main

import "github.com/dualgap/dualgap/internal/gen/neon/a64"

// net is a sorting network under construction, and the vector registers that are free.
type net struct {
	k    *kernel
	free []V
}

func (k *kernel) newNet() *net {
	n := &net{k: k}
	for v := k.nextV; v < 32; v++ {
		n.give(v)
	}
	return n
}

func (n *net) take(count int) []V {
	v := n.free[:count:count]
	n.free = n.free[count:]
	return v
}

func (n *net) give(v ...V) { n.free = append(n.free, v...) }

// minMax returns min(a, b) and max(a, b), and takes a and b back.
func (n *net) minMax(a, b V) (lo, hi V) {
	k, t := n.k, n.take(2)
	if k.size == 4 {
		k.SMIN(t[0], a, b)
		k.SMAX(t[1], a, b)
		n.give(a, b)
		return t[0], t[1]
	}
	k.CMGT(k.arr, t[0], a, b)
	k.Op("VMOV", a.Bits(), t[1].Bits())
	k.insert(a, b, t[0])
	k.insert(b, t[1], t[0])
	n.give(t...)
	return a, b
}

// order is minMax with the maximum first if down.
func (n *net) order(a, b V, down bool) (V, V) {
	lo, hi := n.minMax(a, b)
	if down {
		return hi, lo
	}
	return lo, hi
}

// both shuffles a and b by two instructions, NAME1 and NAME2, and takes a and b back.
func (n *net) both(name string, t a64.Arr, a, b V) (V, V) {
	d := n.take(2)
	n.k.shuffle(name+"1", t, d[0], a, b)
	n.k.shuffle(name+"2", t, d[1], a, b)
	n.give(a, b)
	return d[0], d[1]
}

// sort returns the sorted rows, which are other registers.
func (n *net) sort(v []V) []V {
	n.k.Comment("The columns, by Batcher's odd-even merge sort.")
	for _, c := range comparators(len(v)) {
		v[c[0]], v[c[1]] = n.minMax(v[c[0]], v[c[1]])
	}
	n.k.Comment("Columns become runs, ascending and descending in turn.")
	runs := n.runs(v)
	for len(runs) > 1 {
		n.k.Comment(counted(len(runs), "run") + " are merged in pairs.")
		for i := range len(runs) / 2 {
			joined := append(runs[2*i], runs[2*i+1]...)
			n.merge(joined, i%2 == 1)
			runs[i] = joined
		}
		runs = runs[:len(runs)/2]
	}
	return runs[0]
}

// comparators is Batcher's odd-even merge sort of n elements, a power of two.
func comparators(n int) (all [][2]int) {
	for p := 1; p < n; p *= 2 {
		for d := p; d >= 1; d /= 2 {
			for j := d % p; j+d < n; j += 2 * d {
				for i := j; i < j+d && i+d < n; i++ {
					if i/(2*p) == (i+d)/(2*p) {
						all = append(all, [2]int{i, i + d})
					}
				}
			}
		}
	}
	return all
}

// runs transposes rows whose columns are sorted. Each column becomes a run; the odd ones descend, which costs nothing:
// their rows are taken from the last to the first.
func (n *net) runs(v []V) [][]V {
	lanes := n.k.lanes()
	runs := make([][]V, lanes)
	for from := 0; from < len(v); from += lanes {
		for column, r := range n.transpose(v[from : from+lanes]) {
			if column%2 == 0 {
				runs[column] = append(runs[column], r)
			} else {
				runs[column] = append([]V{r}, runs[column]...)
			}
		}
	}
	return runs
}

// transpose returns the columns of a square, the odd ones from the last row to the first.
func (n *net) transpose(r []V) []V {
	k, d := n.k, n.take(len(r))
	if len(r) == 2 {
		k.shuffle("VZIP1", a64.D2, d[0], r[0], r[1])
		k.shuffle("VZIP2", a64.D2, d[1], r[1], r[0])
		n.give(r...)
		return d
	}
	t := n.take(4)
	k.shuffle("VTRN1", a64.S4, t[0], r[0], r[1])
	k.shuffle("VTRN1", a64.S4, t[1], r[2], r[3])
	k.shuffle("VTRN2", a64.S4, t[2], r[3], r[2])
	k.shuffle("VTRN2", a64.S4, t[3], r[1], r[0])
	for i, name := range []string{"VZIP1", "VZIP2"} {
		k.shuffle(name, a64.D2, d[2*i], t[0], t[1])
		k.shuffle(name, a64.D2, d[2*i+1], t[2], t[3])
	}
	n.give(append(t, r...)...)
	return d
}

// merge sorts a bitonic sequence, descending if down.
func (n *net) merge(v []V, down bool) {
	for d := len(v) / 2; d >= 1; d /= 2 {
		for from := 0; from < len(v); from += 2 * d {
			for i := from; i < from+d; i++ {
				v[i], v[i+d] = n.order(v[i], v[i+d], down)
			}
		}
	}
	for i := 0; i < len(v); i += 2 {
		v[i], v[i+1] = n.within(v[i], v[i+1], down)
	}
}

// within sorts the bitonic sequences in a and in b. The halves of both that are compared come together in registers.
func (n *net) within(a, b V, down bool) (V, V) {
	a, b = n.both("VZIP", a64.D2, a, b)
	a, b = n.order(a, b, down)
	if n.k.size == 8 {
		return n.both("VZIP", a64.D2, a, b)
	}
	a, b = n.both("VTRN", a64.S4, a, b)
	a, b = n.order(a, b, down)
	return n.both("VZIP", a64.S4, a, b)
}
