package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// projSmall solves problems of up to 16 elements with hardly a loop over steps of an algorithm. Whether an element lies
// above a threshold is asked for all elements at once, each one's own value taken for the threshold: with
//
//	p_j = sum_i max(0, a_i - a_j)
//
// that is one comparison a lane. These sums are float32, since they only tell sets; the thresholds follow from the sets in float64,
// and the sets are verified by them. Where they do not verify, or the problem is a rare one, the result says so, and
// nothing is written.
var projSmall = source{
	family: "proj", name: "small", entry: "Small", sig: "(dst, a *T, n, k, kind int, p *float64) int",
	emit: func(k *kernel) {
		if !k.wide {
			ret := k.GP64()
			k.XORL(ret.As32(), ret.As32())
			k.smallReturn(ret)
			return
		}
		s := &small{kernel: k, p: k.arg("p"), n: k.arg("n"), a: k.arg("a")}
		s.load()
		kind := k.arg("kind")
		k.CMPQ(kind, operand.Imm(0))
		k.JE(operand.LabelRef("simplex"))
		kth, pairs := s.rank()
		k.CMPQ(kind, operand.Imm(1))
		k.JE(operand.LabelRef("capped"))
		k.CMPQ(kind, operand.Imm(3))
		k.JE(operand.LabelRef("knapsack"))
		s.topK(kth, pairs)
		k.Label("simplex")
		s.simplex()
		k.Label("capped")
		s.capped(kth, pairs)
		k.Label("knapsack")
		s.center(kth)
		s.knapsack(pairs, s.number(smallCap), "equal", false)
		k.Label("unsolved")
		ret := k.GP64()
		k.XORL(ret.As32(), ret.As32())
		k.smallReturn(ret)
	},
}

// The layout of p, as in package proj.
const (
	smallR, smallRho, smallK, smallCap, smallShare = 0, 8, 16, 24, 32
	smallC, smallT, smallU, smallSum, smallExcess  = 40, 48, 56, 64, 72
)

// small is the kernel under construction.
type small struct {
	*kernel
	p, n, a reg.GPVirtual
	all     reg.Register      // the lanes below n
	x       [2]reg.VecVirtual // the elements as float64, -Inf behind them; later minus c
	c       reg.VecVirtual
	raw     reg.VecVirtual // the elements minus base as float32
	base    reg.VecVirtual // float32, 0 unless the elements are float64
	zero    reg.VecVirtual
}

func (k *kernel) smallReturn(r reg.GPVirtual) {
	b, err := k.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	k.MOVQ(r, b.Addr)
	if k.wide {
		k.VZEROUPPER()
	}
	k.RET()
}

func (s *small) param(offset int) operand.Mem { return operand.Mem{Base: s.p, Disp: offset} }

// number broadcasts a parameter.
func (s *small) number(offset int) reg.VecVirtual {
	v := s.ZMM()
	s.VBROADCASTSD(s.param(offset), v)
	return v
}

// number32 broadcasts a parameter as float32.
func (s *small) number32(offset int) reg.VecVirtual {
	v := s.ZMM()
	s.VCVTSD2SS(s.param(offset), s.zero.AsX(), v.AsX())
	s.VBROADCASTSS(v.AsX(), v)
	return v
}

