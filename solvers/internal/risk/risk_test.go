package risk

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// draw returns n examples of d features, a third of them not 0, with classes of k.
func draw[T vec.Float](rng *rand.Rand, n, d, k int) (*dataset.Dense[T], []int) {
	x, y := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](n, d)}, make([]int, n)
	for i := range x.Data {
		if rng.IntN(3) == 0 {
			x.Data[i] = T(rng.NormFloat64() + .5)
		}
	}
	for i := range y {
		y[i] = rng.IntN(k)
	}
	return x, y
}

// storages returns the examples dense, sparse, sparse with columns, decoded and, in float32, as codes.
func storages[T vec.Float](t testing.TB, x *dataset.Dense[T]) map[string]Data[T] {
	t.Helper()
	sparse, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	columns, err := design.WithColumns[T](sparse)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Data[T]{"dense": {X: x}, "sparse": {X: sparse}, "columns": {X: columns},
		"decoded": {X: columns, Decode: true}}
	if narrow, ok := any(x).(*dataset.Dense[float32]); ok {
		q, err := pq.Train(context.Background(), narrow.Matrix, pq.Config{M: narrow.Cols / 2, NBits: 4, Uneven: true,
			Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		codes := make([]byte, x.Rows*q.CodeSize())
		if err := q.Encode(codes, narrow.Matrix, 1); err != nil {
			t.Fatal(err)
		}
		m, err := pq.NewMatrix(q, x.Rows, codes, pq.MatrixOptions{})
		if err != nil {
			t.Fatal(err)
		}
		all["codes"] = Data[T]{X: any(m).(design.Matrix[T])}
		all["decoded codes"] = Data[T]{X: any(m).(design.Matrix[T]), Decode: true}
	}
	return all
}

// variants returns data with and without weights, mean and constant feature.
func variants[T vec.Float](data Data[T], y []int, k int) map[string]Data[T] {
	data.Y, data.Classes = y, k
	weighted, centered, biased := data, data, data
	for i := range y {
		weighted.Weights = append(weighted.Weights, float64(i%4)/2)
	}
	centered.Center(1)
	biased.Bias = -.5
	all := centered
	all.Bias, all.Weights = 2, weighted.Weights
	return map[string]Data[T]{"plain": data, "weights": weighted, "mean": centered, "constant": biased, "all": all}
}

// plain evaluates the risk by plain loops in float64, with the rows A that replace returns in place of w_i (p_i - e_y).
// size is the largest of |x_i| |w_l|, summed without cancellation, and of the sums of a gradient's element.
func plain[T vec.Float](data Data[T], w vec.Matrix[T], replace func(i int, a []float64)) (loss float64, g,
	duals [][]float64, size float64) {
	n, d := data.X.Dims()
	rows := vec.NewMatrix[T](n, d)
	data.X.Gather(rows, nil)
	for range w.Rows {
		g = append(g, make([]float64, data.Classes))
	}
	for i := range n {
		var x []float64
		var sizes []float64
		for j, v := range rows.Row(i) {
			m := 0.0
			if data.Mean != nil {
				m = float64(data.Mean[j])
			}
			x, sizes = append(x, float64(v)-m), append(sizes, math.Abs(float64(v))+math.Abs(m))
		}
		if data.Bias != 0 {
			x, sizes = append(x, float64(data.Bias)), append(sizes, math.Abs(float64(data.Bias)))
		}
		s, most := make([]float64, data.Classes), math.Inf(-1)
		for l := range s {
			sum := 0.0
			for j := range x {
				s[l] += x[j] * float64(w.Row(j)[l])
				sum += sizes[j] * math.Abs(float64(w.Row(j)[l]))
			}
			most, size = max(most, s[l]), max(size, sum)
		}
		weight, sum := 1.0, 0.0
		if data.Weights != nil {
			weight = data.Weights[i]
		}
		for _, v := range s {
			sum += math.Exp(v - most)
		}
		loss += weight * (most + math.Log(sum) - s[data.Y[i]]) / float64(n)
		a := make([]float64, data.Classes)
		for l, v := range s {
			a[l] = weight * math.Exp(v-most) / sum
		}
		a[data.Y[i]] -= weight
		if replace != nil {
			replace(i, a)
		}
		for j := range x {
			size = max(size, sizes[j])
			for l, v := range a {
				g[j][l] += x[j] * v / float64(n)
			}
		}
		duals = append(duals, a)
	}
	return loss, g, duals, size
}

// TestEvaluate: the risk, its gradient and the dual variables are what plain loops find, for every storage, mean,
// constant feature and weights, by any number of workers.
//
// A score of d+3 terms that sum to size at most is off by (d+3) u size, and the offset of the mean by as much; the
// softmax is off by twice that and some roundings, and so are the loss and the rows; an element of the gradient is a
// mean of n such times numbers of at most size. Codes go by sums of tables, which round as much. c = 4 (n+d+k+16)
// covers them all, weights of 1.5 included.
func TestEvaluate(t *testing.T) { prove.Both(t, testEvaluate[float32], testEvaluate[float64]) }

func testEvaluate[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][3]int{{40, 7, 3}, {300, 12, 5}, {700, 150, 4}} { // the last one has several windows
		if testing.Short() && size[0] > 300 {
			continue
		}
		n, d, k := size[0], size[1], size[2]
		x, y := draw[T](rng, n, d, k)
		for storage, data := range storages(t, x) {
			for name, data := range variants(data, y, k) {
				for _, workers := range []int{1, 3} {
					name := fmt.Sprintf("%s, %s, n = %d, %d workers", storage, name, n, workers)
					r := New(data, workers)
					rows, _ := r.Dims()
					w, g := Padded[T](rows, k), Padded[T](rows, k)
					for range 2 {
						for j := range rows {
							for l := range k {
								w.Row(j)[l], g.Row(j)[l] = T(rng.NormFloat64()), T(math.NaN())
							}
						}
						loss, want, duals, magnitude := plain(data, w, nil)
						bound := 4 * float64(n+d+k+16) * prove.Unit[T]() * (1 + magnitude) * (1 + magnitude)
						near(t, name+", loss", r.Evaluate(g, w), loss, bound)
						for j := range rows {
							for l := range k {
								near(t, name+", gradient", float64(g.Row(j)[l]), want[j][l], bound)
							}
						}
						for i := range n {
							for l := range k {
								near(t, name+", duals", float64(r.Duals().Row(i)[l]), duals[i][l], bound)
							}
						}
						replace := func(i int, a []float64) {
							for l := range a {
								a[l] = float64((i+l)%3) - a[l]/2
							}
						}
						loss, want, _, _ = plain(data, w, replace)
						near(t, name+", loss besides other rows", r.EvaluateWith(g, w, func(i int, row []T) {
							for l := range row {
								row[l] = T((i+l)%3) - row[l]/2
							}
						}), loss, bound)
						for j := range rows {
							for l := range k {
								near(t, name+", gradient of other rows", float64(g.Row(j)[l]), want[j][l], 2*bound)
							}
						}
						curvature := 0.0
						// the second difference of the loss at 0 is exact in the limit: see TestDifferences
						for i := range n {
							curvature += variance(data, w, i) / float64(n)
						}
						near(t, name+", curvature", r.Curvature(w), curvature, 4*bound*(1+magnitude))
					}
				}
			}
		}
	}
}

func near(t testing.TB, what string, got, want, bound float64) {
	t.Helper()
	if !(math.Abs(got-want) <= bound) {
		t.Fatalf("%s: %v, want %v, off by %g, bound %g", what, got, want, got-want, bound)
	}
}

// variance is w_i times the variance of the scores of example i.
func variance[T vec.Float](data Data[T], w vec.Matrix[T], i int) float64 {
	_, d := data.X.Dims()
	x := vec.NewMatrix[T](1, d)
	data.X.Gather(x, []int{i})
	mean, squares, k := 0.0, 0.0, float64(data.Classes)
	for l := range data.Classes {
		s := 0.0
		for j, v := range x.Row(0) {
			m := 0.0
			if data.Mean != nil {
				m = float64(data.Mean[j])
			}
			s += (float64(v) - m) * float64(w.Row(j)[l])
		}
		if data.Bias != 0 {
			s += float64(data.Bias) * float64(w.Row(d)[l])
		}
		mean, squares = mean+s/k, squares+s*s/k
	}
	if data.Weights != nil {
		return data.Weights[i] * (squares - mean*mean)
	}
	return squares - mean*mean
}

// TestDifferences: the gradient is the derivative of the value, and Curvature the derivative of the gradient at 0.
func TestDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, d, k, h = 50, 6, 4, 1e-4
	x, y := draw[float64](rng, n, d, k)
	for name, data := range variants(Data[float64]{X: x}, y, k) {
		r := New(data, 1)
		rows, _ := r.Dims()
		w, v, g, other := Padded[float64](rows, k), Padded[float64](rows, k), Padded[float64](rows, k),
			Padded[float64](rows, k)
		along, norm := 0.0, 0.0
		for j := range rows {
			for l := range k {
				w.Row(j)[l], v.Row(j)[l] = rng.NormFloat64(), rng.NormFloat64()
			}
		}
		r.Evaluate(g, w)
		at := func(from float64, step float64) float64 {
			for j := range rows {
				for l := range k {
					other.Row(j)[l] = from*w.Row(j)[l] + step*v.Row(j)[l]
				}
			}
			return r.Evaluate(Padded[float64](rows, k), other)
		}
		for j := range rows {
			along += vec.Dot(g.Row(j), v.Row(j))
			norm += vec.SquaredNorm(v.Row(j))
		}
		longest := 0.0
		for i := range n {
			longest = max(longest, 2*math.Sqrt(vec.SquaredNorm(x.Row(i)))+3)
		}
		// Of third derivatives, |s|³ 2 at most along the scores, and 1.5 for weights; and of the rounding of the
		// values.
		third := 3 * math.Pow(longest*math.Sqrt(norm), 3)
		near(t, name+", slope", (at(1, h)-at(1, -h))/(2*h), along, third*h*h/6+1e-14*10/h)
		near(t, name+", bend", (at(0, h)-2*at(0, 0)+at(0, -h))/(h*h), r.Curvature(v),
			third*longest*math.Sqrt(norm)*3*h*h+1e-15*10/(h*h))
	}
}

