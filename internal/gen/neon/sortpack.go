package main

import (
	"encoding/binary"

	"github.com/dualgap/dualgap/internal/gen/neon/a64"
)

// Elements with something that goes along are sorted as integers of 64 bits: the key, or its upper half, above 32 bits
// of a position or a payload, whose sign is inverted so that integers with a sign compare right.

var (
	// packKeys joins the upper 32 bits of each key with its position, zipKeys each key with its payload.
	packKeys = source{"sort", "pack", "Pack", "(dst *int64, x *T, n int, form int)",
		func(k *kernel) { k.emitPack(false) }}
	zipKeys = source{"sort", "zip", "Zip", "(dst *int64, x *T, payload *int32, n int, form int)",
		func(k *kernel) { k.emitPack(true) }}

	// unpackKeys writes the lower halves, and tells whether two neighbours have the same upper half; unzipKeys parts
	// keys from payloads.
	unpackKeys = source{"sort", "unpack", "Unpack", "(idx *int32, src *T, n int) int", emitUnpack}
	unzipKeys  = source{"sort", "unzip", "Unzip", "(x *T, payload *int32, src *int64, n int, form int)", emitUnzip}
)

// packed is how many vectors of a kernel's elements a step takes.
const packed = 2

// filled returns a vector of a constant in all lanes of the arrangement.
func (k *kernel) filled(t a64.Arr, word uint64) V {
	v, c := k.vs(1)[0], k.x()
	k.nextX--
	k.Op("MOVD", a64.Constant(word), c)
	k.Op("VDUP", c, v.As(t))
	return v
}

// emitPack joins the vectors of a piece with positions, or with payloads.
func (k *kernel) emitPack(payload bool) {
	dst, x := k.arg("dst"), k.arg("x")
	var lows func(r run, v []V)
	write := func() {}
	if payload {
		from, sign := k.arg("payload"), k.filled(a64.S4, 1<<31)
		lows = func(r run, v []V) {
			k.load(r, v, from)
			r.each(func(i int) { k.xor(v[i], v[i], sign) })
		}
	} else {
		lows, write = k.positions()
	}
	n := k.arg("n")
	f := k.keyForm(k.arg("form"))
	keys, low, out := k.vs(packed), k.vs(packed), k.vs(2)
	k.Comment("The key's upper 32 bits, above its position or payload.")
	k.stream(n, packed, func(p piece) {
		for _, r := range p.runs() {
			k.load(r, keys, x)
			lows(r, low)
			r.each(func(i int) {
				f.mapKeys(keys[i])
				k.join(dst, p.bytes, low[i], keys[i], out)
			})
		}
	}, nil)
	k.Op("RET")
	write()
}

// positions returns what fills vectors with the next positions: four of 32 bits, or two as the upper halves of 64.
func (k *kernel) positions() (next func(r run, v []V), write func()) {
	first := make([]byte, vectorBytes)
	for i := range 4 {
		if k.size == 4 {
			binary.LittleEndian.PutUint32(first[4*i:], 1<<31+uint32(i))
		} else if i%2 == 1 {
			binary.LittleEndian.PutUint32(first[4*i:], 1<<31+uint32(i/2))
		}
	}
	base, write := k.byteTable("positions", first)
	at := k.vs(1)[0]
	k.Op("FMOVQ", a64.Mem(base, 0), at)
	step := map[int]V{}
	for bytes := vectorBytes; bytes > k.size; bytes /= 2 {
		if k.size == 4 {
			step[bytes] = k.filled(a64.S4, uint64(bytes/4))
		} else {
			step[bytes] = k.filled(a64.D2, uint64(bytes/8)<<32)
		}
	}
	return func(r run, v []V) {
		r.each(func(i int) {
			k.Op("VMOV", at.Bits(), v[i].Bits())
			if by, more := step[r.bytes]; more {
				k.addInt(at, at, by)
			}
		})
	}, write
}