// load fills the lanes, and leaves when an element is NaN or +Inf.
func (s *small) load() {
	s.zero = s.ZMM()
	s.kernel.zero(s.zero)
	s.all = s.maskOf(s.n).k
	low := s.ZMM()
	s.bcast(s.lowest(), low)
	if s.f64 {
		high := s.K()
		s.KSHIFTRW(operand.U8(8), s.all, high)
		for i, m := range []reg.Register{s.all, high} {
			s.x[i] = s.ZMM()
			s.VMOVAPD(low, s.x[i])
			s.VMOVUPD(operand.Mem{Base: s.a, Disp: 64 * i}, m, s.x[i])
		}
		first, d := s.ZMM(), [2]reg.VecVirtual{s.ZMM(), s.ZMM()}
		s.VBROADCASTSD(operand.Mem{Base: s.a}, first)
		for i, x := range s.x {
			s.VSUBPD(first, x, d[i])
		}
		s.raw, s.base = s.ZMM(), s.ZMM()
		s.float32s(d[0], d[1], s.raw)
		s.float32All(first, s.base)
	} else {
		s.raw, s.base = low, s.zero
		s.VMOVUPS(operand.Mem{Base: s.a}, s.all, s.raw)
		s.x[0], s.x[1] = s.ZMM(), s.ZMM()
		s.VCVTPS2PD(s.raw.AsY(), s.x[0])
		s.VEXTRACTF64X4(operand.Imm(1), s.raw, s.x[1].AsY())
		s.VCVTPS2PD(s.x[1].AsY(), s.x[1])
	}
	bits, inf := s.GP64(), s.ZMM()
	s.MOVQ(operand.U64(math.Float64bits(math.Inf(1))), bits)
	s.VPBROADCASTQ(bits, inf)
	var bad [2]reg.Register
	for i, x := range s.x {
		bad[i] = s.K()
		s.VCMPPD(operand.U8(0x15), inf, x, bad[i]) // not less, or NaN
	}
	s.KORTESTB(bad[0], bad[1])
	s.JNZ(operand.LabelRef("unsolved"))
}

// fold combines all lanes of a and b, which are destroyed, in all lanes of the result.
func (s *small) fold(op func(a, b, d operand.Op), a, b reg.VecVirtual) reg.VecVirtual {
	op(a, b, a)
	s.VEXTRACTF64X4(operand.Imm(1), a, b.AsY())
	op(a.AsY(), b.AsY(), a.AsY())
	s.VEXTRACTF64X2(operand.Imm(1), a.AsY(), b.AsX())
	op(a.AsX(), b.AsX(), a.AsX())
	s.VPERMILPD(operand.Imm(1), a.AsX(), b.AsX())
	op(a.AsX(), b.AsX(), a.AsX())
	s.VBROADCASTSD(a.AsX(), a)
	return a
}

// sum adds the lanes of x selected by m, a mask of 16.
func (s *small) sum(m reg.Register) reg.VecVirtual {
	a, b, high := s.ZMM(), s.ZMM(), s.K()
	s.KSHIFTRW(operand.U8(8), m, high)
	s.VMOVAPD_Z(s.x[0], m, a)
	s.VMOVAPD_Z(s.x[1], high, b)
	return s.fold(func(a, b, d operand.Op) { s.VADDPD(a, b, d) }, a, b)
}

// number of lanes in a mask, as float64 in all lanes.
func (s *small) count(m reg.Register) reg.VecVirtual {
	bits, v := s.GP32(), s.ZMM()
	s.KMOVW(m, bits)
	s.POPCNTL(bits, bits)
	s.VCVTSI2SDL(bits, s.zero.AsX(), v.AsX())
	s.VBROADCASTSD(v.AsX(), v)
	return v
}

// center takes c off the elements.
func (s *small) center(c reg.VecVirtual) {
	s.c = c
	s.VMOVSD(c.AsX(), s.param(smallC))
	for _, x := range s.x {
		s.VSUBPD(c, x, x)
	}
}

// float32s converts two vectors into one.
func (s *small) float32s(a, b, d reg.VecVirtual) {
	y := s.ZMM()
	s.VCVTPD2PS(a, d.AsY())
	s.VCVTPD2PS(b, y.AsY())
	s.VINSERTF64X4(operand.Imm(1), y.AsY(), d, d)
}

// above returns sum_i max(0, a_i - x_j) for each lane of x.
func (s *small) above(x reg.VecVirtual, label string) reg.VecVirtual {
	acc := []reg.VecVirtual{s.ZMM(), s.ZMM()}
	s.kernel.zero(acc...)
	s.each(label, func(i int, _ operand.Mem, term operand.Op) { s.addAbove(x, term, acc[i]) })
	s.VADDPS(acc[1], acc[0], acc[0])
	return acc[0]
}

