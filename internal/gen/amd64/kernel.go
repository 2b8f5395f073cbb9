package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/dualgap/dualgap/internal/gen/text"
)

var counted = text.Counted

// tier is one width of vectors; the kernels are written once for both.
type tier struct {
	suffix string
	flag   string // the byte of package cpu that says whether the CPU has an extension beside the level; "": none
	also   string // another one
	level  uint64 // cpu.Level
	bytes  int    // of a vector
	regs   int    // vector registers
	wide   bool   // AVX-512: masks, zmm
}

var tiers = []tier{
	{suffix: "AVX512", level: 3, bytes: 64, regs: 32, wide: true},
	{suffix: "AVX2", level: 2, bytes: 32, regs: 16},
}

// Forms for extensions that belong to no tier: they stand before the form of the tier, or in its place.
var (
	vbmi    = extended("VBMI", tiers[0])
	vnni    = extended("VNNI", tiers[0])
	bf16    = extended("BF16", tiers[0])
	vpopcnt = extended("VPOPCNT", tiers[0])
	f16c    = extended("F16C", tiers[1])
	gather  = extended("Gather", tiers[0])

	vbmiVNNI = vbmi.and(vnni)
)

// extended is a tier with the extension that a byte of package cpu tells of.
func extended(flag string, t tier) tier {
	t.suffix, t.flag = flag, flag
	return t
}

// and is a tier with the extensions of both.
func (t tier) and(other tier) tier {
	t.suffix, t.also = t.suffix+other.suffix, other.flag
	return t
}

// flags are the bytes of package cpu that the form asks for, beside the level.
func (t tier) flags() (names []string) {
	for _, name := range []string{t.flag, t.also} {
		if name != "" {
			names = append(names, name)
		}
	}
	return names
}

// elem is the element type.
type elem struct {
	suffix, goType string
	size           int
	shift          uint64 // log2 size
	f64            bool
}

var elems = []elem{
	{"F32", "float32", 4, 2, false},
	{"F64", "float64", 8, 3, true},
}

// plain is for kernels of one element type, float32 or none, which their names need not say.
var plain = []elem{{"", "float32", 4, 2, false}}

// kernel is a function under construction: avo's context, with instructions that know width and element. Types that
// need one hold it in a field k: embedded, each would promote avo's 3000 methods, and the compiler would spend a minute
// on wrappers for them.
type kernel struct {
	*build.Context
	tier
	elem
	*constants
	labels     int           // that newLabel has made
	overwrites bool          // elementwise does not read what it writes
	base       reg.GPVirtual // where elementwise loads from; nil: from what it writes
	direct     bool          // a reduction's terms read x from memory by themselves
	single     bool          // the data hold float32 beside float64 in all other arguments: see mixed.go
}

// constants are the tables of a file, added when first asked for.
type constants struct {
	onesZeros *operand.Mem
	absMask   [2]*operand.Mem // by element type
	order     [2]*operand.Mem
	position  [2]*operand.Mem
	tables    map[string]operand.Mem // others, by name
	pools     map[string]*pool
}

// lanes is the number of elements in a vector.
func (k *kernel) lanes() int { return k.bytes / k.size }

// vec returns a fresh vector register.
func (k *kernel) vec() reg.VecVirtual { return k.part(k.bytes) }

// halved is the same kernel on vectors of half the width.
func (k *kernel) halved() *kernel {
	h := *k
	h.bytes /= 2
	return &h
}

func (k *kernel) vecs(n int) []reg.VecVirtual {
	v := make([]reg.VecVirtual, n)
	for i := range v {
		v[i] = k.vec()
	}
	return v
}

// at is the memory disp elements behind p.
func (k *kernel) at(p reg.Register, disp int) operand.Mem {
	return operand.Mem{Base: p, Disp: disp * k.size}
}

// section begins a part of the function: a label behind a comment that says what the part does. Where a jump to the
// label stands right before it, Comment follows Label instead: with a comment between, avo would keep the jump.
func (k *kernel) section(label, comment string) {
	k.Comment(comment)
	k.Label(label)
}

// align has what follows begin at a multiple of 64 bytes: a short loop across such a boundary runs a fifth slower.
func (k *kernel) align() {
	k.Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []operand.Op{operand.Imm(64)}})
}

// pick chooses between the float32 and the float64 form of an instruction.
func pick[F any](k *kernel, ps, pd F) F {
	if k.f64 {
		return pd
	}
	return ps
}

// arg loads an integer or pointer argument.
func (k *kernel) arg(name string) reg.GPVirtual {
	r := k.GP64()
	k.Load(k.Param(name), r)
	return r
}

// scalarArg is the memory of an argument of the element type.
func (k *kernel) scalarArg(name string) operand.Mem {
	b, err := k.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// bytesArg loads a count of elements as a count of bytes.
func (k *kernel) bytesArg(name string) reg.GPVirtual {
	r := k.arg(name)
	k.SHLQ(operand.U8(k.shift), r)
	return r
}

func (k *kernel) zero(v ...reg.VecVirtual) {
	for _, v := range v {
		if k.single && !k.wide { // the upper half would seem to be alive before, and registers are scarce
			k.VXORPS(v, v, v)
		} else {
			k.VXORPS(v.AsX(), v.AsX(), v.AsX()) // the VEX form clears all of the register
		}
	}
}

// The instructions, sources first as in Go's assembly: fma is acc += a*b.
func (k *kernel) load(m operand.Mem, v reg.Register)  { pick(k, k.VMOVUPS, k.VMOVUPD)(m, v) }
func (k *kernel) store(v reg.Register, m operand.Mem) { pick(k, k.VMOVUPS, k.VMOVUPD)(v, m) }
func (k *kernel) add(a, b, d operand.Op)              { pick(k, k.VADDPS, k.VADDPD)(a, b, d) }
func (k *kernel) sub(a, b, d operand.Op)              { pick(k, k.VSUBPS, k.VSUBPD)(a, b, d) } // d = b - a
func (k *kernel) mul(a, b, d operand.Op)              { pick(k, k.VMULPS, k.VMULPD)(a, b, d) }
func (k *kernel) fma(a, b, acc operand.Op)            { pick(k, k.VFMADD231PS, k.VFMADD231PD)(a, b, acc) }
func (k *kernel) and(a, b, d operand.Op)              { pick(k, k.VANDPS, k.VANDPD)(a, b, d) }
func (k *kernel) bcast(m, v operand.Op)               { pick(k, k.VBROADCASTSS, k.VBROADCASTSD)(m, v) }

// ret returns the lowest element of v.
func (k *kernel) ret(v reg.Vec) {
	b, err := k.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	pick(k, k.VMOVSS, k.VMOVSD)(v.AsX(), b.Addr) // avo's Store would print a legacy MOVSS
	k.done()
}

// retInt returns an integer.
func (k *kernel) retInt(v operand.Op) {
	b, err := k.ReturnIndex(0).Resolve()
	if err != nil {
		panic(err)
	}
	k.MOVQ(v, b.Addr)
	k.done()
}

// done leaves the upper halves clean: a dirty return costs each legacy SSE instruction that follows about 100 ns.
func (k *kernel) done() {
	k.VZEROUPPER()
	k.RET()
}
