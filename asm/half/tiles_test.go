package half

import (
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// TestTiles: products of pairs for tiles of all sizes, C overwritten and added to.
func TestTiles(t *testing.T) {
	f := formats[0]
	for _, kind := range []string{"integers", "uniform", "decades", "denormal"} {
		r := prove.Rand(6)
		draw := prove.Odd[float32](r)
		if kind != "integers" {
			draw = prove.Draw[float32](kind, r)
		}
		for i := range 60 {
			m, n, k := 1+i%15, 1+(7*i)%67, i%23
			a, b := f.pairs(m*k, draw), f.pairs(k*n, draw)
			var c prove.Memory[float32]
			c.Place(i%16, m, n, n+i%3, draw)
			old := append([]float32(nil), c.Data...)
			alpha, beta := float32(1), float32(i%2)
			prove.Forms(func(form string) {
				c.Reset()
				// tiles of 48 columns, as A and B lie
				TilesB16(m, n, k, alpha, ptr(a), k, 1, 9, 9*k, ptr(b), n, 48, 48, beta, &c.Data[0], n+i%3)
				for e := range c.Elements {
					x, y := e/(n+i%3), e%(n+i%3)
					s := sum{flush: usesDP()}
					for p := range k {
						v, w := a[x*k+p], b[p*n+y]
						s.add(FromB16(uint16(v>>16)), FromB16(uint16(w>>16)))
						s.add(FromB16(uint16(v)), FromB16(uint16(w)))
					}
					if beta != 0 {
						s.terms++
						s.term(float64(old[e]))
					}
					if err := s.check(c.Data[e]); err != nil || kind == "integers" && float64(c.Data[e]) != s.exact {
						t.Fatalf("%s %s %dx%dx%d: element (%d, %d) is %v, want %v: %v", form, kind, m, n, k, x, y,
							c.Data[e], s.exact, err)
					}
				}
				copy(c.Want(), c.Data)
				if err := c.Diff(false); err != nil {
					t.Fatalf("%s %dx%dx%d: %v", form, m, n, k, err)
				}
			})
		}
	}
}

// pairs draws n pairs of numbers.
func (f *format) pairs(n int, draw func(int) float32) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		x[i] = uint32(f.to(draw(2*i))) | uint32(f.to(draw(2*i+1)))<<16
	}
	return x
}
