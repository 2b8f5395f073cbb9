package pq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/dualgap/dualgap/internal/prove"
)

// args are the memory of a call: what it reads, what it writes, what it returns.
type args struct {
	size  [3]int       // sizes, in the order of the kernel's parameters
	apart int          // ldx or stride, beyond the least
	in    [2][]float32 // float arguments
	codes [2][]byte    // byte arguments that are read
	f     []float32    // results
	b     []byte
	w     []uint16
	i     []uint32
	ret   uint64
}

// kernel is one kernel with its twin, which all tiers must equal bit by bit.
type kernel struct {
	name      string
	shapes    [][3]int
	place     func(a *args, r *rand.Rand, draw func(int) float32) // makes the arguments
	run, twin func(a *args)
}

func floats(n int, draw func(int) float32) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = draw(i)
	}
	return x
}

func bytes(n int, r *rand.Rand, below int) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = byte(r.IntN(below))
	}
	return x
}

func at[T any](s []T) *T {
	if len(s) == 0 {
		return nil
	}
	return &s[0]
}

// cross returns all combinations.
func cross(a, b, c []int) (all [][3]int) {
	for _, i := range a {
		for _, j := range b {
			for _, k := range c {
				all = append(all, [3]int{i, j, k})
			}
		}
	}
	return all
}

func upTo(n int) (all []int) {
	for i := range n + 1 {
		all = append(all, i)
	}
	return all
}

var one = []int{0}

