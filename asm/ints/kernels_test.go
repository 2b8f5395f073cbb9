package ints

import (
	"math/rand/v2"
	"unsafe"
)

// args are the memory of a call: what it reads, what it writes, what it returns. Rows of x are apart elements longer
// than n. A kernel of places takes what the elements at place n/3 give for its threshold.
type args struct {
	m, n, apart int
	x, y        []byte
	dst         []int32
	ret         [2]int
}

// kernel is one kernel with its twin, which all forms must equal.
type kernel struct {
	name      string
	size      int  // bytes of an element
	rows      bool // whether it takes a matrix; m is 1 for the others
	places    bool // whether it writes places of x, and returns their number
	floats    bool // whether y has float32: these are below 2 then
	run, twin func(a *args)
}

func (a *args) ld() int { return a.n + a.apart }

// mem is the memory of x as elements of a type.
func mem[T any](x []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(x))) }

// pairOf and rowsOf are rows of the table for kernels of one type and for kernels of a matrix and a vector.

func pairOf[T any](name string, run, twin func(x, y *T, n int) int) kernel {
	call := func(f func(x, y *T, n int) int) func(a *args) {
		return func(a *args) { a.ret[0] = f(mem[T](a.x), mem[T](a.y), a.n) }
	}
	return kernel{name, int(unsafe.Sizeof(*new(T))), false, false, false, call(run), call(twin)}
}

func rowsOf[T, U any](name string, run, twin func(m, n int, x *T, ldx int, q *U, dst *int32)) kernel {
	call := func(f func(m, n int, x *T, ldx int, q *U, dst *int32)) func(a *args) {
		return func(a *args) { f(a.m, a.n, mem[T](a.x), a.ld(), mem[U](a.y), unsafe.SliceData(a.dst)) }
	}
	return kernel{name, int(unsafe.Sizeof(*new(T))), true, false, false, call(run), call(twin)}
}

var kernels = []kernel{
	pairOf("dotInt8", DotInt8, dotInt8Generic),
	pairOf("dotUint8", DotUint8, dotUint8Generic),
	pairOf("sqdistInt8", SqDistInt8, sqdistInt8Generic),
	pairOf("sqdistUint8", SqDistUint8, sqdistUint8Generic),
	pairOf("hamming", Hamming, hammingGeneric),
	{"jaccard", 8, false, false, false,
		func(a *args) { a.ret[0], a.ret[1] = Jaccard(mem[uint64](a.x), mem[uint64](a.y), a.n) },
		func(a *args) { a.ret[0], a.ret[1] = jaccardGeneric(mem[uint64](a.x), mem[uint64](a.y), a.n) }},
	rowsOf("mulvecInt8", MulVecInt8, mulvecInt8Generic),
	rowsOf("mulvecUint8", MulVecUint8, mulvecUint8Generic),
	rowsOf("mixedmulvec", MixedMulVec, mixedmulvecGeneric),
	rowsOf("hammingrows", HammingRows, hammingrowsGeneric),
	{"exceed", 4, false, true, false,
		func(a *args) { a.ret[0] = a.exceed(Exceed) }, func(a *args) { a.ret[0] = a.exceed(exceedGeneric) }},
	{"exceedLine", 4, false, true, true,
		func(a *args) { a.ret[0] = a.exceedLine(ExceedLine) },
		func(a *args) { a.ret[0] = a.exceedLine(exceedLineGeneric) }},
}

func (a *args) exceed(f func(n int, p, half *int32, least int32, idx *int32) int) int {
	p, half, least := mem[int32](a.x), mem[int32](a.y), int32(0)
	if a.n > 0 {
		least = *at(p, a.n/3) - *at(half, a.n/3)
	}
	return f(a.n, p, half, least, unsafe.SliceData(a.dst))
}

func (a *args) exceedLine(f func(n int, p *int32, z *float32, slope, floor float32, idx *int32) int) int {
	p, z, slope, floor := mem[int32](a.x), mem[float32](a.y), float32(1.5e9), float32(0)
	if a.n > 0 {
		floor = float32(*at(p, a.n/3)) - slope**at(z, a.n/3)
	}
	return f(a.n, p, z, slope, floor, unsafe.SliceData(a.dst))
}

// lengths are all up to 130 and some longer ones.
func lengths() (all []int) {
	for n := range 131 {
		all = append(all, n)
	}
	return append(all, 191, 255, 256, 257, 383, 511, 512, 513, 640, 1000, 1023)
}

// fills are ways to fill bytes: any, and those whose products are the largest of all kinds.
var fills = []struct {
	name string
	fill func(x []byte, r *rand.Rand)
}{
	{"any", func(x []byte, r *rand.Rand) {
		for i := range x {
			x[i] = byte(r.Uint32())
		}
	}},
	{"extreme", func(x []byte, r *rand.Rand) {
		for i := range x {
			x[i] = [...]byte{0, 1, 0x7f, 0x80, 0x81, 0xff}[r.IntN(6)]
		}
	}},
	{"-128", func(x []byte, _ *rand.Rand) { fill(x, 0x80) }},
	{"255", func(x []byte, _ *rand.Rand) { fill(x, 0xff) }},
}

func fill(x []byte, v byte) {
	for i := range x {
		x[i] = v
	}
}

// draw makes the arguments of k.
func (k kernel) draw(m, n, apart int, r *rand.Rand, filled func(x []byte, r *rand.Rand)) *args {
	a := &args{m: m, n: n, apart: apart}
	if m > 0 && n > 0 {
		a.x = make([]byte, ((m-1)*a.ld()+n)*k.size)
	}
	a.y = make([]byte, n*k.size)
	if k.rows {
		a.dst = make([]int32, m)
	} else if k.places {
		a.dst = make([]int32, n)
	}
	filled(a.x, r)
	filled(a.y, r)
	for i := 3; k.floats && i < len(a.y); i += 4 {
		a.x[i], a.y[i] = a.x[i]&^0x40, a.y[i]&^0x40 // the upper bit of an exponent; y may become x
	}
	return a
}
