package lookup

import (
	"math"
	"os"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// counts are the numbers of subspaces or rows that k is tried with.
func counts(k kernel) []int {
	n := []int{0, 1, 2, 3, 4, 5, 7, 8, 13, k.top}
	if testing.Short() {
		n = []int{0, 1, 3, 8}
	}
	return n
}

// heap gives memory off bytes behind a boundary of 64, with a margin that keeps neighbours apart.
func heap(off int) func(bytes int) unsafe.Pointer {
	return func(bytes int) unsafe.Pointer {
		room := make([]uint64, bytes/8+32)
		skip := -uintptr(unsafe.Pointer(&room[0])) % 64
		return unsafe.Add(unsafe.Pointer(&room[0]), int(skip)+off)
	}
}

// TestExact: on integers small enough for float32 every tier gives exactly the loop of the doc comment, whatever the
// alignment, and changes nothing else.
func TestExact(t *testing.T) {
	r := prove.Rand(1)
	for _, k := range kernels() {
		for _, g := range counts(k) {
			s := k.make(r, g)
			want := s.copyOf(heap(0))
			k.want(want)
			for off := 0; off < 64; off += 4 {
				if testing.Short() && off%20 != 0 {
					continue
				}
				prove.Tiers(func(tier cpu.Tier) {
					got := s.copyOf(heap(off))
					k.run(got)
					if !same(got, want) {
						t.Errorf("%s on %v, g=%d, %d bytes off: differs from its loop", k.name, tier, g, off)
					}
				})
			}
		}
	}
}

// TestGuardPages puts every argument in turn between pages without rights.
func TestGuardPages(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("qemu-x86_64 before 8 reads past the end of a page by itself")
	}
	arena := guard.New(t, 1<<21)
	r := prove.Rand(2)
	for _, k := range kernels() {
		for _, g := range []int{1, 3, 8} {
			s := k.make(r, g)
			want := s.copyOf(heap(0))
			k.want(want)
			arguments := 0
			s.copyOf(func(bytes int) unsafe.Pointer { arguments++; return heap(0)(bytes) })
			for guarded := range arguments {
				for end, place := range map[string]func(*guard.Arena,
					int) []byte{"lower": guard.Head[byte], "upper": guard.Tail[byte]} {
					prove.Tiers(func(tier cpu.Tier) {
						i := -1
						got := s.copyOf(func(bytes int) unsafe.Pointer {
							if i++; i == guarded {
								return unsafe.Pointer(ptr(place(arena, bytes)))
							}
							return heap(0)(bytes)
						})
						if at, faulted := guard.Fault(func() { k.run(got) }); faulted {
							t.Fatalf("%s on %v, g=%d: argument %d at the %s guard page: fault at %#x", k.name, tier, g,
								guarded, end, at)
						}
						if !same(got, want) {
							t.Errorf("%s on %v, g=%d: argument %d at the %s guard page: differs from its loop", k.name,
								tier, g, guarded, end)
						}
					})
				}
			}
		}
	}
}

// TestRounding holds the sums of float32 to the bound (g+1)u Σ|terms| against float64.
func TestRounding(t *testing.T) {
	const g = 11
	for _, kind := range prove.Kinds {
		r := prove.Rand(3)
		draw := prove.Draw[float32](kind, r)
		for _, k := range kernels() {
			s := k.make(r, g)
			if s.scale != nil || s.high != nil {
				continue // integers
			}
			for i := range s.f32 {
				s.f32[i] = draw(i)
			}
			want, size := s.copyOf(heap(0)), s.copyOf(heap(0))
			k.want(want)
			for i, v := range size.f32 {
				size.f32[i] = max(v, -v)
			}
			for i, v := range size.dst {
				size.dst[i] = max(v, -v)
			}
			k.want(size)
			terms := float64(4*g + 12)
			prove.Tiers(func(tier cpu.Tier) {
				got := s.copyOf(heap(0))
				k.run(got)
				for i, v := range got.dst {
					if e := math.Abs(float64(v) - float64(want.dst[i])); !(e <= terms*prove.Unit[float32]()*float64(
						size.dst[i])) {
						t.Fatalf("%s on %v, %s: element %d is %v, exactly %v; the terms sum to %v", k.name, tier, kind,
							i, v, want.dst[i], size.dst[i])
					}
				}
			})
		}
	}
}

