package math

import (
	"math"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
)

// row is a function that makes a row of a kernel matrix, for some parameters; the tests are loops over a table of them.
type row[T float] struct {
	name string
	run  func(v, nz, y []T, near []int32) int

	// want is what becomes of y, on the tier in use, and whether the place is near.
	want func(v, nz, y T) (T, bool)
}

func rowKernels[T float]() (
	gaussian func(nx, alpha T, v, nz, y *T, n int, near *int32) int,
	gaussianAdd func(nx, alpha, weight T, v, nz, y *T, n int, near *int32) int,
	power func(scale, offset T, degree int, v, y *T, n int),
	powerAdd func(scale, offset, weight T, degree int, v, y *T, n int),
) {
	gauss := prove.Pick[T, func(nx, alpha, weight T, v, nz, y *T, n int, near *int32, add int) int](
		GaussianF32, GaussianF64)
	pow := prove.Pick[T, func(scale, offset, weight T, degree int, v, y *T, n, add int)](PowerF32, PowerF64)
	unused := T(math.NaN()) // the weight of what is not added
	gaussian = func(nx, alpha T, v, nz, y *T, n int, near *int32) int {
		return gauss(nx, alpha, unused, v, nz, y, n, near, 0)
	}
	gaussianAdd = func(nx, alpha, weight T, v, nz, y *T, n int, near *int32) int {
		return gauss(nx, alpha, weight, v, nz, y, n, near, 1)
	}
	power = func(scale, offset T, degree int, v, y *T, n int) { pow(scale, offset, unused, degree, v, y, n, 0) }
	powerAdd = func(scale, offset, weight T, degree int, v, y *T, n int) {
		pow(scale, offset, weight, degree, v, y, n, 1)
	}
	return
}

func rows[T float]() (all []row[T]) {
	gaussian, gaussianAdd, pow, powAdd := rowKernels[T]()
	expScaled := prove.Pick[T, func(alpha T, x, y *T, n int)](ExpScaledF32, ExpScaledF64)
	value := func(nx, alpha, v, nz T) (e T, near bool) {
		d, near := difference(nx, nz, v)
		if !near {
			expScaled(alpha, &d, &e, 1)
		}
		return e, near
	}
	for _, p := range []struct{ nx, alpha, weight T }{
		{3, -0.37, 0.75}, {0, -1e-3, -2}, {1e-3, -3e7, 1}, {3, 0, 0}, {-5, 1, 1},
		{T(math.Inf(1)), -1, 1}, {T(math.NaN()), -1, 1},
	} {
		all = append(all, row[T]{
			name: "gaussian",
			run: func(v, nz, y []T, near []int32) int {
				return gaussian(p.nx, p.alpha, ptr(v), ptr(nz), ptr(y), len(v), &near[0])
			},
			want: func(v, nz, _ T) (T, bool) { return value(p.nx, p.alpha, v, nz) },
		}, row[T]{
			name: "gaussianadd",
			run: func(v, nz, y []T, near []int32) int {
				return gaussianAdd(p.nx, p.alpha, p.weight, ptr(v), ptr(nz), ptr(y), len(v), &near[0])
			},
			want: func(v, nz, y T) (T, bool) {
				e, near := value(p.nx, p.alpha, v, nz)
				return y + T(p.weight*e), near
			},
		})
	}
	for _, degree := range []int{1, 2, 3, 4, 5, 12, 63, math.MaxInt} {
		scale, offset, weight := T(0.3), T(-1.25), T(degree%7)-2.5
		all = append(all, row[T]{
			name: "power",
			run: func(v, _, y []T, _ []int32) int {
				pow(scale, offset, degree, ptr(v), ptr(y), len(v))
				return 0
			},
			want: func(v, _, _ T) (T, bool) { return power(T(scale*v)+offset, degree), false },
		}, row[T]{
			name: "poweradd",
			run: func(v, _, y []T, _ []int32) int {
				powAdd(scale, offset, weight, degree, ptr(v), ptr(y), len(v))
				return 0
			},
			want: func(v, _, y T) (T, bool) { return y + T(weight*power(T(scale*v)+offset, degree)), false },
		})
	}
	return all
}