// TestFar: scores that differ by 1e4 give their loss, not infinity, and probabilities of 0 and 1.
func TestFar(t *testing.T) { prove.Both(t, testFar[float32], testFar[float64]) }

func testFar[T vec.Float](t *testing.T) {
	x := &dataset.Dense[T]{Matrix: vec.MatrixOf(3, 2, []T{1, 0, 0, 1, 1, 1})}
	for _, far := range []T{70, 1e4} {
		r := New(Data[T]{X: x, Y: []int{1, 0, 0}, Classes: 2}, 1)
		w, g := vec.MatrixOf(2, 2, []T{far, 0, 0, -far}), vec.NewMatrix[T](2, 2)
		// Scores (far, 0), (0, -far), (far, -far) with the classes 1, 0, 0: a loss of far, 0 and 0.
		loss := r.Evaluate(g, w)
		near(t, "loss", loss, float64(far)/3, 4*prove.Unit[T]()*float64(far))
		for p, want := range []T{1. / 3, -1. / 3, 0, 0} {
			if got := g.Data[p]; !(math.Abs(float64(got-want)) <= 4*prove.Unit[T]()) {
				t.Errorf("far = %v: gradient %v", far, g.Data)
			}
		}
	}
}

// TestBits: the same number of workers gives the same bits.
func TestBits(t *testing.T) { prove.Both(t, testBits[float32], testBits[float64]) }