var kernels = []kernel{
	{
		name:   "pack",
		shapes: append(cross([]int{0, 1, 2, 5}, upTo(37), one), [3]int{1, 130, 0}),
		place: func(a *args, r *rand.Rand, draw func(int) float32) {
			blocks, dsub := a.size[0], a.size[1]
			n := 0
			if blocks > 0 && dsub > 0 {
				n = (blocks*Lanes-1)*(dsub+a.apart) + dsub
			}
			a.in[0], a.f = floats(n, draw), make([]float32, blocks*dsub*Lanes)
		},
		run:  func(a *args) { Pack(a.size[0], a.size[1], at(a.in[0]), a.size[1]+a.apart, at(a.f)) },
		twin: func(a *args) { packGeneric(a.size[0], a.size[1], at(a.in[0]), a.size[1]+a.apart, at(a.f)) },
	},
	{
		name: "assign",
		shapes: append(cross([]int{0, 1, 3}, []int{1, 2, 3, 4, 5, 8, 16, 33}, []int{8, 16, 24, 256}),
			[3]int{2, 130, 16}),
		place: func(a *args, r *rand.Rand, draw func(int) float32) {
			blocks, dsub, ksub := a.size[0], a.size[1], a.size[2]
			a.in[0], a.in[1] = floats(blocks*dsub*Lanes, draw), floats(dsub*ksub, draw)
			a.f = make([]float32, blocks*Lanes)
			if blocks > 0 {
				a.b = make([]byte, (blocks*Lanes-1)*(1+a.apart)+1)
			}
		},
		run: func(a *args) {
			a.ret = uint64(Assign(a.size[0], a.size[1], a.size[2], at(a.in[0]), at(a.in[1]), at(a.b), 1+a.apart,
				at(a.f)))
		},
		twin: func(a *args) {
			a.ret = uint64(assignGeneric(a.size[0], a.size[1], a.size[2], at(a.in[0]), at(a.in[1]), at(a.b), 1+a.apart,
				at(a.f)))
		},
	},
	tableKernel("tableL2", TableL2, tableL2Generic),
	tableKernel("tableIP", TableIP, tableIPGeneric),
	{
		name:   "scan",
		shapes: cross([]int{0, 1, 2, 7, 40}, append(upTo(19), 64), one),
		place: func(a *args, r *rand.Rand, draw func(int) float32) {
			n, m := a.size[0], a.size[1]
			a.in[0], a.codes[0], a.f = floats(m*256, draw), bytes(n*m, r, 256), make([]float32, n)
		},
		run:  func(a *args) { Scan(a.size[0], a.size[1], at(a.in[0]), at(a.codes[0]), at(a.f)) },
		twin: func(a *args) { scanGeneric(a.size[0], a.size[1], at(a.in[0]), at(a.codes[0]), at(a.f)) },
	},
	{
		name:   "scan8",
		shapes: cross(upTo(3), append(upTo(5), 16, 257), one),
		place: func(a *args, r *rand.Rand, _ func(int) float32) {
			blocks, m := a.size[0], a.size[1]
			a.codes[0], a.codes[1], a.w = bytes(m*256, r, 256), bytes(blocks*m*Block, r, 256),
				make([]uint16, blocks*Block)
			if m == 257 {
				fill(a.codes[0], 255) // the largest sum that fits
			}
		},
		run:  func(a *args) { Scan8(a.size[0], a.size[1], at(a.codes[0]), at(a.codes[1]), at(a.w)) },
		twin: func(a *args) { scan8Generic(a.size[0], a.size[1], at(a.codes[0]), at(a.codes[1]), at(a.w)) },
	},
	{
		name:   "scan4",
		shapes: cross(upTo(3), append(upTo(5), 16, 258), one),
		place: func(a *args, r *rand.Rand, _ func(int) float32) {
			blocks, pairs := a.size[0], a.size[1]
			a.codes[0], a.codes[1], a.w = bytes(pairs*32, r, 128), bytes(blocks*pairs*Block, r, 256),
				make([]uint16, blocks*Block)
			if pairs == 258 {
				fill(a.codes[0], 127)
			}
		},
		run:  func(a *args) { Scan4(a.size[0], a.size[1], at(a.codes[0]), at(a.codes[1]), at(a.w)) },
		twin: func(a *args) { scan4Generic(a.size[0], a.size[1], at(a.codes[0]), at(a.codes[1]), at(a.w)) },
	},
	{
		name:   "quantize",
		shapes: cross([]int{0, 16, 32, 48, 256}, []int{1, 127, 255}, one),
		place: func(a *args, r *rand.Rand, _ func(int) float32) {
			a.in[0], a.b = floats(a.size[0], func(int) float32 { return 3 + 300*r.Float32() }), make([]byte, a.size[0])
			if a.size[0] > 0 {
				a.in[0][0] = 3
			}
			a.apart = 0
		},
		run: func(a *args) {
			Quantize(a.size[0], at(a.in[0]), 3, 0.9, uint32(a.size[1]), at(a.b))
			Quantize(a.size[0]/32*16, at(a.in[0]), 303, -0.9, uint32(a.size[1]), at(a.b))
		},
		twin: func(a *args) {
			quantizeGeneric(a.size[0], at(a.in[0]), 3, 0.9, uint32(a.size[1]), at(a.b))
			quantizeGeneric(a.size[0]/32*16, at(a.in[0]), 303, -0.9, uint32(a.size[1]), at(a.b))
		},
	},
	{
		name:   "below",
		shapes: cross(append(upTo(140), 1000), []int{0, 5, 500, math.MaxUint16}, one),
		place: func(a *args, r *rand.Rand, _ func(int) float32) {
			a.codes[0] = bytes(2*a.size[0], r, 4) // words, little-endian or not: small ones and large ones
			a.i = make([]uint32, a.size[0])
		},
		run:  func(a *args) { a.ret = uint64(Below(a.size[0], words(a.codes[0]), uint32(a.size[1]), at(a.i))) },
		twin: func(a *args) { a.ret = uint64(belowGeneric(a.size[0], words(a.codes[0]), uint32(a.size[1]), at(a.i))) },
	},
	levelsKernel(8, Levels8, levels8Generic),
	levelsKernel(4, Levels4, levels4Generic),
	nibblesKernel(Nibbles, nibblesGeneric),
	{
		name:   "withintails",
		shapes: cross([]int{0, 16, 32, 48, 240, 256}, []int{0, 7, 1 << 20}, []int{0, 1, 2, MaxTails}),
		place: func(a *args, r *rand.Rand, draw func(int) float32) {
			n, tails := a.size[0], a.size[2]
			a.codes[0], a.in[1], a.i = bytes(4*n, r, 256), floats(10+MaxTails, draw), make([]uint32, n)
			for i := range n { // of some thousands
				a.codes[0][4*i+2], a.codes[0][4*i+3] = byte(-int(a.codes[0][4*i+2]&1)), byte(-int(a.codes[0][4*i+2]&1))
			}
			if n > 0 { // kept, slopes, tails
				a.in[0] = floats((4+max(tails, 1)-1)*Block+n, draw)
			}
			if r.IntN(2) == 0 { // a limit that is one
				for i, v := range []float32{2, 1e-4, 1, 3, 0.2, 0.5, 1, 1e-30, 3, 0.1} {
					a.in[1][i] = v * (0.5 + r.Float32())
				}
			}
		},
		run:  func(a *args) { withTails(WithinTails, a) },
		twin: func(a *args) { withTails(withintailsGeneric, a) },
	},
	{
		name:   "within",
		shapes: cross([]int{0, 16, 32, 48, 240, 256}, []int{0, 7, 1 << 20}, one),
		place: func(a *args, r *rand.Rand, draw func(int) float32) {
			a.codes[0], a.in[1], a.i = bytes(2*a.size[0], r, 256), floats(9, draw), make([]uint32, a.size[0])
			if a.size[0] > 0 {
				a.in[0] = floats(3*Block+a.size[0], draw)
			}
			if r.IntN(2) == 0 { // a limit that is one
				for i, v := range []float32{2, 1e-4, 1, 3, 0.2, 0.5, 1, 1e-30, 3} {
					a.in[1][i] = v * (0.5 + r.Float32())
				}
			}
		},
		run: func(a *args) {
			a.ret = uint64(Within(a.size[0], words(a.codes[0]), at(a.in[0]), at(a.in[1]), uint32(a.size[1]), at(a.i)))
		},
		twin: func(a *args) {
			a.ret = uint64(withinGeneric(a.size[0], words(a.codes[0]), at(a.in[0]), at(a.in[1]), uint32(a.size[1]),
				at(a.i)))
		},
	},
}