// addAbove adds max(0, a_i - x_j).
func (s *small) addAbove(x reg.VecVirtual, term operand.Op, acc reg.VecVirtual) {
	d := s.ZMM()
	if s.f64 {
		s.VSUBPS(term, x, d)
	} else {
		s.VSUBPS_BCST(term, x, d)
	}
	s.VMINPS(s.zero, d, d)
	s.VSUBPS(d, acc, acc)
}

// each runs code for every element, two at a time: i is 0 and 1 in turn, for two accumulators. The element lies at a; minus
// base it is a float32 to be broadcast from memory, or, of float64 elements, broadcast already: by a permutation, since
// what is broadcast from a store just made waits for it.
func (s *small) each(label string, code func(i int, element operand.Mem, term operand.Op)) {
	at, left := s.GP64(), s.GP64()
	var index, one reg.VecVirtual
	s.MOVQ(s.a, at)
	s.MOVQ(s.n, left)
	if s.f64 {
		index, one = s.ZMM(), s.ZMM()
		s.kernel.zero(index)
		s.VPTERNLOGD(operand.U8(0xff), one, one, one) // -1
	}
	do := func(i int) {
		element := operand.Mem{Base: at, Disp: i * s.size}
		if !s.f64 {
			code(i, element, element)
			return
		}
		term := s.ZMM()
		s.VPERMPS(s.raw, index, term)
		s.VPSUBD(one, index, index)
		code(i, element, term)
	}
	s.SUBQ(operand.Imm(2), left)
	s.JB(operand.LabelRef(label + "last"))
	s.Label(label)
	do(0)
	do(1)
	s.ADDQ(operand.U32(2*s.size), at)
	s.SUBQ(operand.Imm(2), left)
	s.JAE(operand.LabelRef(label))
	s.Label(label + "last")
	s.TESTQ(operand.U32(1), left)
	s.JZ(operand.LabelRef(label + "end"))
	do(0)
	s.Label(label + "end")
}

// less returns the mask, within by, of a < b, lanes of float32.
func (s *small) less(a, b reg.VecVirtual, by reg.Register) reg.Register {
	m := s.K()
	s.VCMPPS(operand.U8(0x11), b, a, by, m)
	return m
}

// beyond returns the mask of x > t, both halves.
func (s *small) beyond(t reg.VecVirtual) reg.Register {
	low, high, m := s.K(), s.K(), s.K()
	s.VCMPPD(operand.U8(0x1e), t, s.x[0], low)
	s.VCMPPD(operand.U8(0x1e), t, s.x[1], high)
	s.KUNPCKBW(low, high, m)
	return m
}

// simplex solves sum_i max(0, v_i - t) = min((t+c)/rho, r).
func (s *small) simplex() {
	mid := s.short(s.above(s.raw, "pairs"), s.raw, s.all)
	a, b := s.ZMM(), s.ZMM()
	s.VMOVAPD(s.x[0], a)
	s.VMOVAPD(s.x[1], b)
	c := s.fold(func(a, b, d operand.Op) { s.VMAXPD(a, b, d) }, a, b)
	s.VMAXPD(s.zero, c, c)
	s.center(c)
	s.write(s.settle(mid, nil, nil, "simplex", true), s.number(smallCap))
}

// short returns the mask, within by, of sums that are less than r and than t/rho, t without base.
func (s *small) short(sum, t reg.VecVirtual, by reg.Register) reg.Register {
	y, z := s.ZMM(), s.ZMM()
	s.VADDPS(s.base, t, z)
	s.VMULPS(s.number32(smallRho), sum, y)
	return s.less(y, z, s.less(sum, s.number32(smallR), by))
}