func testBits[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := draw[T](rng, 1500, 300, 6) // several windows
	for storage, data := range storages(t, x) {
		for name, data := range variants(data, y, 6) {
			for _, workers := range []int{1, 2, 5} {
				var losses []float64
				var gradients [][]T
				for range 4 {
					r := New(data, workers)
					rows, k := r.Dims()
					w, g := Padded[T](rows, k), Padded[T](rows, k)
					for j := range rows {
						for l := range k {
							w.Row(j)[l] = T(j%5) - T(l%3)/4
						}
					}
					losses, gradients = append(losses, r.Evaluate(g, w)), append(gradients, g.Data)
				}
				for q := range losses {
					if losses[q] != losses[0] || !slices.Equal(gradients[q], gradients[0]) {
						t.Errorf("%s, %s, %d workers: other bits", storage, name, workers)
					}
				}
			}
		}
	}
}

// TestAllocs: an evaluation by one worker allocates nothing once warm where it goes by a window of rows. Passes over
// all sparse or compressed examples take a few allocations each and for each thousand rows, none for an example.
func TestAllocs(t *testing.T) { prove.Both(t, testAllocs[float32], testAllocs[float64]) }

func testAllocs[T vec.Float](t *testing.T) {
	x, y := draw[T](rand.New(rand.NewPCG(7, 8)), 2000, 20, 6)
	for storage, data := range storages(t, x) {
		for name, data := range variants(data, y, 6) {
			r := New(data, 1)
			rows, k := r.Dims()
			w, g := Padded[T](rows, k), Padded[T](rows, k)
			if allocs := prove.Allocs(5, func() { r.Evaluate(g, w) }); allocs > 0 && (r.window > 0 || allocs > 40) {
				t.Errorf("%s, %s: %v allocations", storage, name, allocs)
			}
		}
	}
}