type levelsFunc = func(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32)

// levelsKernel is a row for levels of some bits. Sums begin with numbers that are there, or with 0.
func levelsKernel(width int, run, twin levelsFunc) kernel {
	call := func(f levelsFunc) func(a *args) {
		return func(a *args) {
			n := a.size[0]
			for i := range a.i {
				a.i[i] = uint32(7 * i * i) // what is there before
			}
			f(n, a.size[1], at(a.codes[0]), mem[int8](a.codes[1]), uint(a.size[2]), mem[int32](a.i))
			a.ret = uint64(len(a.i))
		}
	}
	return kernel{
		name:   fmt.Sprintf("levels%d", width),
		shapes: append(cross([]int{0, 16, 32, 112, 128, 144, 240, 256}, upTo(4), []int{0, 8, 32}), [3]int{256, 70, 32}),
		place: func(a *args, r *rand.Rand, _ func(int) float32) {
			n, groups := a.size[0], a.size[1]
			a.codes[1], a.i = bytes(groups*32/width, r, 256), make([]uint32, n)
			if n > 0 && groups > 0 {
				a.codes[0] = bytes(((groups-1)*Block+n)*4, r, 256)
			}
			if r.IntN(3) == 0 { // the largest products, of levels as they are or less 128
				fill(a.codes[0], byte(255*r.IntN(2)))
				fill(a.codes[1], byte(127+r.IntN(2)))
			}
		},
		run: call(run), twin: call(twin),
	}
}

type nibblesFunc = func(n, groups int, codes, tables *uint8, shift uint, dst *int32)

// nibblesKernel is levelsKernel for tables. The long codes have more groups than sums of 16 bits can hold.
func nibblesKernel(run, twin nibblesFunc) kernel {
	call := func(f nibblesFunc) levelsFunc {
		return func(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
			f(n, groups, codes, (*uint8)(unsafe.Pointer(weights)), shift, dst)
		}
	}
	k := levelsKernel(1, call(run), call(twin))
	k.name = "nibbles"
	k.place = func(a *args, r *rand.Rand, _ func(int) float32) {
		n, groups := a.size[0], a.size[1]
		a.codes[1], a.i = bytes(groups*128, r, 256), make([]uint32, n)
		if n > 0 && groups > 0 {
			a.codes[0] = bytes(((groups-1)*Block+n)*4, r, 256)
		}
		if r.IntN(3) == 0 { // the largest sums
			fill(a.codes[1], 255)
		}
	}
	return k
}

func mem[T, U any](x []U) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(x))) }

func tableKernel(name string, run, twin func(dsub, ksub int, q, ct, dst *float32)) kernel {
	call := func(f func(dsub, ksub int, q, ct, dst *float32)) func(a *args) {
		return func(a *args) { f(a.size[0], a.size[1], at(a.in[0]), at(a.in[1]), at(a.f)) }
	}
	return kernel{
		name:   name,
		shapes: append(cross(upTo(20), []int{16, 32, 144, 256}, one), [3]int{130, 256, 0}),
		place: func(a *args, r *rand.Rand, draw func(int) float32) {
			a.in[0], a.in[1], a.f = floats(a.size[0], draw), floats(a.size[0]*a.size[1], draw),
				make([]float32, a.size[1])
		},
		run: call(run), twin: call(twin),
	}
}

// withTails calls f with memory in which kept, slopes and tails follow one another.
func withTails(f func(n int, s *int32, kept, slope, tail *float32, tails int, limit *float32, first uint32,
	dst *uint32) int, a *args) {
	var slope, tail *float32
	if len(a.in[0]) > 0 {
		slope, tail = &a.in[0][3*Block], &a.in[0][min(4*Block, len(a.in[0])-1)]
	}
	a.ret = uint64(f(a.size[0], mem[int32](a.codes[0]), at(a.in[0]), slope, tail, a.size[2], at(a.in[1]),
		uint32(a.size[1]), at(a.i)))
}

func fill[T any](s []T, v T) {
	for i := range s {
		s[i] = v
	}
}

// draws are ways to draw numbers: integers whose distances tie, numbers that round, and numbers of all kinds.
func draws(r *rand.Rand) map[string]func(int) float32 {
	all := map[string]func(int) float32{
		"integers": func(int) float32 { return float32(r.IntN(5) - 2) },
		"any":      func(int) float32 { return anyFloat(r) },
	}
	for _, kind := range prove.Kinds {
		all[kind] = prove.Draw[float32](kind, r)
	}
	return all
}

// anyFloat draws among all bits but the bits of NaN, whose payloads nobody promises.
func anyFloat(r *rand.Rand) float32 {
	for {
		if v := math.Float32frombits(r.Uint32()); v == v {
			return v
		}
	}
}