// settle solves for t with the given set between the bounds and top at the cap, whose elements have the sum at. Without the bias
// t = (s + at - r)/m; with it the larger of that and (rho (s + at) - c)/(rho m + 1). When that is not the set above t, it
// is tried next.
func (s *small) settle(mid, top reg.Register, at reg.VecVirtual, label string, bias bool) (t reg.VecVirtual) {
	return s.newton(mid, top, label, func(sum, m, t reg.VecVirtual) {
		if at != nil {
			s.VADDPD(at.AsX(), sum.AsX(), sum.AsX())
		}
		s.VSUBSD(s.param(smallR), sum.AsX(), t.AsX())
		if !bias {
			s.VDIVSD(m.AsX(), t.AsX(), t.AsX())
			return
		}
		rho, d := s.XMM(), s.XMM()
		s.VMOVDDUP(s.param(smallRho), rho)
		s.VFMSUB213PD(s.c.AsX(), rho, sum.AsX())
		s.VUNPCKLPD(sum.AsX(), t.AsX(), t.AsX())
		s.VMOVDDUP(s.one(), d)
		s.VFMADD231PD(rho, m.AsX(), d)
		s.VUNPCKLPD(d, m.AsX(), m.AsX())
		s.VDIVPD(m.AsX(), t.AsX(), t.AsX())
		s.VPERMILPD(operand.Imm(1), t.AsX(), d)
		s.VMAXPD(d, t.AsX(), t.AsX())
	})
}

// newton repeats: solve gets sum and number of the elements of mid, in the lowest lanes, and computes t; the elements above it but
// those of top are mid then. It ends when that is no change.
func (s *small) newton(mid, top reg.Register, label string, solve func(sum, m, t reg.VecVirtual)) (t reg.VecVirtual) {
	t = s.ZMM()
	tries := s.GP64()
	s.MOVQ(operand.U32(17), tries)
	s.Label(label + "again")
	solve(s.sum(mid), s.count(mid), t)
	s.VBROADCASTSD(t.AsX(), t)
	next, change := s.beyond(t), s.K()
	if top != nil {
		s.KANDNW(next, top, next)
	}
	s.KXORW(mid, next, change)
	s.KMOVW(next, mid)
	s.KORTESTW(change, change)
	s.JZ(operand.LabelRef(label + "settled"))
	s.SUBQ(operand.Imm(1), tries)
	s.JNZ(operand.LabelRef(label + "again"))
	s.JMP(operand.LabelRef("unsolved"))
	s.Label(label + "settled")
	return t
}

// verify leaves when t and u do not put top at the cap, and nothing else above it.
func (s *small) verify(top reg.Register, t, u reg.VecVirtual) {
	var above, atLeast [2]reg.Register
	for i, x := range s.x {
		d := s.ZMM()
		above[i], atLeast[i] = s.K(), s.K()
		s.VSUBPD(t, x, d)
		s.VCMPPD(operand.U8(0x1e), u, d, above[i])
		s.VCMPPD(operand.U8(0x1d), u, d, atLeast[i])
	}
	a, b := s.K(), s.K()
	s.KUNPCKBW(above[0], above[1], a)
	s.KUNPCKBW(atLeast[0], atLeast[1], b)
	s.KANDNW(a, top, a) // above, but not in top
	s.KANDNW(top, b, b) // in top, but not there
	s.KORTESTW(a, b)
	s.JNZ(operand.LabelRef("unsolved"))
}

// one is the number 1 in memory.
func (k *kernel) one() operand.Mem {
	return k.global("one64", func() { k.AppendDatum(operand.U64(math.Float64bits(1))) })
}