// TestSpecial: NaN, infinities and denormals reach the outputs that choose them, as in the twin, and no others.
func TestSpecial(t *testing.T) {
	r := prove.Rand(4)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	specials := []float32{nan, inf, -inf, prove.Tiny[float32](), prove.Max[float32]()}
	for _, k := range kernels() {
		if k.make(r, 1).codes == nil && k.make(r, 1).order == nil {
			continue // see TestQuantizeSpecial
		}
		for _, v := range specials {
			s := k.make(r, 4)
			for _, x := range [][]float32{s.f32, s.dst} {
				for range len(x) / 50 {
					x[r.IntN(len(x))] = v
				}
			}
			want := s.copyOf(heap(0))
			func() {
				defer cpu.Set(cpu.Set(cpu.Generic))
				k.run(want)
			}()
			prove.Tiers(func(tier cpu.Tier) {
				got := s.copyOf(heap(0))
				k.run(got)
				if !same(got, want) {
					t.Errorf("%s on %v: with %v it differs from its twin", k.name, tier, v)
				}
			})
		}
	}
}

// TestQuantizeSpecial: what no integer stands for stays inside its own place, and infinities of 8 bits saturate.
func TestQuantizeSpecial(t *testing.T) {
	inf := float32(math.Inf(1))
	x, low, inverse := make([]float32, 32), make([]float32, 32), make([]float32, 32)
	for i := range inverse {
		inverse[i] = 1
		x[i] = float32(i)
	}
	x[3], x[5], x[7] = inf, -inf, float32(math.NaN())
	prove.Tiers(func(tier cpu.Tier) {
		words, bytes := make([]int16, 16), make([]uint8, 32)
		QuantizeI16(&words[0], 16, &x[0], 1, &low[0], &inverse[0])
		QuantizeU8(&bytes[0], 32, &x[0], &x[16], 1, &low[0], &inverse[0])
		for j := range 16 {
			if j != 3 && j != 5 && j != 7 && (words[j] != int16(j) || bytes[2*j] != uint8(j)) ||
				bytes[2*j+1] != uint8(16+j) {
				t.Errorf("%v: beside NaN and infinities element %d became %d, %d and %d", tier, j, words[j], bytes[2*j],
					bytes[2*j+1])
			}
		}
		for _, v := range []float32{2.5, 3.5, -2.5, -0.5, 0.49999997} { // ties go to even
			tie := [16]float32{v}
			QuantizeI16(&words[0], 16, &tie[0], 1, &low[0], &inverse[0])
			if want := int16(math.RoundToEven(float64(v))); words[0] != want {
				t.Errorf("%v: %v became %d, want %d", tier, v, words[0], want)
			}
		}
	})
}

func TestNoAllocations(t *testing.T) {
	for _, k := range kernels() {
		s := k.make(prove.Rand(5), 4)
		prove.Tiers(func(tier cpu.Tier) {
			if n := prove.Allocs(10, func() { k.run(s) }); n != 0 {
				t.Errorf("%s on %v: %v allocations", k.name, tier, n)
			}
		})
	}
}

// FuzzSums compares the tiers with the loop on codes and tables of any bytes.
func FuzzSums(f *testing.F) {
	f.Add([]byte("codes"), uint64(1), uint8(3))
	f.Fuzz(func(t *testing.T, codes []byte, seed uint64, g uint8) {
		for _, k := range kernels() {
			s := k.make(prove.Rand(seed), int(g)%32)
			if len(s.order) == 0 {
				copy(s.codes, codes)
			}
			want := s.copyOf(heap(0))
			k.want(want)
			prove.Tiers(func(tier cpu.Tier) {
				got := s.copyOf(heap(int(seed%16) * 4))
				k.run(got)
				if !same(got, want) {
					t.Errorf("%s on %v, g=%d: differs from its loop", k.name, tier, s.g)
				}
			})
		}
	})
}
