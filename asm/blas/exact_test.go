package blas

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// lengths are those at which kernels take another path: every one up to several vectors, and around the blocks of long
// vectors. The last ones are left out by -short.
func lengths() (n []int) {
	for i := range 131 {
		n = append(n, i)
	}
	n = append(n, 159, 191, 192, 193, 255, 256, 257, 271, 300)
	if !testing.Short() {
		n = append(n, 511, 512, 513, 1000, 1023, 4096+7, 65537)
	}
	return n
}

// visits reports whether a test takes the place i of the length n: with -short a third of the places of lengths from 41
// to 127, and if prove.Quick a fifth of the places of all.
func visits(n, i int) bool {
	if prove.Quick() {
		return prove.Visits(n, i, 5)
	}
	return !testing.Short() || n <= 40 || n >= 128 || i%5 == n%5
}

// TestVectorsExact: sums of small integers have one result in every order; a missing, doubled or foreign element
// changes it for certain. All alignments of x and y against each other, identical arguments, poison around.
func TestVectorsExact(t *testing.T) { prove.Both(t, vectorsExact[float32], vectorsExact[float64]) }

func vectorsExact[T float](t *testing.T) {
	r := prove.Rand(1)
	from := source[T]{prove.Odd[T](r), prove.Even[T](r), prove.Odd[T](r)}
	for _, k := range kernels[T]() {
		if k.matrix {
			continue
		}
		var s scene[T]
		for _, n := range lengths() {
			for i := range 16 {
				if !visits(n, i) {
					continue
				}
				s.c.alpha = []T{2, -1, 0.5, -3}[i%4]
				at := layout{x: i, y: (7*i + n) % 16}
				s.place(k, 1, n, at, from, false)
				s.check(t)
				if k.y != none {
					s.place(k, 1, n, at, from, true)
					s.check(t)
				}
			}
		}
	}
}

// TestSplitStores: where the CPU splits wide stores some entries leave a tier for a lower one.
func TestSplitStores(t *testing.T) { prove.Both(t, splitStores[float32], splitStores[float64]) }

func splitStores[T float](t *testing.T) {
	defer func(old bool) { cpu.SplitStores = old }(cpu.SplitStores)
	defer cpu.Set(cpu.Level)
	odd := prove.Odd[T](prove.Rand(11))
	for _, k := range kernels[T]() {
		var s scene[T]
		for n := range 70 {
			s.c.alpha, s.c.beta = 2, 1
			s.place(k, 9, n, layout{}, source[T]{odd, odd, odd}, false)
			s.expect()
			for _, tier := range cpu.Tiers() {
				for _, cpu.SplitStores = range []bool{false, true} {
					cpu.Set(tier)
					s.checkOne(t, tier)
				}
			}
		}
	}
}

// TestOverlappingInputs: arguments that are only read may overlap in any way.
func TestOverlappingInputs(t *testing.T) {
	prove.Both(t, overlappingInputs[float32], overlappingInputs[float64])
}

func overlappingInputs[T float](t *testing.T) {
	odd := prove.Odd[T](prove.Rand(9))
	for _, k := range kernels[T]() {
		if k.y == none || k.out != returned {
			continue
		}
		var s scene[T]
		for n := range 70 {
			for shift := range 20 {
				s.place(k, 1, n+shift, layout{}, source[T]{x: odd, y: odd}, true)
				s.c.n, s.c.x, s.c.y = n, s.c.x[:n], s.c.x[shift:]
				s.check(t)
			}
		}
	}
}

// shapes calls f with sizes of matrices: all remainders of rows and of columns, and every variant for narrow matrices,
// which hold a row of up to 28 vectors of 32 bytes in registers, and what remains beside.
func shapes(f func(m, n int)) {
	rows, cols, step := 40, 140, 1
	if testing.Short() {
		rows, cols, step = 17, 36, 3
	}
	for m := 0; m <= rows; m++ {
		for n := 0; n <= cols; n++ {
			f(m, n)
		}
	}
	for _, m := range []int{0, 1, 2, 3, 8, 13} {
		for n := cols + 1; n <= 231; n += step {
			f(m, n)
		}
		for _, n := range []int{256, 301, 515} {
			f(m, n)
		}
	}
	f(131, 7)
	f(300, 67)
	if !testing.Short() {
		f(1027, 133)
		f(37, 4099)
	}
}