// write sets dst = min(max(0, v - t), u), and returns the counts.
func (s *small) write(t, u reg.VecVirtual) {
	dst := s.arg("dst")
	s.VMOVSD(t.AsX(), s.param(smallT))
	s.VMOVSD(u.AsX(), s.param(smallU))
	var some, top [2]reg.Register
	for i, x := range s.x {
		some[i], top[i] = s.K(), s.K()
		s.VSUBPD(t, x, x)
		s.VCMPPD(operand.U8(0x1e), s.zero, x, some[i])    // x > 0
		s.VCMPPD(operand.U8(0x1d), u, x, some[i], top[i]) // x >= u
		s.VMAXPD(x, s.zero, x)
		s.VMINPD(x, u, x)
	}
	end := s.newLabel("stored")
	y := s.x[0]
	if s.f64 {
		part := s.newLabel("below8")
		s.CMPQ(s.n, operand.Imm(8))
		s.JB(operand.LabelRef(part))
		s.VMOVUPD(s.x[0], operand.Mem{Base: dst})
		s.ADDQ(operand.Imm(64), dst)
		s.VMOVAPD(s.x[1], y)
		s.CMPQ(s.n, operand.Imm(16))
		s.JNE(operand.LabelRef(part))
		s.VMOVUPD(y, operand.Mem{Base: dst})
		s.JMP(operand.LabelRef(end))
		s.Label(part)
	} else {
		part := s.newLabel("below16")
		y = s.ZMM()
		s.float32s(s.x[0], s.x[1], y)
		s.CMPQ(s.n, operand.Imm(16))
		s.JNE(operand.LabelRef(part))
		s.VMOVUPS(y, operand.Mem{Base: dst})
		s.JMP(operand.LabelRef(end))
		s.Label(part)
	}
	s.storeBits(y, 512/8, s.n, dst)
	s.Label(end)
	ret, atCap := s.GP64(), s.GP64()
	for i, m := range []*[2]reg.Register{&some, &top} {
		r := []reg.GPVirtual{ret, atCap}[i]
		s.KUNPCKBW(m[0], m[1], m[0])
		s.KMOVW(m[0], r.As32())
		s.POPCNTL(r.As32(), r.As32())
	}
	s.SUBQ(atCap, ret) // between
	s.SHLQ(operand.U8(8), ret)
	s.ORQ(atCap, ret)
	s.SHLQ(operand.U8(8), ret)
	s.ORQ(operand.Imm(1), ret)
	s.smallReturn(ret)
}

// rank returns the k-th largest element, in all lanes, and p.
func (s *small) rank() (kth, pairs reg.VecVirtual) {
	k, ones, bound := s.GP64(), s.ZMM(), s.ZMM()
	s.Load(s.Param("k"), k)
	vectors := []reg.VecVirtual{s.raw}
	if s.f64 {
		vectors = s.x[:]
		s.VPBROADCASTQ(k, bound)
	} else {
		s.VPBROADCASTD(k.As32(), bound)
	}
	s.VPTERNLOGD(operand.U8(0xff), ones, ones, ones) // -1
	larger, acc := make([]reg.VecVirtual, len(vectors)), []reg.VecVirtual{s.ZMM(), s.ZMM()}
	for i := range vectors {
		larger[i] = s.ZMM()
		s.kernel.zero(larger[i])
	}
	s.kernel.zero(acc...)
	s.each("rank", func(i int, element operand.Mem, term operand.Op) {
		for j, v := range vectors {
			m := s.K()
			if s.f64 {
				s.VCMPPD_BCST(operand.U8(0x11), element, v, m)
				s.VPSUBQ(ones, larger[j], m, larger[j])
			} else {
				s.VCMPPS_BCST(operand.U8(0x11), element, v, m)
				s.VPSUBD(ones, larger[j], m, larger[j])
			}
		}
		s.addAbove(s.raw, term, acc[i])
	})
	pairs = acc[0]
	s.VADDPS(acc[1], pairs, pairs)
	top, high := s.K(), s.K()
	if s.f64 {
		s.VPCMPQ(operand.U8(1), bound, larger[0], top)
		s.VPCMPQ(operand.U8(1), bound, larger[1], high)
	} else {
		s.VPCMPD(operand.U8(1), bound, larger[0], top)
		s.KSHIFTRW(operand.U8(8), top, high)
	}
	inf, bits := [2]reg.VecVirtual{s.ZMM(), s.ZMM()}, s.GP64()
	s.MOVQ(operand.U64(math.Float64bits(math.Inf(1))), bits)
	for i, m := range []reg.Register{top, high} {
		s.VPBROADCASTQ(bits, inf[i])
		s.VMOVAPD(s.x[i], m, inf[i])
	}
	return s.fold(func(a, b, d operand.Op) { s.VMINPD(a, b, d) }, inf[0], inf[1]), pairs
}

