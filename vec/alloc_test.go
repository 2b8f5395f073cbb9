package vec_test

import (
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestNoAllocation calls every function on arrays of the caller, which stay on its stack unless a function lets them
// escape: then each call allocates.
func TestNoAllocation(t *testing.T) { prove.Both(t, noAllocation[float32], noAllocation[float64]) }

func noAllocation[T vec.Float](t *testing.T) {
	calls := map[string]func(){
		"Dot":              func() { var x, y [20]T; use(vec.Dot(x[:], y[:])) },
		"SquaredDistance":  func() { var x, y [20]T; use(vec.SquaredDistance(x[:], y[:])) },
		"SquaredNorm":      func() { var x [20]T; use(vec.SquaredNorm(x[:])) },
		"Sum":              func() { var x [20]T; use(vec.Sum(x[:])) },
		"AbsSum":           func() { var x [20]T; use(vec.AbsSum(x[:])) },
		"Scale":            func() { var x [20]T; vec.Scale(2, x[:]); use(x[3]) },
		"Axpy":             func() { var x, y [20]T; vec.Axpy(2, x[:], y[:]); use(y[3]) },
		"Exp":              func() { var x, y [20]T; vec.Exp(y[:], x[:]); use(y[3]) },
		"Log":              func() { var x, y [20]T; vec.Log(y[:], x[:]); use(y[3]) },
		"LogSumExp":        func() { var x [20]T; use(vec.LogSumExp(x[:])) },
		"Softmax":          func() { var x, y [20]T; vec.Softmax(y[:], x[:]); use(y[3]) },
		"SoftmaxLogSumExp": func() { var x, y [20]T; use(vec.SoftmaxLogSumExp(y[:], x[:]) + y[3]) },
		"SoftmaxRows":      func() { var a [20]T; vec.SoftmaxRows(vec.MatrixOf(4, 5, a[:])); use(a[3]) },
		"ExpScaled":        func() { var x, y [20]T; vec.ExpScaled(y[:], 2, x[:]); use(y[3]) },
		"Ger": func() {
			var x, y, a [9]T
			vec.Ger(2, x[:3], y[:3], vec.MatrixOf(3, 3, a[:]))
			use(a[3])
		},
		"Gemv": func() {
			var x, y, a [9]T
			vec.Gemv(2, vec.MatrixOf(3, 3, a[:]), x[:3], 1, y[:3])
			use(y[1])
		},
		"GemvT": func() {
			var x, y, a [9]T
			vec.GemvT(2, vec.MatrixOf(3, 3, a[:]), x[:3], 1, y[:3])
			use(y[1])
		},
		"Max":    func() { var x [20]T; use(vec.Max(x[:])) },
		"Min":    func() { var x [20]T; use(vec.Min(x[:])) },
		"ArgMax": func() { var x [20]T; use(T(vec.ArgMax(x[:]))) },
		"ArgMin": func() { var x [20]T; use(T(vec.ArgMin(x[:]))) },
		"SparseDot": func() {
			var x [20]T
			var idx [20]int32
			use(vec.SparseDot(idx[:], x[:], x[:]))
		},
		"SparseAxpy": func() {
			var x, y [20]T
			var idx [20]int32
			vec.SparseAxpy(2, idx[:], x[:], y[:])
			use(y[0])
		},
		"SparseGemvT": func() {
			var x, y, a [9]T
			var idx [9]int32
			vec.SparseGemvT(2, vec.MatrixOf(3, 3, a[:]), idx[:], x[:], 0, y[:3])
			use(y[1])
		},
		"SparseGer": func() {
			var x, y, a [9]T
			var idx [9]int32
			vec.SparseGer(2, idx[:], x[:], y[:3], vec.MatrixOf(3, 3, a[:]))
			use(a[1])
		},
		"Add":       func() { var x, y [20]T; vec.Add(y[:], x[:], y[:]); use(y[3]) },
		"Mul":       func() { var x, y [20]T; vec.Mul(y[:], x[:], y[:]); use(y[3]) },
		"Sqrt":      func() { var x, y [20]T; vec.Sqrt(y[:], x[:]); use(y[3]) },
		"Normalize": func() { x := [20]T{3}; use(vec.Normalize(x[:])) },
		"Cosine":    func() { x, y := [20]T{3}, [20]T{0x1p-100}; use(vec.Cosine(x[:], y[:])) },
		"Mean":      func() { var x [20]T; use(vec.Mean(x[:])) },
		"Clip":      func() { var x, y [20]T; vec.Clip(y[:], x[:], 1, 2); use(y[3]) },
		"SumAbove":  func() { var x [20]T; s, _ := vec.SumAbove(x[:], 1); use(s) },
		"FilterAbove": func() {
			var x, val [20]T
			var idx [20]int32
			vec.FilterAbove(val[:], idx[:], x[:], -1)
			use(val[3])
		},
		"Matrix": func() {
			var a [20]T
			b := vec.MatrixOf(4, 5, a[:]).Slice(1, 3, 1, 4)
			b.Check()
			use(b.Row(1)[2])
		},
		"Dot32":             func() { var x, y [20]float32; use(vec.Dot32(x[:], y[:])) },
		"Dot64":             func() { var x, y [20]float64; use(vec.Dot64(x[:], y[:])) },
		"SquaredDistance32": func() { var x, y [20]float32; use(vec.SquaredDistance32(x[:], y[:])) },
		"SquaredDistance64": func() { var x, y [20]float64; use(vec.SquaredDistance64(x[:], y[:])) },
		"Axpy32":            func() { var x, y [20]float32; vec.Axpy32(2, x[:], y[:]); use(y[3]) },
		"MixedDot": func() {
			var x [20]float32
			var y [20]float64
			use(vec.MixedDot(x[:], y[:]))
		},
		"MixedAxpy": func() {
			var x [20]float32
			var y [20]float64
			vec.MixedAxpy(2, x[:], y[:])
			use(y[3])
		},
		"MixedGemv": func() {
			var a [9]float32
			var x, y [9]float64
			vec.MixedGemv(2, vec.MatrixOf(3, 3, a[:]), x[:3], 1, y[:3])
			use(y[1])
		},
		"MixedGemvT": func() {
			var a [9]float32
			var x, y [9]float64
			vec.MixedGemvT(2, vec.MatrixOf(3, 3, a[:]), x[:3], 1, y[:3])
			use(y[1])
		},
		"Axpy64": func() { var x, y [20]float64; vec.Axpy64(2, x[:], y[:]); use(y[3]) },
	}
	prove.Tiers(func(tier cpu.Tier) {
		for name, f := range calls {
			if n := prove.Allocs(20, f); n != 0 {
				t.Errorf("%s on %v: %v allocations a call", name, tier, n)
			}
		}
	})
	if n := testing.AllocsPerRun(20, func() { var x [20]T; escape = x[:] }); n == 0 {
		t.Error("an array that escapes seems to cost no allocation: this test sees nothing")
	}
}

var (
	sink   float64
	escape any
)

func use[T vec.Float](v T) { sink += float64(v) }
