package vec_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// The rivals of the mixed kernels: convert, the data converted row by row into a buffer and the kernel of float64
// there; f32, the kernel of float32, which reads the same bytes of data; sum, the sum of the data, where those come
// from memory as fast as they can; and f64, the kernel of float64 on data that were converted long ago, twice as many
// bytes. Throughput is in bytes of float32 data for all of them.

func BenchmarkMixedDot(b *testing.B) {
	for _, n := range []int{8, 16, 64, 100, 256, 784, 1024, 4096, 65536} {
		m := mixedData(1, n)
		y := m.x64[:n]
		m.bench(b, fmt.Sprintf("n=%d", n), map[string]func(){
			"mixed":   func() { vec.MixedDot(m.a.Data, y) },
			"convert": func() { vec.Convert(m.row, m.a.Data); vec.Dot64(m.row, y) },
			"f64":     func() { vec.Dot64(m.wide.Data, y) },
			"f32":     func() { vec.Dot32(m.a.Data, m.x32[:n]) },
		})
	}
}

func BenchmarkMixedAxpy(b *testing.B) {
	for _, n := range []int{8, 16, 64, 100, 256, 784, 1024, 4096, 65536} {
		m := mixedData(1, n)
		y := m.y64[:n]
		m.bench(b, fmt.Sprintf("n=%d", n), map[string]func(){
			"mixed":   func() { vec.MixedAxpy(1e-9, m.a.Data, y) },
			"convert": func() { vec.Convert(m.row, m.a.Data); vec.Axpy64(1e-9, m.row, y) },
			"f64":     func() { vec.Axpy64(1e-9, m.wide.Data, y) },
			"f32":     func() { vec.Axpy32(1e-9, m.a.Data, m.y32[:n]) },
		})
	}
}

var mixedSizes = [][2]int{{784, 100}, {100, 784}, {8000, 10}, {4096, 1000}, {512, 50000}}

func BenchmarkMixedGemv(b *testing.B) {
	for _, size := range mixedSizes {
		m := mixedData(size[0], size[1])
		m.bench(b, fmt.Sprintf("size=%dx%d", size[0], size[1]), map[string]func(){
			"mixed": func() { vec.MixedGemv(1, m.a, m.x64[:size[1]], 0, m.y64[:size[0]]) },
			"convert": func() {
				for i := range m.a.Rows {
					vec.Convert(m.row, m.a.Row(i))
					m.y64[i] = vec.Dot64(m.row, m.x64[:size[1]])
				}
			},
			"f64": func() { vec.Gemv(1, m.wide, m.x64[:size[1]], 0, m.y64[:size[0]]) },
			"f32": func() { vec.Gemv(1, m.a, m.x32[:size[1]], 0, m.y32[:size[0]]) },
			"sum": func() { vec.Sum(m.a.Data) },
		})
	}
}

func BenchmarkMixedGemvT(b *testing.B) {
	for _, size := range mixedSizes {
		m := mixedData(size[0], size[1])
		m.bench(b, fmt.Sprintf("size=%dx%d", size[0], size[1]), map[string]func(){
			"mixed": func() { vec.MixedGemvT(1, m.a, m.x64[:size[0]], 0, m.y64[:size[1]]) },
			"convert": func() {
				y := m.y64[:size[1]]
				clear(y)
				for i := range m.a.Rows {
					vec.Convert(m.row, m.a.Row(i))
					vec.Axpy64(m.x64[i], m.row, y)
				}
			},
			"f64": func() { vec.GemvT(1, m.wide, m.x64[:size[0]], 0, m.y64[:size[1]]) },
			"f32": func() { vec.GemvT(1, m.a, m.x32[:size[0]], 0, m.y32[:size[1]]) },
			"sum": func() { vec.Sum(m.a.Data) },
		})
	}
}

// mixedOperands are a matrix in both types, vectors as long as its longer side, and room for one row.
type mixedOperands struct {
	a        vec.Matrix[float32]
	wide     vec.Matrix[float64]
	x32, y32 []float32
	x64, y64 []float64
	row      []float64
}

func mixedData(rows, cols int) *mixedOperands {
	r, most := prove.Rand(1), max(rows, cols)
	m := &mixedOperands{
		a: vec.MatrixOf(rows, cols, ints[float32](r, rows*cols)), wide: vec.NewMatrix[float64](rows, cols),
		x32: ints[float32](r, most), y32: make([]float32, most), x64: ints[float64](r, most),
		y64: make([]float64, most),
		row: make([]float64, cols),
	}
	vec.Convert(m.wide.Data, m.a.Data)
	return m
}

// bench runs the rivals by turns of one benchmark each, in the order of their names here.
func (m *mixedOperands) bench(b *testing.B, name string, rivals map[string]func()) {
	for _, impl := range []string{"mixed", "convert", "f64", "f32", "sum"} {
		if f := rivals[impl]; f != nil {
			b.Run(name+"/impl="+impl, func(b *testing.B) {
				b.SetBytes(int64(4 * len(m.a.Data)))
				for b.Loop() {
					f()
				}
			})
		}
	}
}