// TestSome: the examples rows of the data with their classes and weights, and the mean of all.
func TestSome(t *testing.T) {
	x, y := draw[float64](rand.New(rand.NewPCG(9, 10)), 60, 5, 3)
	rows := []int{3, 4, 10, 59}
	for storage, data := range storages(t, x) {
		for name, data := range variants(data, y, 3) {
			some := data.Some(rows)
			r := New(some, 1)
			d, k := r.Dims()
			w, g := Padded[float64](d, k), Padded[float64](d, k)
			for j := range d {
				w.Row(j)[j%k] = 1
			}
			got := r.Evaluate(g, w)
			want := Data[float64]{X: design.Subset[float64](x, rows), Classes: 3, Mean: data.Mean, Bias: data.Bias}
			for _, i := range rows {
				want.Y = append(want.Y, y[i])
				if data.Weights != nil {
					want.Weights = append(want.Weights, data.Weights[i])
				}
			}
			loss, _, _, _ := plain(want, w, nil)
			near(t, storage+", "+name, got, loss, 1e-13*(1+loss))
		}
	}
}

// TestFloat64: the data in float64 are the same numbers.
func TestFloat64(t *testing.T) {
	x, y := draw[float32](rand.New(rand.NewPCG(11, 12)), 80, 6, 3)
	for storage, data := range storages(t, x) {
		for name, data := range variants(data, y, 3) {
			r := New(data.Float64(), 2)
			d, k := r.Dims()
			narrow, w, g := Padded[float32](d, k), Padded[float64](d, k), Padded[float64](d, k)
			for j := range d {
				narrow.Row(j)[j%k], w.Row(j)[j%k] = .5, .5
			}
			loss, _, _, size := plain(data, narrow, nil)
			near(t, storage+", "+name, r.Evaluate(g, w), loss, 1e-13*(1+size))
		}
	}
}

// TestWindowsOfWorkers: workers take all windows, also where the number of workers does not divide the number of
// windows.
func TestWindowsOfWorkers(t *testing.T) {
	const n, d, k = 3353, 150, 4
	x, y := draw[float64](rand.New(rand.NewPCG(7, 8)), n, d, k)
	data := Data[float64]{X: x, Y: y, Classes: k}
	w := Padded[float64](d, k)
	for j := range d {
		for l := range k {
			w.Row(j)[l] = float64(j%5)/50 - float64(l%3)/40
		}
	}
	loss, want, duals, magnitude := plain(data, w, nil)
	bound := 4 * (n + d + k + 16) * prove.Unit[float64]() * (1 + magnitude) * (1 + magnitude)
	uneven := 0
	for workers := 1; workers <= 8; workers++ {
		r, g := New(data, workers), Padded[float64](d, k)
		if windows := (n + r.window - 1) / r.window; windows%r.workers != 0 {
			uneven++
		}
		near(t, fmt.Sprintf("loss by %d workers", workers), r.Evaluate(g, w), loss, bound)
		for j := range d {
			for l := range k {
				near(t, fmt.Sprintf("gradient by %d workers", workers), g.Row(j)[l], want[j][l], bound)
			}
		}
		for i := range n {
			for l := range k {
				near(t, fmt.Sprintf("row %d by %d workers", i, workers), r.Duals().Row(i)[l], duals[i][l], bound)
			}
		}
	}
	if uneven == 0 {
		t.Error("every number of workers divides the number of windows")
	}
}

// TestWindow: a window is as many examples, a multiple of 16, as 400 KiB hold, but 64 at least and no more than all.
func TestWindow(t *testing.T) {
	for _, c := range []struct{ n, d, single, double int }{
		{120000, 1, 102400, 51200},
		{120000, 0, 102400, 51200},
		{60000, 3, 34128, 17056},
		{3000, 100, 1024, 512},
		{40, 100, 40, 40},
		{200, 5000, 64, 64},
	} {
		one := New(Data[float32]{X: sized[float32](c.n, c.d), Classes: 1}, 1)
		two := New(Data[float64]{X: sized[float64](c.n, c.d), Classes: 1}, 1)
		if one.window != c.single || two.window != c.double {
			t.Errorf("%d examples of %d features: windows of %d in float32 and %d in float64, want %d and %d", c.n, c.d,
				one.window, two.window, c.single, c.double)
		}
	}
}

// sized is a matrix that has sizes, and no numbers.
func sized[T vec.Float](n, d int) *dataset.Dense[T] {
	return &dataset.Dense[T]{Matrix: vec.Matrix[T]{Rows: n, Cols: d, Stride: d}}
}
