package a64

import "fmt"

// The methods here are the instructions that Go's assembler lacks. Operands come in Arm's order, destination first. The
// base bits are from the Arm Architecture Reference Manual (DDI 0487, C7.2) with Q, sz and all registers zero.

// FADD is d = n + m.
func (f *File) FADD(t Arr, d, n, m V) { f.three("fadd", 0x0e20d400, t, d, n, m) }

// FSUB is d = n - m.
func (f *File) FSUB(t Arr, d, n, m V) { f.three("fsub", 0x0ea0d400, t, d, n, m) }

// FMUL is d = n * m.
func (f *File) FMUL(t Arr, d, n, m V) { f.three("fmul", 0x2e20dc00, t, d, n, m) }

// FADDP adds neighbours: d = n0+n1, n2+n3, ..., m0+m1, m2+m3, ...
func (f *File) FADDP(t Arr, d, n, m V) { f.three("faddp", 0x2e20d400, t, d, n, m) }

// FABS is d = |n|.
func (f *File) FABS(t Arr, d, n V) { f.two("fabs", 0x0ea0f800, t, d, n) }

// FSQRT is d = √n, rounded once.
func (f *File) FSQRT(t Arr, d, n V) { f.two("fsqrt", 0x2ea1f800, t, d, n) }

// FMLALane is d += n * m[lane], rounded once.
func (f *File) FMLALane(t Arr, d, n, m V, lane int) { f.lane("fmla", 0x0f801000, t, d, n, m, lane) }

// FMULLane is d = n * m[lane].
func (f *File) FMULLane(t Arr, d, n, m V, lane int) { f.lane("fmul", 0x0f809000, t, d, n, m, lane) }

// SCVTF converts integers to floats of the same size.
func (f *File) SCVTF(t Arr, d, n V) { f.two("scvtf", 0x0e21d800, t, d, n) }

// FCVTZS converts floats to integers of the same size, towards zero.
func (f *File) FCVTZS(t Arr, d, n V) { f.two("fcvtzs", 0x0ea1b800, t, d, n) }

// SADDW is d = n + m, n and d four int32, m the lower four int16; SADDW2 takes the upper four.
func (f *File) SADDW(d, n, m V)  { f.wide("saddw", 0x0e601000, "4h", d, n, m) }
func (f *File) SADDW2(d, n, m V) { f.wide("saddw2", 0x4e601000, "8h", d, n, m) }

// FADDPScalar is d = n0 + n1, the other lanes of d zero.
func (f *File) FADDPScalar(t Arr, d, n V) {
	if t == S4 {
		t = S2 // the lower half is all it reads
	}
	a := arrs[t]
	f.word(0x7e30d800|a.bits|n.bits()<<5|d.bits(), "faddp", fmt.Sprintf("%s%d, v%d.%s", a.lane, d, n, a.gnuName))
}

// FMAX is d = max(n, m), NaN if either is.
func (f *File) FMAX(t Arr, d, n, m V) { f.three("fmax", 0x0e20f400, t, d, n, m) }

// FMIN is d = min(n, m), NaN if either is.
func (f *File) FMIN(t Arr, d, n, m V) { f.three("fmin", 0x0ea0f400, t, d, n, m) }

// FCMGT sets the lanes of d to ones where n > m, else to zeros.
func (f *File) FCMGT(t Arr, d, n, m V) { f.three("fcmgt", 0x2ea0e400, t, d, n, m) }

// FCMGE sets the lanes of d to ones where n >= m, FCMEQ where n = m, else to zeros.
func (f *File) FCMGE(t Arr, d, n, m V) { f.three("fcmge", 0x2e20e400, t, d, n, m) }
func (f *File) FCMEQ(t Arr, d, n, m V) { f.three("fcmeq", 0x0e20e400, t, d, n, m) }

// FDIV is d = n / m.
func (f *File) FDIV(t Arr, d, n, m V) { f.three("fdiv", 0x2e20fc00, t, d, n, m) }

// FMAXV is the largest of four float32, NaN if any is.
func (f *File) FMAXV(d, n V) {
	f.word(0x6e30f800|n.bits()<<5|d.bits(), "fmaxv", fmt.Sprintf("s%d, v%d.4s", d, n))
}

// FMINV is the smallest of four float32, NaN if any is.
func (f *File) FMINV(d, n V) {
	f.word(0x6eb0f800|n.bits()<<5|d.bits(), "fminv", fmt.Sprintf("s%d, v%d.4s", d, n))
}

// FMINPScalar is the smaller of two float64, NaN if either is.
func (f *File) FMINPScalar(d, n V) {
	f.word(0x7ef0f800|n.bits()<<5|d.bits(), "fminp", fmt.Sprintf("d%d, v%d.2d", d, n))
}

// FMAXPScalar is the larger of two float64, NaN if either is.
func (f *File) FMAXPScalar(d, n V) {
	f.word(0x7e70f800|n.bits()<<5|d.bits(), "fmaxp", fmt.Sprintf("d%d, v%d.2d", d, n))
}

// FCVTL converts the lower two float32 of n to float64, FCVTL2 the upper two.
func (f *File) FCVTL(d, n V) {
	f.word(0x0e617800|n.bits()<<5|d.bits(), "fcvtl", fmt.Sprintf("v%d.2d, v%d.2s", d, n))
}

func (f *File) FCVTL2(d, n V) {
	f.word(0x4e617800|n.bits()<<5|d.bits(), "fcvtl2", fmt.Sprintf("v%d.2d, v%d.4s", d, n))
}

