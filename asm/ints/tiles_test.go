package ints

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// product makes a product whose rows are apart elements longer than they need be, and what C should become, by the
// twins of pairs; what lies between the rows of C is poison.
func product[T element](m, n, k, apart int, seed uint64, filled string) (p *Product[T], x, y []byte, c, want []int32) {
	r := prove.Rand(seed)
	x, y = make([]byte, max(0, (m-1)*(k+apart)+k)), make([]byte, max(0, (n-1)*(k+apart)+k))
	for _, f := range fills {
		if f.name == filled {
			f.fill(x, r)
			f.fill(y, r)
		}
	}
	c = make([]int32, max(0, (m-1)*(n+apart)+n))
	for i := range c {
		c[i] = -poison
	}
	want = slices.Clone(c)
	p = &Product[T]{m, n, k, mem[T](x), k + apart, mem[T](y), k + apart, unsafe.SliceData(c), n + apart}
	for i := range m {
		for j := range n {
			want[i*(n+apart)+j] = 0
			if k > 0 {
				want[i*(n+apart)+j] = int32(dotGeneric(at(p.X, i*p.LDX), at(p.Y, j*p.LDY), k))
			}
		}
	}
	return p, x, y, c, want
}

// productSizes have rows and columns around the sizes of tiles and panels, and all remainders of k.
func productSizes() (all [][3]int) {
	for i, m := range []int{0, 1, 7, 8, 9, 15, 16, 17, 23, 40} {
		for j, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 49, 64, 97, 130} {
			for l, k := range []int{0, 1, 3, 4, 5, 6, 7, 8, 9, 16, 31, 64, 130, 257} {
				if (i+j+l)%3 == 0 && prove.Visits(i, j+l, 5) {
					all = append(all, [3]int{m, n, k})
				}
			}
		}
	}
	return append(all, [3]int{blockRows + 5, 50, 9}, [3]int{blockRows, 9, 8}, [3]int{2*blockRows + 9, 8, 5},
		[3]int{8, 48, 33025}, [3]int{9, 3, 33025})
}

func TestProducts(t *testing.T) {
	t.Run("int8", testProducts[int8])
	t.Run("uint8", testProducts[uint8])
}

func testProducts[T element](t *testing.T) {
	for s, size := range productSizes() {
		for _, workers := range []int{1, 3} {
			filled := fills[s%len(fills)].name
			p, x, y, c, want := product[T](size[0], size[1], size[2], s%3, uint64(s), filled)
			x0, y0, c0 := slices.Clone(x), slices.Clone(y), slices.Clone(c)
			prove.Forms(func(form string) {
				copy(c, c0)
				p.Run(workers)
				if !slices.Equal(c, want) || !slices.Equal(x, x0) || !slices.Equal(y, y0) {
					i := 0
					for i < len(c) && c[i] == want[i] {
						i++
					}
					t.Fatalf("%s: %v, %d apart, bytes %s, %d workers: element %d of %d differs", form, size, s%3,
						filled, workers, i, len(c))
				}
			})
		}
	}
}

// TestProductGuardPages: nothing outside the operands is read or written.
func TestProductGuardPages(t *testing.T) {
	var arenas []*guard.Arena
	for range 3 {
		arenas = append(arenas, guard.New(t, 1<<17))
	}
	for s, size := range productSizes() {
		if size[0]*size[2] > 1<<17 || size[1]*size[2] > 1<<17 || 4*size[0]*size[1] > 1<<17 || size[2] == 0 {
			continue
		}
		p, x, y, c, want := product[int8](size[0], size[1], size[2], 0, uint64(s), "any")
		for _, upper := range []bool{false, true} {
			p.X, p.Y = mem[int8](end(t, arenas[0], x, upper)), mem[int8](end(t, arenas[1], y, upper))
			place := end(t, arenas[2], c, upper)
			arenas[2].ReadOnly(t, false)
			p.C = unsafe.SliceData(place)
			prove.Forms(func(form string) {
				if address, faulted := guard.Fault(func() { p.Run(1) }); faulted {
					t.Fatalf("%s: %v, upper end %v: fault at %#x", form, size, upper, address)
				}
				if !slices.Equal(place, want) {
					t.Fatalf("%s: %v, upper end %v: wrong", form, size, upper)
				}
			})
		}
	}
}

func TestProductAllocs(t *testing.T) {
	p, _, _, _, _ := product[uint8](20, 100, 77, 0, 1, "any")
	prove.Forms(func(form string) {
		if n := prove.Allocs(5, func() { p.Run(1) }); n != 0 {
			t.Errorf("%s: %v allocations", form, n)
		}
	})
}

func BenchmarkProduct(b *testing.B) {
	for _, k := range []int{128, 768, 1536} {
		p, _, _, _, _ := product[int8](256, 960, k, 0, 1, "any")
		prove.Forms(func(form string) {
			b.Run(fmt.Sprintf("type=i8/m=256/n=960/k=%d/form=%s", k, form), func(b *testing.B) {
				for b.Loop() {
					p.Run(1)
				}
				b.ReportMetric(float64(p.M*p.N*k)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GMAC/s")
			})
		})
	}
}