// products draws an inner product and a norm, for |x|² = 3: one pair of rare is near, within a few bits of that, or
// has a number of a kind of its own; with rare = 0 none.
func products[T float](seed uint64, rare int) func() (v, nz T) {
	r := prove.Rand(seed)
	special := []T{0, T(math.Copysign(0, -1)), 1, -1, prove.Tiny[T](), prove.Max[T](), -prove.Max[T](),
		prove.Max[T]() / 2, T(math.Inf(1)), T(math.Inf(-1)), T(math.NaN())}
	return func() (v, nz T) {
		nz = T(8 * r.Float64())
		v = (3 + nz) * T(0.8*r.Float64()-0.4)
		if rare == 0 || r.IntN(rare) > 0 {
			return v, nz
		}
		switch r.IntN(4) {
		case 0:
			v = special[r.IntN(len(special))]
		case 1:
			nz = special[r.IntN(len(special))]
		case 2:
			v = neighbours((3 + nz) * (15. / 32))[r.IntN(5)]
		case 3:
			v = (3 + nz) / 2
		}
		return v, nz
	}
}

// drawn are n pairs.
func drawn[T float](n int, draw func() (v, nz T)) (v, nz []T) {
	v, nz = make([]T, n), make([]T, n)
	for j := range v {
		v[j], nz[j] = draw()
	}
	return v, nz
}

// TestRows: all lengths and alignments, y apart from v and the same, poison around. Each value depends on its operands
// alone, to the last bit, and is the value of ExpScaled and of the twin; near places come in order.
func TestRows(t *testing.T) { prove.Both(t, testRows[float32], testRows[float64]) }

func testRows[T float](t *testing.T) {
	const sentinel = -77
	var v, nz, y prove.Memory[T]
	near, want := make([]int32, 5000), make([]int32, 0, 5000)
	finite := prove.Draw[T]("uniform", prove.Rand(5))
	for i, k := range rows[T]() {
		for _, n := range lengths() {
			for at := range 16 {
				if n > 40 && at%5 != n%5 || testing.Short() && at%3 != n%3 || n <= 40 && !prove.Visits(n, at/3, 4) {
					continue
				}
				vs, nzs := drawn(n, products[T](uint64(n+i), []int{0, 50, 4}[(n+at)%3]))
				v.Place(at, 1, n, n, func(j int) T { return vs[j] })
				nz.Place((5*at+n)%16, 1, n, n, func(j int) T { return nzs[j] })
				y.Place((7*at+n)%16, 1, n, n, finite)
				prove.Tiers(func(tier cpu.Tier) {
					for _, out := range []*prove.Memory[T]{&y, &v} {
						for _, m := range []*prove.Memory[T]{&v, &nz, &y} {
							m.Reset()
							copy(m.Want(), m.Data)
						}
						want = want[:0]
						for j := range out.Want() {
							e, isNear := k.want(v.Data[j], nz.Data[j], out.Data[j])
							out.Want()[j] = e
							if isNear {
								want = append(want, int32(j))
							}
						}
						for j := range near {
							near[j] = sentinel
						}
						got := k.run(v.Data, nz.Data, out.Data, near)
						if got != len(want) || !slices.Equal(near[:got], want) {
							t.Fatalf("%s on %v, n=%d, case %d: %d near, %v, want %v",
								k.name, tier, n, i, got, near[:n], want)
						}
						if j := slices.IndexFunc(near[n:], func(p int32) bool { return p != sentinel }); j >= 0 {
							t.Fatalf("%s on %v, n=%d, case %d: near[%d] is written", k.name, tier, n, i, n+j)
						}
						for _, m := range []*prove.Memory[T]{&v, &nz, &y} {
							if err := m.Diff(false); err != nil {
								t.Fatalf("%s on %v, n=%d, case %d, in place %v: %v", k.name, tier, n, i, out == &v, err)
							}
						}
					}
				})
			}
		}
	}
}
