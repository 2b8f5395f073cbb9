package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func ExampleMatrix_Pin() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 1, []float64{0, 1, 3})}
	k, err := New(design.Matrix[float64](x), Gaussian{Gamma: 1}, 1<<20)
	if err != nil {
		panic(err)
	}
	a, b := k.Pin(0), k.Pin(2)
	fmt.Printf("|phi(x_0) - phi(x_2)|² = %.4f\n", a[0]-2*a[2]+b[2])
	k.Release(0)
	k.Release(2)
	// Output: |phi(x_0) - phi(x_2)|² = 1.9998
}

// pinned returns a matrix of n examples with room for a number of rows, and all its rows.
func pinned(t testing.TB, n int, rows int64) (*Matrix[float32], vec.Matrix[float32]) {
	x := draw[float32](rand.New(rand.NewPCG(21, uint64(n))), n, 7, 1)["dense"]
	m, err := New(x, Gaussian{Gamma: .2}, 0)
	if err != nil {
		t.Fatal(err)
	}
	all := vec.NewMatrix[float32](n, n)
	m.Rows(all, every(n), 1)
	if m, err = New(x, Gaussian{Gamma: .2}, budget(m, rows)); err != nil {
		t.Fatal(err)
	}
	return m, all
}

func every(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// A pinned row stays where it is with its numbers, whatever else is asked for, until all pins are released.
func TestPin(t *testing.T) {
	const n, room = 50, 4
	for _, rows := range []int64{0, 1, room, n} {
		m, all := pinned(t, n, rows)
		if got := m.cache.room; got != int(rows) {
			t.Fatalf("room for %d rows, want %d", got, rows)
		}
		var at [room + 2][]float32
		for i := range at {
			at[i] = m.Pin(i)
			if again := m.Pin(i); &again[0] != &at[i][0] || len(again) != n {
				t.Errorf("%d rows: row %d pinned twice is not in one place", rows, i)
			}
			if past := uintptr(unsafe.Pointer(&at[i][0])) % 64; past != 0 {
				t.Errorf("%d rows: row %d begins %d bytes past a multiple of 64", rows, i, past)
			}
		}
		dst := vec.NewMatrix[float32](n, n)
		for range 3 {
			m.Rows(dst, every(n), 1)
			for i := n - 1; i >= room+2; i-- {
				if !slices.Equal(m.Pin(i), all.Row(i)) {
					t.Errorf("%d rows: row %d is wrong", rows, i)
				}
				m.Release(i)
			}
		}
		for i := range at {
			if !slices.Equal(at[i], all.Row(i)) || !slices.Equal(dst.Row(i), all.Row(i)) {
				t.Errorf("%d rows: row %d has changed while it was pinned", rows, i)
			}
			m.Release(i)
			if again := m.Pin(i); &again[0] != &at[i][0] {
				t.Errorf("%d rows: row %d has moved while it was pinned", rows, i)
			}
			m.Release(i)
			m.Release(i)
		}
		if m.cache.pinned != 0 || len(m.cache.others) != 0 || len(m.cache.kept) > int(rows) {
			t.Errorf("%d rows: %d pinned, %d beside, %d kept", rows, m.cache.pinned, len(m.cache.others),
				len(m.cache.kept))
		}
	}
}

func TestPinPrecomputed(t *testing.T) {
	k := vec.MatrixOf(2, 2, []float64{2, 1, 1, 3})
	m, err := Precomputed(k)
	if err != nil {
		t.Fatal(err)
	}
	if row := m.Pin(1); &row[0] != &k.Row(1)[0] {
		t.Error("not the row that was given")
	}
	m.Release(1)
	panics(t, "kernel: Matrix.Release: row 1 is not pinned", func() { m.Release(1) })
}

func TestPinPanics(t *testing.T) {
	m, _ := pinned(t, 3, 1)
	m.Pin(0)
	for want, call := range map[string]func(){
		"kernel: Matrix.Pin: example 3 at place 0, want one in 0..2":     func() { m.Pin(3) },
		"kernel: Matrix.Pin: example -1 at place 0, want one in 0..2":    func() { m.Pin(-1) },
		"kernel: Matrix.Release: example 3 at place 0, want one in 0..2": func() { m.Release(3) },
		"kernel: Matrix.Release: row 1 is not pinned":                    func() { m.Release(1) },
		"kernel: Matrix.Release: row 2 is not pinned": func() {
			m.Rows(vec.NewMatrix[float32](1, 3), []int{2}, 1)
			m.Release(2)
		},
	} {
		panics(t, want, call)
	}
}

func panics(t *testing.T, want string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if got, ok := recover().(vec.ShapeError); !ok || got.Error() != want {
			t.Errorf("panic %v, want a ShapeError %q", got, want)
		}
	}()
	call()
}