// capped is kind 1: sum_i min(max(0, v_i - t), u) = min((t+c)/rho, r).
func (s *small) capped(kth, pairs reg.VecVirtual) {
	s.VMAXPD(s.zero, kth, kth)
	s.center(kth)
	low := s.ZMM()
	s.VMINPD(s.number(smallCap), kth, low)
	s.knapsack(pairs, low, "capped", true)
}

// knapsack solves with a fixed cap, with the bias or without; t >= -low. With a_j for T + u and t_j = a_j - u,
//
//	sum_i min(max(0, a_i - t_j), u) = sum_i max(0, a_i - t_j) - p_j
//
// is less than it should be where a_j is above T + u; only those that exceed the k-th largest can be.
func (s *small) knapsack(pairs, low reg.VecVirtual, label string, bias bool) {
	tj := s.ZMM()
	s.VSUBPS(s.number32(smallCap), s.raw, tj)
	f := s.above(tj, label+"sums")
	s.VSUBPS(pairs, f, f)
	top := s.beyond(s.zero)
	if bias {
		top = s.short(f, tj, top)
	} else {
		top = s.less(f, s.number32(smallR), top)
	}
	n, sum, nu := s.count(top), s.sum(top), s.ZMM()
	s.VMULPD(n, s.number(smallCap), nu)
	t := s.settle(s.between(low, top), top, nu, label, bias)
	limit := s.number(smallCap)
	s.verify(top, t, limit)
	// sum_U (v - t - u)
	s.VADDSD(limit.AsX(), t.AsX(), nu.AsX())
	s.VFNMADD213SD(sum.AsX(), n.AsX(), nu.AsX())
	s.VMOVSD(nu.AsX(), s.param(smallExcess))
	s.write(t, limit)
}

// between returns the mask of v > -low without top.
func (s *small) between(low reg.VecVirtual, top reg.Register) reg.Register {
	t := s.ZMM()
	s.VSUBPD(low, s.zero, t)
	m := s.beyond(t)
	s.KANDNW(m, top, m)
	return m
}

// float32All sets all lanes of d to the lowest of v as float32.
func (s *small) float32All(v, d reg.VecVirtual) {
	s.VCVTSD2SS(v.AsX(), s.zero.AsX(), d.AsX())
	s.VBROADCASTSS(d.AsX(), d)
}

// topK is kind 2: Lemmas 3 and 5. The zero solution and what cannot be told from it are left to others.
func (s *small) topK(kth, pairs reg.VecVirtual) {
	f, tj := s.coneSums(pairs) // early, as this does not wait for c
	s.center(kth)
	sum, k, kc := s.sum(s.beyond(s.zero)), s.number(smallK), s.ZMM()
	s.VMULPD(k, s.c, kc)
	least := s.ZMM() // 2^-32 (sum_top v + k |c|): a sum that is less may be rounding
	s.VMAXPD(s.zero, kc, least)
	s.VADDPD(least, least, least)
	s.VSUBPD(kc, least, least)
	s.VADDPD(sum, least, least)
	s.VADDPD(kc, sum, sum)
	s.VMULSD(s.tiny(), least.AsX(), least.AsX())
	s.VUCOMISD(least.AsX(), sum.AsX())
	s.JBE(operand.LabelRef("unsolved"))
	s.VMOVSD(sum.AsX(), s.param(smallSum))

	low, limit, t := s.ZMM(), s.number(smallCap), s.ZMM()
	s.VDIVSD(s.param(smallShare), sum.AsX(), low.AsX()) // the vertex: x_i at the k largest
	s.VBROADCASTSD(low.AsX(), low)
	fewer, above, order := s.K(), s.GP32(), s.GP64()
	s.VCMPPD(operand.U8(0x11), limit, low, fewer) // vertex < limit
	s.VMINPD(limit, low, low)
	s.VSUBPD(low, s.zero, t)
	s.KMOVW(s.beyond(t), above)
	s.POPCNTL(above, above)
	s.Load(s.Param("k"), order)
	s.CMPL(above, order.As32())
	s.JNE(operand.LabelRef("inner"))
	s.write(t, low)
	s.Label("inner")
	s.KORTESTB(fewer, fewer)
	s.JZ(operand.LabelRef("full"))
	s.cone(f, tj, low)
	s.Label("full")
	s.knapsack(pairs, low, "full", false)
}

