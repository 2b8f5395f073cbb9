package half

import (
	"math"
	"os"
	"testing"

	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// lengths are all up to 130, and some around multiples of what loops take at once.
func lengths() (n []int) {
	for i := range 131 {
		n = append(n, i)
	}
	return append(n, 255, 256, 257, 287, 384, 511, 513, 768, 1000, 1536, 2047, 4099)
}

// eachScene calls f with every kernel on every length, at one place after the other.
func eachScene(draw func(i int) float32, f func(s *scene)) {
	for i := range kernels {
		for j, n := range lengths() {
			if prove.Visits(j, i, 4) {
				m := (j + 5*i) % 20
				if n > 300 { // a group of rows and two alone
					m = 10
				}
				f(kernels[i].place(m, n, j*11+i, draw))
			}
		}
	}
}

// TestExact: small integers have one sum in every order, so that a missing or foreign element shows for certain.
func TestExact(t *testing.T) {
	odd := prove.Odd[float32](prove.Rand(1))
	eachScene(odd, func(s *scene) {
		want := s.k.expect(s, false)
		prove.Forms(func(form string) {
			if err := s.run(); err != nil {
				t.Fatalf("%s %v: %v", form, s, err)
			}
			for i, got := range s.results {
				if float64(got) != want[i].exact {
					t.Fatalf("%s %v: result %d is %v, want %v", form, s, i, got, want[i].exact)
				}
			}
		})
	})
}

// TestPlaces: each alignment of both arguments.
func TestPlaces(t *testing.T) {
	odd := prove.Odd[float32](prove.Rand(2))
	for i := range kernels {
		for at := range 32 * 3 {
			if !prove.Visits(i, at, 8) {
				continue
			}
			s := kernels[i].place(9, 60+at, at, odd)
			prove.Forms(func(form string) {
				err := s.run()
				if err == nil {
					err = s.check()
				}
				if err != nil {
					t.Fatalf("%s %v, place %d: %v", form, s, at, err)
				}
			})
		}
	}
}

// TestRounding: sums that round, of numbers of one size and of many, that add up and that cancel, and denormal.
func TestRounding(t *testing.T) {
	for _, kind := range prove.Kinds {
		eachScene(prove.Draw[float32](kind, prove.Rand(3)), func(s *scene) {
			prove.Forms(func(form string) {
				err := s.run()
				if err == nil {
					err = s.check()
				}
				if err != nil {
					t.Fatalf("%s %s %v: %v", form, kind, s, err)
				}
			})
		})
	}
}

// TestDenormal: each form but the ones by VDPBF16PS keeps denormal factors: their products with 2⁶⁰ add up exactly.
func TestDenormal(t *testing.T) {
	for i := range kernels {
		k := &kernels[i]
		small := float32(math.Ldexp(3, 1-k.format.bias-k.format.fraction))
		large := map[int]float32{7: 0x1p60, 10: 4}[k.format.fraction]
		x, y := k.format.place(0, 1, 100, 0, func(int) float32 { return small }),
			k.format.place(0, 1, 100, 0, func(int) float32 { return large })
		prove.Forms(func(form string) {
			if k.pair == nil || len(k.pair(&x.Data[0], &y.Data[0], 100)) > 1 || k.name[:2] == "Sq" {
				return
			}
			want := 100 * small * large
			if usesDP() && k.dp {
				want = 0
			}
			if got := k.pair(&x.Data[0], &y.Data[0], 100)[0]; got != want {
				t.Errorf("%s %s: %v, want %v", form, k.name, got, want)
			}
		})
	}
}

// TestSpecial: a NaN, infinities, zeros of both signs, large and denormal numbers among ordinary ones.
func TestSpecial(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, special := range [][]float32{{nan}, {inf}, {-inf}, {inf, -inf}, {inf, 0}, {0, float32(math.Copysign(0, -1))},
		{inf, 1e-40}, {1e-40, 1e-39}, {65504, 3e38}} {
		r := prove.Rand(4)
		draw := func(i int) float32 {
			if r.IntN(9) == 0 {
				return special[r.IntN(len(special))]
			}
			return float32(r.IntN(5) + 1)
		}
		for i := range kernels {
			for n := 1; n < 150; n += 1 + n/9 {
				s := kernels[i].place(n%19, n, 3*n, draw)
				prove.Forms(func(form string) {
					err := s.run()
					if err == nil {
						err = s.check()
					}
					if err != nil {
						t.Fatalf("%s %v of %v: %v", form, s, special, err)
					}
				})
			}
		}
	}
}

// TestZero: no terms, or zeros alone, are a zero, and no rows write nothing.
func TestZero(t *testing.T) {
	for i := range kernels {
		for n := range 40 {
			s := kernels[i].place(5, n, n, func(int) float32 { return 0 })
			prove.Forms(func(form string) {
				if err := s.run(); err != nil {
					t.Fatalf("%s %v: %v", form, s, err)
				}
				for _, got := range s.results {
					if math.Float32bits(got) != 0 {
						t.Fatalf("%s %v: %v, want 0", form, s, got)
					}
				}
			})
		}
		s := kernels[i].place(0, 9, 0, func(int) float32 { return 1 })
		prove.Forms(func(form string) {
			if err := s.run(); err != nil {
				t.Fatalf("%s %v: %v", form, s, err)
			}
		})
	}
}

// TestGuardPages: every argument directly behind a page without rights and directly before one, and what is only read
// without the right to write.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads whole vectors for masked loads: it faults where a CPU does not")
	}
	a, x, y := guard.New(t, 1<<16), guard.New(t, 1<<13), guard.New(t, 1<<13)
	a.Fill(0)
	x.Fill(0)
	a.ReadOnly(t, true)
	x.ReadOnly(t, true)
	for i := range kernels {
		k := &kernels[i]
		for n := range 140 {
			m := n%19 + 1
			if k.pair != nil {
				m = 1
			}
			for _, tail := range []bool{false, true} {
				as, xs, fs, ys := guard.Head[uint16](a, m*n), guard.Head[uint16](x, n), guard.Head[float32](x, n),
					guard.Head[float32](y, m)
				if tail {
					as, xs, fs, ys = guard.Tail[uint16](a, m*n), guard.Tail[uint16](x, n), guard.Tail[float32](x, n),
						guard.Tail[float32](y, m)
				}
				pa, px, pf := ptr(as), ptr(xs), ptr(fs)
				prove.Forms(func(form string) {
					if addr, bad := guard.Fault(func() {
						switch {
						case k.pair != nil:
							k.pair(pa, px, n)
						case k.rows != nil:
							k.rows(m, n, pa, n, px, &ys[0])
						default:
							k.mixed(m, n, pa, n, pf, &ys[0])
						}
					}); bad {
						t.Fatalf("%s %s m=%d n=%d, tail %v: fault at %#x", form, k.name, m, n, tail, addr)
					}
				})
			}
		}
	}
}

// TestAllocations: no kernel allocates.
func TestAllocations(t *testing.T) {
	x, f := make([]uint16, 100), make([]float32, 100)
	if n := prove.Allocs(10, func() {
		f[0] = DotB16(&x[0], &x[0], 100) + DotH16(&x[0], &x[0], 100) + SqDistB16(&x[0], &x[0], 100) +
			SqDistH16(&x[0], &x[0], 100)
		f[0], f[1], f[2] = CosB16(&x[0], &x[0], 100)
		f[0], f[1], f[2] = CosH16(&x[0], &x[0], 100)
		RowsB16(3, 20, &x[0], 30, &x[0], &f[0])
		RowsH16(3, 20, &x[0], 30, &x[0], &f[0])
		MixedRowsB16(3, 20, &x[0], 30, &f[50], &f[0])
		MixedRowsH16(3, 20, &x[0], 30, &f[50], &f[0])
		WidenB16(&x[0], &f[0], 100)
		WidenH16(&x[0], &f[0], 100)
		NarrowB16(&f[0], &x[0], 100)
		NarrowH16(&f[0], &x[0], 100)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
