package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// leader finds an extremum of computed vectors and where it is first: each lane keeps its own best, with the index that
// raised it last. NaN never leads, nor does what is not beyond the bound that the lanes begin with.
type leader struct {
	k             *kernel
	least         bool // the minimum
	best, at, now reg.VecVirtual
}

// newLeader begins with best in all lanes and the indices 0, 1, 2, ...
func (k *kernel) newLeader(least bool, best operand.Mem) *leader {
	l := &leader{k: k, least: least, best: k.vec(), at: k.vec(), now: k.vec()}
	k.bcast(best, l.best)
	k.zero(l.at)
	k.load(k.laneNumbers(), l.now)
	return l
}

// note takes the next vector, and returns the mask of the lanes that it leads. The maximum is not of the chain that
// waits for that. Of operands that are NaN or equal VMAXPS and VMINPS return the one that comes first here.
func (l *leader) note(v reg.VecVirtual) mask {
	k, better, best := l.k, lessThan, pick(l.k, l.k.VMAXPS, l.k.VMAXPD)
	if l.least {
		better, best = greaterThan, pick(k, k.VMINPS, k.VMINPD)
	}
	leads := k.compare(better, v, l.best)
	k.insert(l.now, leads, l.at)
	best(l.best, v, l.best)
	return leads
}

// next goes on to the indices of the next vector.
func (l *leader) next(lanes operand.Op) { pick(l.k, l.k.VPADDD, l.k.VPADDQ)(lanes, l.now, l.now) }

// index returns the first index of the best, and leaves that in all lanes of best, and in where the lanes of that
// index, which is one where any has led.
func (l *leader) index() (at reg.GPVirtual, where mask) {
	k, lanes := l.k, l.k.vec()
	k.Comment("The best of all lanes, and the first index that has it.")
	k.move(l.best, lanes)
	k.across(l.best, map[bool]func(ops ...operand.Op){
		false: pick(k, k.VMAXPS, k.VMAXPD), true: pick(k, k.VMINPS, k.VMINPD),
	}[l.least])
	at = k.GP64()
	e := &extremum{k: k, block: l.at}
	e.least(k.compare(equal, l.best, lanes), at)
	e.spread(at, lanes)
	if k.wide {
		where = mask{k: k.K()}
		pick(k, k.VPCMPEQD, k.VPCMPEQQ)(lanes, l.at, where.k)
	} else {
		where = mask{v: k.vec()}
		pick(k, k.VPCMPEQD, k.VPCMPEQQ)(lanes, l.at, where.v)
	}
	return at, where
}

// insert copies to d the lanes of v that are selected.
func (k *kernel) insert(v reg.VecVirtual, by mask, d reg.VecVirtual) {
	if k.wide {
		pick(k, k.VMOVAPS, k.VMOVAPD)(v, by.k, d)
	} else {
		pick(k, k.VBLENDVPS, k.VBLENDVPD)(by.v, v, d, d)
	}
}

// keep zeroes the lanes of v that are not selected.
func (k *kernel) keep(by mask, v reg.VecVirtual) {
	if k.wide {
		pick(k, k.VMOVAPS_Z, k.VMOVAPD_Z)(v, by.k, v)
	} else {
		k.and(by.v, v, v)
	}
}

// laneNumbers is a vector of the integers 0, 1, 2, ..., laneCounts one of the number of lanes in each.
func (k *kernel) laneNumbers() operand.Mem {
	if k.f64 {
		return k.global("lane_numbers64", func() { k.integers(8, func(i int) int { return i }) })
	}
	return k.global("lane_numbers32", func() { k.integers(16, func(i int) int { return i }) })
}

func (k *kernel) laneCounts() operand.Mem {
	name := map[bool]string{false: "lane_counts32", true: "lane_counts64"}[k.f64] + k.tier.suffix
	return k.global(name, func() { k.integers(k.lanes(), func(int) int { return k.lanes() }) })
}

func (k *kernel) integers(n int, f func(i int) int) {
	for i := range n {
		if k.f64 {
			k.AppendDatum(operand.U64(f(i)))
		} else {
			k.AppendDatum(operand.U32(f(i)))
		}
	}
}

// eachVectorAt calls f with the index of each whole vector among n elements, and once for what is left, with the mask
// of that.
func (k *kernel) eachVectorAt(n reg.GPVirtual, f func(at reg.GPVirtual, rest *mask)) {
	at, last, loop, test, done := k.GP64(), k.GP64(), k.newLabel("loop"), k.newLabel("test"), k.newLabel("done")
	k.XORL(at.As32(), at.As32())
	k.LEAQ(operand.Mem{Base: n, Disp: -k.lanes()}, last)
	k.JMP(operand.LabelRef(test))
	k.section(loop, "Whole vectors.")
	f(at, nil)
	k.ADDQ(operand.Imm(uint64(k.lanes())), at)
	k.Label(test)
	k.CMPQ(at, last)
	k.JLE(operand.LabelRef(loop))
	k.SUBQ(at, n)
	k.JZ(operand.LabelRef(done))
	k.Comment("The rest, under a mask.")
	rest := k.maskOf(n)
	f(at, &rest)
	k.Label(done)
}

// result is the place of result i.
func (k *kernel) result(i int) operand.Mem {
	r, err := k.ReturnIndex(i).Resolve()
	if err != nil {
		panic(err)
	}
	return r.Addr
}