// TestMatricesExact is TestVectorsExact for matrices, with NaN between their rows. With beta = 0 all of y is NaN
// before.
func TestMatricesExact(t *testing.T) { prove.Both(t, matricesExact[float32], matricesExact[float64]) }

func matricesExact[T float](t *testing.T) {
	for _, k := range kernels[T]() {
		if !k.matrix {
			continue
		}
		r := prove.Rand(2)
		even, odd := prove.Even[T](r), prove.Odd[T](r)
		nan := func(int) T { return -prove.Poison[T]() }
		var s scene[T]
		shapes(func(m, n int) {
			for b, beta := range []T{0, 1, -2} {
				from := source[T]{odd, even, even}
				s.c.alpha, s.c.beta = []T{1, -1, 0.5, 3}[r.IntN(4)], beta
				switch {
				case !k.beta && beta != 0, k.beta && !prove.Visits(m+n, b, 3):
					continue
				case k.beta && beta == 0:
					from.y = nan
				}
				at := layout{x: r.IntN(16), y: r.IntN(16), a: r.IntN(16), gap: []int{0, 1, 3, 7, 16, 21}[r.IntN(6)]}
				s.place(k, m, n, at, from, false)
				s.check(t)
			}
		})
	}
}

// TestTallNarrowExact: matrices of up to 17 columns without gaps, tall enough for kernels that read them as one vector:
// a period of 16 rows at most, of which they want four, and all remainders.
func TestTallNarrowExact(t *testing.T) {
	prove.Both(t, tallNarrowExact[float32], tallNarrowExact[float64])
}

func tallNarrowExact[T float](t *testing.T) {
	for _, k := range kernels[T]() {
		if !k.matrix {
			continue
		}
		r := prove.Rand(12)
		even, odd := prove.Even[T](r), prove.Odd[T](r)
		var s scene[T]
		for n := 1; n <= 17; n++ {
			for m := 7; m <= 84; m++ {
				if testing.Short() && m%8 > 2 {
					continue
				}
				s.c.alpha, s.c.beta = []T{1, -1, 0.5, 3}[r.IntN(4)], T(r.IntN(3)-1)
				s.place(k, m, n, layout{x: r.IntN(16), y: r.IntN(16), a: r.IntN(16), gap: m / 80},
					source[T]{odd, even, even}, false)
				s.check(t)
			}
		}
	}
}

// TestDenormalsExact: integers times the smallest denormal, where any flush to zero shows.
func TestDenormalsExact(t *testing.T) {
	prove.Both(t, denormalsExact[float32], denormalsExact[float64])
}

func denormalsExact[T float](t *testing.T) {
	r := prove.Rand(3)
	odd, even := prove.Odd[T](r), prove.Even[T](r)
	tiny := func(f func(int) T) func(int) T { return func(i int) T { return f(i) * prove.Tiny[T]() } }
	root := func(f func(int) T) func(int) T { return func(i int) T { return f(i) * rootTiny[T]() } }
	for _, k := range kernels[T]() {
		from := map[string]source[T]{
			"sqdist": {x: root(odd), y: root(even)},
			"sqnorm": {x: root(odd)},
			"axpy":   {x: tiny(odd), y: tiny(even)},
			"gemv":   {x: odd, y: tiny(even), a: tiny(odd)},
			"gemvt":  {x: odd, y: tiny(even), a: tiny(odd)},
			"ger":    {x: odd, y: tiny(even), a: tiny(odd)},
		}[k.name]
		if from.x == nil { // dot, sum, abssum, scal
			from = source[T]{x: tiny(odd), y: even}
		}
		var s scene[T]
		for n := range 140 {
			s.c.alpha, s.c.beta = -3, 2
			s.place(k, 1+n%11, n, layout{x: n, y: n / 2 % 16, gap: n % 3}, from, false)
			s.check(t)
		}
	}
}

// rootTiny is a power of two whose square is a denormal of few bits.
func rootTiny[T float]() T {
	return prove.Pick[T, T](float32(0x1p-74), float64(0x1p-537))
}