// tiny is 2^-32.
func (k *kernel) tiny() operand.Mem {
	return k.global("tiny64", func() { k.AppendDatum(operand.U64(math.Float64bits(0x1p-32))) })
}

// coneSums returns for a_j in the place of T + u the T of the cone, t_j = (rho k a_j - p_j/k)/(1 + rho k), and the sum of
// the elements.
func (s *small) coneSums(pairs reg.VecVirtual) (f, tj reg.VecVirtual) {
	k, rk, inv, y, z := s.XMM(), s.XMM(), s.XMM(), s.XMM(), s.ZMM()
	s.VMOVSD(s.param(smallK), k)
	s.VMULSD(s.param(smallRho), k, rk)
	s.VADDSD(s.one(), rk, inv)
	s.VMOVSD(s.one(), y)
	s.VDIVSD(inv, y, inv)
	tj = s.ZMM()
	s.VMULSD(inv, rk, y)
	s.VCVTSD2SS(y, y, y)
	s.VBROADCASTSS(y, z)
	s.VADDPS(s.base, s.raw, tj)
	s.VMULPS(z, tj, tj)
	s.VDIVSD(k, inv, y)
	s.VCVTSD2SS(y, y, y)
	s.VBROADCASTSS(y, z)
	s.VFNMADD231PS(z, pairs, tj)
	s.VSUBPS(s.base, tj, tj)
	f = s.above(tj, "cone")
	s.VSUBPS(pairs, f, f)
	return f, tj
}

// cone is the system (7), solved for one set at the cap: those a_j for which the sum of the elements is less than k (a_j -
// t_j). It goes on to the knapsack when u is not less than r/k.
func (s *small) cone(f, tj, low reg.VecVirtual) {
	z, k := s.number32(smallK), s.number(smallK)
	s.VSUBPS(tj, s.raw, tj)
	s.VMULPS(z, tj, tj)
	top := s.less(f, tj, s.beyond(s.zero))
	n, sum := s.count(top), s.sum(top)
	// free = k - n, b = rho k² + n, fixed = k c + sum_U v
	free, b, fixed := s.ZMM(), s.ZMM(), s.ZMM()
	s.VSUBSD(n.AsX(), k.AsX(), free.AsX())
	s.VMULSD(s.param(smallRho), k.AsX(), b.AsX())
	s.VFMADD213SD(n.AsX(), k.AsX(), b.AsX())
	s.VMOVAPD(s.c.AsX(), fixed.AsX())
	s.VFMADD213SD(sum.AsX(), k.AsX(), fixed.AsX())
	u := s.ZMM()
	t := s.newton(s.between(low, top), top, "cone", func(sum, m, t reg.VecVirtual) {
		// t = (b s - free fixed)/D, u = (free s + m fixed)/D, D = b m + free²
		d, e := s.ZMM(), s.ZMM()
		s.VMULSD(free.AsX(), free.AsX(), d.AsX())
		s.VFMADD231SD(b.AsX(), m.AsX(), d.AsX())
		s.VMULSD(free.AsX(), fixed.AsX(), e.AsX())
		s.VMOVAPD(b.AsX(), t.AsX())
		s.VFMSUB213SD(e.AsX(), sum.AsX(), t.AsX())
		s.VMULSD(m.AsX(), fixed.AsX(), e.AsX())
		s.VFMADD231SD(free.AsX(), sum.AsX(), e.AsX())
		s.VUNPCKLPD(e.AsX(), t.AsX(), t.AsX())
		s.VMOVDDUP(d.AsX(), d.AsX())
		s.VDIVPD(d.AsX(), t.AsX(), t.AsX())
		s.VPERMILPD(operand.Imm(1), t.AsX(), u.AsX())
	})
	s.VBROADCASTSD(u.AsX(), u)
	s.verify(top, t, u)
	s.VUCOMISD(s.param(smallCap), u.AsX())
	s.JAE(operand.LabelRef("full"))
	s.write(t, u)
}