// Goroutines pin, release and read rows at the same time, with room for some of them.
func TestPinTogether(t *testing.T) {
	const n = 40
	for _, rows := range []int64{0, 3, 12, n} {
		m, all := pinned(t, n, rows)
		var wait sync.WaitGroup
		for g := range 4 {
			wait.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(g), 22))
				var held []int
				for range 400 {
					switch i := rng.IntN(n); {
					case len(held) < 5 && rng.IntN(2) == 0:
						held = append(held, i)
						if !slices.Equal(m.Pin(i), all.Row(i)) {
							t.Errorf("room for %d: row %d is wrong", rows, i)
							return
						}
					case len(held) > 0 && rng.IntN(3) > 0:
						m.Release(held[0])
						held = held[1:]
					default:
						dst, list := vec.NewMatrix[float32](3, n), []int{i, rng.IntN(n), rng.IntN(n)}
						m.Rows(dst, list, 1)
						for p, i := range list {
							if !slices.Equal(dst.Row(p), all.Row(i)) {
								t.Errorf("room for %d: row %d is wrong", rows, i)
								return
							}
						}
					}
				}
				for _, i := range held {
					m.Release(i)
				}
			})
		}
		wait.Wait()
		if m.cache.pinned != 0 || len(m.cache.others) != 0 || len(m.cache.kept) > int(rows) {
			t.Errorf("room for %d: %d pinned, %d beside, %d kept", rows, m.cache.pinned, len(m.cache.others),
				len(m.cache.kept))
		}
	}
}

// Slabs keep within the budget, whatever the length of a row.
func TestRoom(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 1000, 1 << 20, 9 << 20, 20 << 20} {
		row, per := rowBytes[float32](n), slabRows[float32](n)
		if row < 4*int64(n) || row%64 != 0 || row >= 4*int64(n)+64 {
			t.Errorf("n = %d: rows of %d bytes", n, row)
		}
		for _, budget := range []int64{-1, 0, 63, 64 + row - 1, 64 + row, 64 + 3*row, 1 << 20, 1 << 30, 1<<30 + 12345,
			1 << 40} {
			room := roomFor[float32](n, budget)
			need := func(rows int64) int64 { return rows*row + (rows+per-1)/per*64 }
			if room < 0 || room > 0 && need(room) > budget || need(room+1) <= budget {
				t.Errorf("n = %d: room for %d rows in %d bytes", n, room, budget)
			}
		}
	}
}

func TestPinAllocates(t *testing.T) {
	m, _ := pinned(t, 30, 30)
	m.Pin(3)
	if got := prove.Allocs(100, func() { m.Pin(3); m.Release(3) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

// BenchmarkPin sums two pinned rows at a time, drawn from 400 MB that are kept, and in turn rows of the same memory
// without pins: the least times of 200 pairs, and their ratio.
func BenchmarkPin(b *testing.B) {
	const n = 10000
	x := vec.NewMatrix[float32](n, 2)
	for i := range x.Data {
		x.Data[i] = float32(i%97) / 97
	}
	m, err := New(design.Matrix[float32](&dataset.Dense[float32]{Matrix: x}), Linear{}, n*n*4+1<<26)
	if err != nil {
		b.Fatal(err)
	}
	dst := vec.NewMatrix[float32](100, n)
	rows := make([][]float32, n)
	for i := range rows {
		if i%100 == 0 {
			m.Rows(dst, every(n)[i:i+100], 0)
		}
		rows[i] = m.Pin(i)
		m.Release(i)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	pairs, sum := make([][2]int, 200), float32(0)
	least := [2]time.Duration{math.MaxInt64, math.MaxInt64}
	for b.Loop() {
		for impl := range least {
			for p := range pairs {
				pairs[p] = [2]int{rng.IntN(n), rng.IntN(n)}
			}
			start := time.Now()
			for _, p := range pairs {
				i, j := p[0], p[1]
				if impl == 0 {
					sum += vec.Sum(m.Pin(i)) + vec.Sum(m.Pin(j))
					m.Release(i)
					m.Release(j)
				} else {
					sum += vec.Sum(rows[i]) + vec.Sum(rows[j])
				}
			}
			least[impl] = min(least[impl], time.Since(start))
		}
	}
	for impl, name := range []string{"pin", "sum"} {
		b.ReportMetric(float64(len(pairs)*2*n*4)/float64(least[impl].Nanoseconds()), name+"-GB/s")
	}
	b.ReportMetric(float64(least[0])/float64(least[1]), "pin/sum")
}
