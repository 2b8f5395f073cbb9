package kernel

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

func ExampleExpansion_Compress() {
	x := &dataset.Dense[float64]{Matrix: vec.MatrixOf(5, 1, []float64{0, 2, 2, 2.01, 5})}
	k, err := New(design.Matrix[float64](x), Gaussian{Gamma: 1}, 0)
	if err != nil {
		panic(err)
	}
	m, err := NewExpansion(k, vec.MatrixOf(5, 1, []float64{1, -1, -1, 1, .5}), nil)
	if err != nil {
		panic(err)
	}
	merged, distance, err := m.Compress(0) // 2 twice
	if err != nil {
		panic(err)
	}
	fmt.Println(merged.Support(), merged.Coefficients().Data, distance)
	small, distance, err := m.Compress(.1) // 2.01 is near 2
	if err != nil {
		panic(err)
	}
	fmt.Println(small.Support(), distance <= .1)
	// Output:
	// [0 1 3 4] [1 -2 1 0.5] 0
	// [0 3 4] true
}

func TestCompress(t *testing.T) { prove.Both(t, compressions[float32], compressions[float64]) }

// compressions: what Compress says of the distance and of the scores holds, and more distance needs fewer support
// vectors.
func compressions[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	const n, d, outputs = 90, 5, 2
	for _, density := range []float64{.05, 1} {
		for name, x := range draw[T](rng, n, d, density) {
			for _, k := range kernels {
				matrix, err := New(x, k, 0)
				if err != nil {
					t.Fatal(err)
				}
				a := coefficients[T](rng, n, outputs)
				checkCompressions(t, fmt.Sprintf("%s, %.2f, %#v", name, density, k), matrix, a)
			}
		}
	}
}

