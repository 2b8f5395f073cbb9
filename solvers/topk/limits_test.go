package topk

import (
	"context"
	"math"
	"math/rand/v2"
	"runtime"
	"strconv"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/model"
)

// A start is at least as good as A = 0, whose dual value is 0, whatever Lambda it was trained with.
func TestStartIsNoWorseThanZero(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := blobs[float64](rng, 300, 6, 4)
	p := Problem[float64]{X: x, Y: y}
	small, err := p.Fit(context.Background(), Config{Lambda: 1e-5, Loss: SquaredHinge, Epochs: 100, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Start = small
	for _, lambda := range []float64{1e-2, 1, 100} {
		r, err := p.Fit(context.Background(), Config{Lambda: lambda, Loss: SquaredHinge, Tol: 1e18, Workers: 1})
		if err != nil || r.Certificate.Dual < 0 {
			t.Errorf("Lambda %v: %v, %v", lambda, r.Certificate, err)
		}
	}
}

// The zero Model has no weights: an error, no panic.
func TestZeroModel(t *testing.T) {
	x, _ := blobs[float64](rand.New(rand.NewPCG(1, 2)), 60, 6, 4)
	if _, err := solvers.Predict[float64](&model.Model[float64]{}, x, 1); err == nil {
		t.Error("no error")
	}
}

// More workers than there is work for take no memory.
func TestMemoryOfManyWorkers(t *testing.T) {
	const n, d, m, per = 8000, 40000, 50, 20
	ptr, columns, values, y := []int{0}, []int32{}, []float32{}, make([]int, n)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		y[i] = i % m
		for k := range per {
			columns, values = append(columns, int32(k*d/per+rng.IntN(d/per))), append(values, 1)
		}
		ptr = append(ptr, len(columns))
	}
	x, err := dataset.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	took := func(workers int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Fit[float32](context.Background(), x, y,
			Config{Lambda: 1, Tol: 1e18, Workers: workers}); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if one, all := took(1), took(math.MaxInt); all > 3*one {
		t.Errorf("%d bytes by one worker, %d by all", one, all)
	}
}

// What asks for all memory is refused: blocks of all examples of many features, a feature number that is a typo.
func TestMemoryRefused(t *testing.T) {
	wide, err := dataset.NewCSR(1<<26, []int{0, 1, 2}, []int32{0, 1<<26 - 1}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Fit[float64](context.Background(), wide, []int{0, 1}, Config{Lambda: 1})
	want := "67108864 features, of which the examples hold 2 numbers"
	if strconv.IntSize == 32 {
		want = "beyond this machine's memory"
	}
	familytest.Contains(t, err, want)
	many := &dataset.CSR[float64]{Rows: 3000, Cols: 1 << 20, Ptr: make([]int, 3001)}
	y := make([]int, 3000)
	y[0] = 1
	_, err = Fit[float64](context.Background(), many, y, Config{Lambda: 1, BlockSize: math.MaxInt})
	familytest.Contains(t, err,
		"blocks of 3000 examples, with rows of 1048576 numbers: want at most 134217728 numbers in a block")
}
