package half

import (
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// most are the rows of the largest tiles that are 1, 2, .. vectors wide.
var most = []int{14, 14, 9, 6}

// TestTiles: products of pairs for tiles of all heights and widths, with C overwritten and added to.
func TestTiles(t *testing.T) {
	odd := prove.Odd[float32](prove.Rand(6))
	for vectors, high := range most {
		for mr := 1; mr <= high; mr++ {
			for i, last := range []int{1, 7, 16} {
				k := []int{1, 5, 70, 0}[(mr+i)%4]
				tiles(t, tilesCase{m: mr, n: vectors*16 + last, k: k, mr: mr, nr: 16 * (vectors + 1),
					beta: float32(i % 2)}, odd, true)
			}
		}
	}
	for _, kind := range prove.Kinds {
		draw := prove.Draw[float32](kind, prove.Rand(7))
		for i, c := range []tilesCase{{m: 20, n: 100, k: 33, mr: 9, nr: 48}, {m: 29, n: 17, k: 64, mr: 14, nr: 16},
			{m: 13, n: 70, k: 7, mr: 5, nr: 64}} {
			c.beta = float32(i % 2)
			tiles(t, c, draw, false)
		}
	}
}

// tilesCase is the size of a product and its tiles.
type tilesCase struct {
	m, n, k, mr, nr int
	beta            float32
}

func tiles(t *testing.T, s tilesCase, draw func(int) float32, exact bool) {
	t.Helper()
	f, alpha, gap := formats[0], float32(1-2*(s.k%2)), s.m%3
	a, b := f.pairs(s.m*s.k, draw), f.pairs(s.k*s.n, draw)
	var c prove.Memory[float32]
	c.Place(s.n%16, s.m, s.n, s.n+gap, draw)
	old := append([]float32(nil), c.Data...)
	prove.Forms(func(form string) {
		c.Reset()
		TilesB16(s.m, s.n, s.k, alpha, ptr(a), s.k, 1, s.mr, s.mr*s.k, ptr(b), s.n, s.nr, s.nr, s.beta, &c.Data[0],
			s.n+gap)
		for e := range c.Elements {
			i, j := e/(s.n+gap), e%(s.n+gap)
			want := sum{flush: usesDP()}
			for p := range s.k {
				v, w := a[i*s.k+p], b[p*s.n+j]
				want.add(alpha*FromB16(uint16(v>>16)), FromB16(uint16(w>>16)))
				want.add(alpha*FromB16(uint16(v)), FromB16(uint16(w)))
			}
			if s.beta != 0 {
				want.terms++
				want.term(float64(old[e]))
			}
			if err := want.check(c.Data[e]); err != nil || exact && float64(c.Data[e]) != want.exact {
				t.Fatalf("%s %+v: element (%d, %d) is %v, want %v: %v", form, s, i, j, c.Data[e], want.exact, err)
			}
		}
		copy(c.Want(), c.Data)
		if err := c.Diff(false); err != nil {
			t.Fatalf("%s %+v: %v", form, s, err)
		}
	})
}

// pairs draws n pairs of numbers.
func (f *format) pairs(n int, draw func(int) float32) []uint32 {
	x := make([]uint32, n)
	for i := range x {
		x[i] = uint32(f.to(draw(2*i))) | uint32(f.to(draw(2*i+1)))<<16
	}
	return x
}