// FCVTN converts two float64 to float32, the lower half of d, FCVTN2 the upper, which keeps the lower.
func (f *File) FCVTN(d, n V) {
	f.word(0x0e616800|n.bits()<<5|d.bits(), "fcvtn", fmt.Sprintf("v%d.2s, v%d.2d", d, n))
}

func (f *File) FCVTN2(d, n V) {
	f.word(0x4e616800|n.bits()<<5|d.bits(), "fcvtn2", fmt.Sprintf("v%d.4s, v%d.2d", d, n))
}

// FCVTLHalf converts the lower four float16 of n to float32, FCVTL2Half the upper four; SHLL16 and SHLL216 do the same
// for bfloat16, by a shift to the upper half of 32 bits.
func (f *File) FCVTLHalf(d, n V)  { f.lengthen("fcvtl", 0x0e217800, d, n, "4h", "") }
func (f *File) FCVTL2Half(d, n V) { f.lengthen("fcvtl2", 0x4e217800, d, n, "8h", "") }
func (f *File) SHLL16(d, n V)     { f.lengthen("shll", 0x2e613800, d, n, "4h", ", #16") }
func (f *File) SHLL216(d, n V)    { f.lengthen("shll2", 0x6e613800, d, n, "8h", ", #16") }

// FCVTNHalf converts four float32 to float16, the lower half of d, FCVTN2Half the upper, which keeps the lower.
func (f *File) FCVTNHalf(d, n V) {
	f.word(0x0e216800|n.bits()<<5|d.bits(), "fcvtn", fmt.Sprintf("v%d.4h, v%d.4s", d, n))
}

func (f *File) FCVTN2Half(d, n V) {
	f.word(0x4e216800|n.bits()<<5|d.bits(), "fcvtn2", fmt.Sprintf("v%d.8h, v%d.4s", d, n))
}

func (f *File) lengthen(name string, base uint32, d, n V, from, by string) {
	f.word(base|n.bits()<<5|d.bits(), name, fmt.Sprintf("v%d.4s, v%d.%s%s", d, n, from, by))
}

// CMGT sets the lanes of d to ones where the integer n > m, CMGE where n >= m, CMLTZero where n < 0, else to zeros.
func (f *File) CMGT(t Arr, d, n, m V) { f.three("cmgt", 0x0ea03400, t, d, n, m) }
func (f *File) CMGE(t Arr, d, n, m V) { f.three("cmge", 0x0ea03c00, t, d, n, m) }

func (f *File) CMLTZero(t Arr, d, n V) {
	a := arrs[t]
	f.word(0x0ea0a800|a.bits|n.bits()<<5|d.bits(), "cmlt",
		fmt.Sprintf("v%d.%s, v%d.%s, #0", d, a.gnuName, n, a.gnuName))
}

// SMIN is d = min(n, m) of four int32, SMAX their maximum.
func (f *File) SMIN(d, n, m V) { f.ints("smin", 0x4ea06c00, d, n, m) }
func (f *File) SMAX(d, n, m V) { f.ints("smax", 0x4ea06400, d, n, m) }

// USHL is d = n shifted left by m, four integers each; by 32 or more (up to 127) leaves 0.
func (f *File) USHL(d, n, m V) { f.ints("ushl", 0x6ea04400, d, n, m) }

func (f *File) ints(name string, base uint32, d, n, m V) {
	f.word(base|m.bits()<<16|n.bits()<<5|d.bits(), name, fmt.Sprintf("v%d.4s, v%d.4s, v%d.4s", d, n, m))
}

func (f *File) three(name string, base uint32, t Arr, d, n, m V) {
	a := arrs[t]
	f.word(base|a.bits|m.bits()<<16|n.bits()<<5|d.bits(), name,
		fmt.Sprintf("v%d.%s, v%d.%s, v%d.%s", d, a.gnuName, n, a.gnuName, m, a.gnuName))
}

func (f *File) wide(name string, base uint32, halves string, d, n, m V) {
	f.word(base|m.bits()<<16|n.bits()<<5|d.bits(), name, fmt.Sprintf("v%d.4s, v%d.4s, v%d.%s", d, n, m, halves))
}

func (f *File) two(name string, base uint32, t Arr, d, n V) {
	a := arrs[t]
	f.word(base|a.bits|n.bits()<<5|d.bits(), name, fmt.Sprintf("v%d.%s, v%d.%s", d, a.gnuName, n, a.gnuName))
}

// lane encodes an instruction by element. The index is H:L (bits 11 and 21) for float32 and H for float64.
func (f *File) lane(name string, base uint32, t Arr, d, n, m V, lane int) {
	t.check(lane)
	a, i := arrs[t], uint32(lane)
	index := i>>1<<11 | i&1<<21
	if t == D2 {
		index = i << 11
	}
	f.word(base|a.bits|index|m.bits()<<16|n.bits()<<5|d.bits(), name,
		fmt.Sprintf("v%d.%s, v%d.%s, v%d.%s[%d]", d, a.gnuName, n, a.gnuName, m, a.lane, lane))
}

// word is an instruction encoded here, with what a disassembler calls it.
type word struct {
	bits uint32
	text string
}

func (f *File) word(bits uint32, name, args string) {
	w := word{bits, name + " " + args}
	f.words = append(f.words, w)
	f.Printf("\tWORD $0x%08x // %s\n", w.bits, w.text)
}