// join writes the integers of one vector or of its first bytes: their upper halves are keys, or the upper halves of
// keys, the lower ones low.
func (k *kernel) join(dst X, bytes int, low, key V, out []V) {
	if k.size == 8 {
		k.shuffle("VTRN2", a64.S4, out[0], low, key)
		k.store(run{0, 1, bytes, bytes}, out, dst)
		return
	}
	k.shuffle("VZIP1", a64.S4, out[0], low, key)
	if bytes < vectorBytes {
		k.store(run{0, 1, 2 * bytes, 2 * bytes}, out, dst)
		return
	}
	k.shuffle("VZIP2", a64.S4, out[1], low, key)
	k.store(run{0, 2, vectorBytes, 2 * vectorBytes}, out, dst)
}

// parter loads integers of 64 bits and parts them into vectors of their lower and upper halves.
type parter struct {
	k         *kernel // of the halves
	src       X
	v         []V
	low, high V
	sign      V
}

func (k *kernel) parter(src X) *parter {
	half := *k
	half.elem = keyElems[0]
	p := &parter{k: &half, src: src, v: half.vs(2), low: half.vs(1)[0], high: half.vs(1)[0]}
	p.sign = half.filled(a64.S4, 1<<31)
	return p
}

// each calls do for vectors of halves, or parts of one. Where there are two integers, each half is there twice; where
// there is one it is in the lowest lane.
func (p *parter) each(n X, do func(r run)) {
	k := p.k
	k.stream(n, packed, func(all piece) {
		for range all.vectors {
			r := run{0, 1, all.bytes, all.bytes}
			second := p.v[0]
			switch r.bytes {
			case vectorBytes:
				second = p.v[1]
				k.load(run{0, 2, vectorBytes, 2 * vectorBytes}, p.v, p.src)
			default:
				k.load(run{0, 1, 2 * r.bytes, 2 * r.bytes}, p.v, p.src)
			}
			k.shuffle("VUZP1", a64.S4, p.low, p.v[0], second)
			k.shuffle("VUZP2", a64.S4, p.high, p.v[0], second)
			k.xor(p.low, p.low, p.sign)
			do(r)
		}
	}, nil)
}

func emitUnzip(k *kernel) {
	x, payload, src, n := k.arg("x"), k.arg("payload"), k.arg("src"), k.arg("n")
	f := k.keyForm(k.arg("form"))
	p := k.parter(src)
	k.Comment("Payloads are in the lower halves, keys in the upper.")
	p.each(n, func(r run) {
		p.k.store(r, []V{p.low}, payload)
		f.unmapKeys(p.high)
		p.k.store(r, []V{p.high}, x)
	})
	k.Op("RET")
}

// emitUnpack compares each upper half with the one before it. The first one has none; the half with another sign stands
// for that.
func emitUnpack(k *kernel) {
	idx, src, n := k.arg("idx"), k.arg("src"), k.arg("n")
	p := k.parter(src)
	k = p.k
	equal, before, found := k.vs(1)[0], k.vs(1)[0], k.vs(1)[0]
	end := k.NewLabel("none")
	k.zero(equal)
	k.Op("CBZ", n, end)
	k.Op("FMOVD", a64.Mem(src, 0), p.high)
	k.Op("VDUP", p.high.Int(1), before.Ints())
	k.xor(before, before, p.sign)
	k.Comment("The lower halves, and whether an upper half equals the one before.")
	p.each(n, func(r run) {
		k.store(r, []V{p.low}, idx)
		k.Op("VEXT", imm(12), p.high.Bits(), before.Bits(), found.Bits())
		k.Op("VCMEQ", p.high.Ints(), found.Ints(), found.Ints())
		if r.bytes == 4 {
			k.Op("FMOVS", found, found) // the other lanes are none's
		}
		k.Op("VORR", found.Bits(), equal.Bits(), equal.Bits())
		k.Op("VMOV", p.high.Bits(), before.Bits())
	})
	k.section(end, "Was one equal?")
	low, high := k.x(), k.x()
	k.Op("VMOV", equal.Double(0), low)
	k.Op("VMOV", equal.Double(1), high)
	k.Op("ORR", high, low, low)
	k.Op("MOVD", low, k.param("ret"))
	k.Op("RET")
}
