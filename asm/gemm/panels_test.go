package gemm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/guard"
	"github.com/dualgap/dualgap/internal/prove"
)

// Products with panels are within the bound of any order of summation, and an element has the same bits whatever rows
// and columns it is computed with. No more is written than C.
func TestPanels(t *testing.T) {
	prove.Both(t, func(t *testing.T) { provePanels(t, room32) }, func(t *testing.T) { provePanels(t, room64) })
}

func room32(n int) []float32 { return make([]float32, n) }
func room64(n int) []float64 { return make([]float64, n) }

// No more is read than A and the panels.
func TestPanelsGuarded(t *testing.T) {
	if os.Getenv("DUALGAP_QEMU_X86") == "1" {
		t.Skip("this emulator reads whole vectors for masked loads")
	}
	arena := guard.New(t, 1<<20)
	prove.Both(t,
		func(t *testing.T) { provePanels(t, func(n int) []float32 { return guard.Tail[float32](arena, n) }) },
		func(t *testing.T) { provePanels(t, func(n int) []float64 { return guard.Tail[float64](arena, n) }) })
}

func provePanels[T float](t *testing.T, room func(n int) []T) {
	prove.Tiers(func(tier cpu.Tier) {
		rng := rand.New(rand.NewPCG(1, 2))
		cols := PanelCols[T]()
		for _, k := range []int{1, 2, 34, 97, 200} {
			for _, n := range []int{1, cols/2 + 1, cols, 2*cols + 5} {
				for _, m := range []int{1, 2, 8, 9, 64} {
					name := fmt.Sprintf("%v, m = %d, n = %d, k = %d", tier, m, n, k)
					provePanel(t, name, rng, room, m, n, k)
				}
			}
		}
	})
}

func provePanel[T float](t *testing.T, name string, rng *rand.Rand, room func(n int) []T, m, n, k int) {
	cols := PanelCols[T]()
	draw := func(x []T) {
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
	}
	b := make([]T, n*(k+3))
	draw(b)
	count := (n + cols - 1) / cols
	memory := room(count*k*cols + m*k) // the panels end where memory does, or A does
	packed, a := memory[m*k:], memory[:m*k]
	if k%2 == 0 {
		packed, a = memory[:count*k*cols], memory[count*k*cols:]
	}
	draw(a)
	for p := range count {
		PackPanel(min(cols, n-p*cols), k, &b[p*cols*(k+3)], k+3, &packed[p*k*cols])
	}
	times := func(m int, a []T, n int) (c []T, ldc int) {
		ldc = n + 2
		c = make([]T, m*ldc)
		for i := range c {
			c[i] = T(math.NaN())
		}
		var l Left[T]
		room := append(make([]T, LeftRoom[T](m, k)), 7)
		l.Lay(m, k, &a[0], k, &room[0])
		if room[len(room)-1] != 7 {
			t.Fatalf("%s: LeftRoom is too little", name)
		}
		l.Times(n, &packed[0], len(packed), &c[0], ldc)
		return c, ldc
	}
	c, ldc := times(m, a, n)
	alone, _ := times(1, a[(m-1)*k:], n)
	narrow, ldn := times(m, a, (n+1)/2)
	var sum prove.Sum[T]
	for i := range m {
		for j := range n {
			v := c[i*ldc+j]
			if (i+j)%7 == 0 {
				sum.Reset()
				for p := range k {
					sum.Add(a[i*k+p], b[j*(k+3)+p], 1)
				}
				if err := sum.Check(v); err != nil {
					t.Fatalf("%s, element (%d, %d): %v", name, i, j, err)
				}
			}
			if i == m-1 && v != alone[j] {
				t.Fatalf("%s, element (%d, %d): %v, its row alone has %v", name, i, j, v, alone[j])
			}
			if j < (n+1)/2 && v != narrow[i*ldn+j] {
				t.Fatalf("%s, element (%d, %d): %v, with fewer columns %v", name, i, j, v, narrow[i*ldn+j])
			}
		}
		for j := n; j < ldc; j++ {
			if v := c[i*ldc+j]; v == v {
				t.Fatalf("%s: %v written behind row %d", name, v, i)
			}
		}
	}
}

func TestPanelsAllocate(t *testing.T) {
	const m, k = 64, 50
	cols := PanelCols[float32]()
	a, panel, c := make([]float32, m*k), make([]float32, 2*k*cols), make([]float32, m*cols)
	room := make([]float32, LeftRoom[float32](m, k))
	if allocs := prove.Allocs(5, func() {
		var l Left[float32]
		l.Lay(m, k, &a[0], k, &room[0])
		l.Times(cols, &panel[0], len(panel), &c[0], cols)
	}); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