func checkCompressions[T vec.Float](t *testing.T, name string, k *Matrix[T], a vec.Matrix[T]) {
	t.Helper()
	m, err := NewExpansion(k, a, []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	m = m.WithNotes(map[string]string{"threshold": ".5"})
	norm, _ := distanceOf(k, a, nil)
	before := len(m.Support())
	for _, part := range []float64{0, 1e-3, .1, 2} {
		tolerance := part * norm
		small, distance, err := m.Compress(tolerance)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if part > 0 && !(distance <= tolerance) {
			t.Errorf("%s: distance %v, want at most %v", name, distance, tolerance)
		}
		if own, rounding := distanceOf(k, a, small); own*own-rounding > distance*distance {
			t.Errorf("%s: distance %v, told %v", name, own, distance)
		}
		if fewer := len(small.Support()); fewer > before || part == .1 && fewer > len(m.Support())*9/10 {
			t.Errorf("%s: %d support vectors for %v |w|, %d for less", name, len(small.Support()), part, before)
		}
		before = len(small.Support())
		if part == 2 && before != 0 {
			t.Errorf("%s: %d support vectors where none are as near", name, before)
		}
		var file bytes.Buffer
		if _, err := small.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		read, err := ReadExpansion[T](&file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sameModel(t, read, small)
		if small.Notes()["threshold"] != ".5" || len(small.Names()) != 2 || small.Len() != m.Len() {
			t.Errorf("%s: notes %v, names %v, %d examples", name, small.Notes(), small.Names(), small.Len())
		}
	}
}

// distanceOf is |w - w'|, the largest over outputs, from K in float64; w' is 0 for nil. rounding is how far rounding
// takes its square, and Compress's: sums of 2n products, and 4 (d+3) eps of up to 6 sqrt(K_ii K_jj) for each number of
// K, as in TestRows.
func distanceOf[T vec.Float](k *Matrix[T], a vec.Matrix[T], small *Expansion[T]) (largest, rounding float64) {
	wide, err := k.Float64()
	if err != nil {
		panic(err)
	}
	d := vec.NewMatrix[float64](a.Rows, a.Cols)
	for i := range a.Rows {
		vec.Convert(d.Row(i), a.Row(i))
	}
	if small != nil {
		for p, i := range small.Support() {
			for c, v := range small.Coefficients().Row(p) {
				d.Row(i)[c] -= float64(v)
			}
		}
	}
	f := vec.NewMatrix[float64](a.Rows, a.Cols)
	wide.Multiply(f, d, 1)
	diagonal := make([]float64, a.Rows)
	wide.Diagonal(diagonal)
	for c := range a.Cols {
		square, size := 0.0, 0.0
		for i := range a.Rows {
			square += d.At(i, c) * f.At(i, c)
			size += math.Abs(d.At(i, c)) * math.Sqrt(diagonal[i])
		}
		largest = max(largest, math.Sqrt(max(0, square)))
		rounding = max(rounding, float64(2*a.Rows+3+2*48*(k.d+3))*prove.Unit[float64]()*size*size)
	}
	return largest, rounding
}

// TestCompressScores: the bound on scores holds, and is reached where x points along w - w', which makes this test fail
// if the distance were told a little too small.
func TestCompressScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	const n, d = 60, 8
	x := vec.NewMatrix[float64](n, d)
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	k, err := New(design.Matrix[float64](&dataset.Dense[float64]{Matrix: x}), Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewExpansion(k, coefficients[float64](rng, n, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	small, distance, err := m.Compress(3)
	if err != nil || len(small.Support()) == 0 {
		t.Fatal(small.Support(), err)
	}
	weights := func(m *Expansion[float64]) []float64 {
		w := make([]float64, d)
		for p, i := range m.Support() {
			vec.Axpy(m.Coefficients().Row(p)[0], x.Row(i), w)
		}
		return w
	}
	z := vec.NewMatrix[float64](n+1, d)
	copy(z.Data, x.Data)
	copy(z.Row(n), weights(m))
	vec.Axpy(-1, weights(small), z.Row(n))
	f, g := vec.NewMatrix[float64](n+1, 1), vec.NewMatrix[float64](n+1, 1)
	if err := m.Scores(f, &dataset.Dense[float64]{Matrix: z}, nil); err != nil {
		t.Fatal(err)
	}
	if err := small.Scores(g, &dataset.Dense[float64]{Matrix: z}, nil); err != nil {
		t.Fatal(err)
	}
	for i := range z.Rows {
		size := math.Sqrt(vec.SquaredNorm(z.Row(i)))
		// A score is a sum of n products of sums of d: 4 (n+d) u of their magnitudes, as in TestExpansion.
		slack := 4 * float64(n+d) * prove.Unit[float64]() * size * 10 * float64(n)
		if change := math.Abs(f.Data[i] - g.Data[i]); change > distance*size+slack {
			t.Errorf("row %d: the score changes by %v, bound %v", i, change, distance*size)
		} else if i == n && change < distance*size*(1-1e-9) {
			t.Errorf("along w - w' the score changes by %v, less than %v: the bound is not sharp",
				change, distance*size)
		}
	}
}

// TestCompressMerges: support vectors with the same features become one, exactly, and those whose coefficients are 0
// then are dropped.
func TestCompressMerges(t *testing.T) { prove.Both(t, merges[float32], merges[float64]) }

func merges[T vec.Float](t *testing.T) {
	rows := [][]T{{1, 0, 2}, {0, 3, 0}, {1, 0, 2}, {5, 5, 5}, {0, 3, 0}, {1, 0, 2}, {7, 0, 0}}
	a := vec.MatrixOf(7, 1, []T{1, 2, 3, 0, -2, 4, .5})
	dense := &dataset.Dense[T]{Matrix: vec.NewMatrix[T](7, 3)}
	for i, row := range rows {
		copy(dense.Row(i), row)
	}
	wide := &dataset.CSR[T]{Rows: 7, Cols: 99, Ptr: []int{0}} // sparse enough
	for i := range rows {
		for j, v := range rows[i] {
			if v != 0 {
				wide.Idx, wide.Val = append(wide.Idx, int32(40*j)), append(wide.Val, v)
			}
		}
		wide.Ptr = append(wide.Ptr, len(wide.Val))
	}
	for name, x := range map[string]design.Matrix[T]{"dense": dense, "sparse": wide} {
		k, err := New(x, Gaussian{Gamma: .1}, 0)
		if err != nil {
			t.Fatal(err)
		}
		m, err := NewExpansion(k, a, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, sparse := m.vectors.(*sparseVectors[T]); sparse != (name == "sparse") {
			t.Fatalf("%s: support vectors are %T", name, m.vectors)
		}
		small, distance, err := m.Compress(0)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(small.Support(), small.Coefficients().Data) != "[0 6] [8 0.5]" || distance != 0 {
			t.Errorf("%s: %v, %v, distance %v", name, small.Support(), small.Coefficients().Data, distance)
		}
		before, after := vec.NewMatrix[T](7, 1), vec.NewMatrix[T](7, 1)
		if err := m.Scores(before, x, nil); err != nil {
			t.Fatal(err)
		}
		if err := small.Scores(after, x, nil); err != nil {
			t.Fatal(err)
		}
		for i, f := range before.Data {
			// TestExpansion's bound, of sum |a| = 12.
			if off := math.Abs(float64(f - after.Data[i])); off > 100*12*prove.Unit[T]() {
				t.Errorf("%s: score %d is %v, was %v", name, i, after.Data[i], f)
			}
		}
	}
}

func TestCompressErrors(t *testing.T) {
	x := &dataset.Dense[float32]{Matrix: vec.MatrixOf(2, 1, []float32{1, 1})}
	k, err := New(design.Matrix[float32](x), Linear{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewExpansion(k, vec.MatrixOf(2, 1, []float32{0x1p127, 0x1p127}), nil)
	if err != nil {
		t.Fatal(err)
	}
	given, err := Precomputed(vec.MatrixOf(2, 2, []float32{1, 1, 1, 1}))
	if err != nil {
		t.Fatal(err)
	}
	pre, err := NewExpansion(given, vec.MatrixOf(2, 1, []float32{1, 2}), nil)
	if err != nil {
		t.Fatal(err)
	}
	to := func(m *Expansion[float32], tolerance float64) func() error {
		return func() error { _, _, err := m.Compress(tolerance); return err }
	}
	for want, f := range map[string]func() error{
		"exceeds the largest float32":               to(m, 0),
		"a tolerance of -1, want a finite number":   to(m, -1),
		"a tolerance of NaN, want a finite number":  to(m, math.NaN()),
		"a tolerance of +Inf, want a finite number": to(m, math.Inf(1)),
		"a model of a precomputed kernel":           to(pre, 0),
		"the zero Expansion":                        to(new(Expansion[float32]), 0),
	} {
		err := f()
		if err == nil || !strings.HasPrefix(err.Error(), "kernel: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
