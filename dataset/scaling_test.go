package dataset

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func ExampleStandardize() {
	train, _ := NewDense(vec.MatrixOf(4, 2, []float32{1, 7, 1, 7, 5, 7, 5, 7}))
	test, _ := NewDense(vec.MatrixOf(1, 2, []float32{9, 8}))
	s, err := Standardize(train)
	if err != nil {
		fmt.Println(err)
		return
	}
	a, _ := train.Scaled(s)
	b, _ := test.Scaled(s)
	fmt.Println("shift", s.Shift, "factor", s.Factor)
	fmt.Println(a.Data, b.Data)
	// Output:
	// shift [3 7] factor [0.5 1]
	// [-1 0 -1 0 1 0 1 0] [3 1]
}

func ExampleMinMax() {
	x, _ := NewCSR(2, []int{0, 1, 3}, []int32{1, 0, 1}, []float64{4, 5, 2})
	s, err := MinMax(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	y, _ := x.Scaled(s)
	fmt.Println(s.Factor, y.Val)
	// Output: [0.2 0.5] [2 1 1]
}

func ExampleScaling_unitRows() {
	x, _ := NewDense(vec.MatrixOf(3, 2, []float64{3, 4, 0, 0, 0, -2}))
	y, err := x.Scaled(&Scaling{UnitRows: true})
	fmt.Println(y.Data, err)
	// Output: [0.6 0.8 0 0 0 -1] <nil>
}

// randomStorages returns the same numbers as a Dense and a CSR, with constant columns, far ones and columns of zeros.
func randomStorages(t *testing.T, rng *rand.Rand) (*Dense[float64], *CSR[float64]) {
	t.Helper()
	m := vec.NewMatrix[float64](1+rng.IntN(30), rng.IntN(8))
	for j := range m.Cols {
		kind, scale := rng.IntN(4), math.Exp2(float64(rng.IntN(60)-30))
		for i := range m.Rows {
			switch v := &m.Row(i)[j]; kind {
			case 0:
				*v = scale / 3
			case 1:
				*v = scale * (1e6 + rng.Float64())
			case 2:
				*v = scale * float64(max(0, rng.IntN(9)-5))
			case 3:
				*v = scale * rng.NormFloat64()
			}
		}
	}
	a, err := NewDense(m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := a.CSR()
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

// exact returns mean and variance in 400 bits, which hold sums of squares of these numbers with nothing lost.
func exact(a *Dense[float64], j int) (mean, variance float64) {
	number := func(v float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(v) }
	n, sum, square := number(float64(a.Rows)), number(0), number(0)
	for i := range a.Rows {
		v := number(a.Row(i)[j])
		sum.Add(sum, v)
		square.Add(square, new(big.Float).Mul(v, v))
	}
	sum.Quo(sum, n)
	square.Quo(square, n)
	square.Sub(square, new(big.Float).Mul(sum, sum))
	mean, _ = sum.Float64()
	variance, _ = square.Float64()
	return mean, variance
}

// The mean is a sum of n terms, off by n roundings of Σ|v|/n at most, and its quotient. The sum of squares of
// differences from it is off by 2 roundings a difference, 1 a square and n of the sum; the zeros of a sparse column add
// 3. What the mean is off by, δ, adds n δ², which the correction takes away but for its rounding; leaving all of it in
// the bound adds δ²/σ². The quotients and the root add 3, and the root halves what stands below it: the bound does not
// use that.
func TestStandardizeAgainstExact(t *testing.T) {
	const u = 0x1p-53
	rng := rand.New(rand.NewPCG(14, 15))
	for range 500 {
		a, b := randomStorages(t, rng)
		s, err := Standardize(a)
		if err != nil {
			t.Fatal(err)
		}
		sparse, err := Standardize(b)
		if err != nil || sparse.Shift != nil || len(s.Shift) != a.Cols {
			t.Fatal(sparse, err)
		}
		n := float64(a.Rows)
		for j := range a.Cols {
			mean, variance := exact(a, j)
			size, constant := 0.0, true
			for i := range a.Rows {
				size += math.Abs(a.Row(i)[j]) / n
				constant = constant && a.Row(i)[j] == a.Row(0)[j]
			}
			if constant {
				if s.Shift[j] != a.Row(0)[j] || s.Factor[j] != 1 || sparse.Factor[j] != 1 {
					t.Fatalf("constant column %v: shift %v, factors %v and %v", a.Row(0)[j], s.Shift[j], s.Factor[j],
						sparse.Factor[j])
				}
				continue
			}
			delta := (n + 2) * u * size
			if math.Abs(s.Shift[j]-mean) > delta {
				t.Fatalf("mean %v, want %v within %v", s.Shift[j], mean, delta)
			}
			want := 1 / math.Sqrt(variance)
			bound := want * ((n+12)*u + delta*delta/variance)
			for _, got := range []float64{s.Factor[j], sparse.Factor[j]} {
				if math.Abs(got-want) > bound {
					t.Fatalf("factor %v, want %v within %v", got, want, bound)
				}
			}
		}
		checkScaled(t, a, b, s, sparse)
	}
}

// Far from 0 the mean cannot be a float64, and the correction has to mend all that it is off by. Differences and
// squares are exact here; left are the quotients, a difference and the root.
func TestStandardizeFarFromZero(t *testing.T) {
	const far = 1 << 52
	a := &Dense[float64]{vec.MatrixOf(3, 1, []float64{far, far, far + 1})}
	s, err := Standardize(a)
	if want := math.Sqrt(4.5); err != nil || math.Abs(s.Factor[0]-want) > 8*0x1p-53*want {
		t.Errorf("factor %v, %v, want %v", s.Factor, err, want)
	}
}

func TestMinMaxAgainstDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 17))
	for range 500 {
		a, b := randomStorages(t, rng)
		s, err := MinMax(a)
		if err != nil {
			t.Fatal(err)
		}
		sparse, err := MinMax(b)
		if err != nil || sparse.Shift != nil || !slices.Equal(s.Factor, sparse.Factor) {
			t.Fatal(s, sparse, err)
		}
		for j := range a.Cols {
			column := make([]float64, a.Rows)
			for i := range column {
				column[i] = a.Row(i)[j]
			}
			low, high := slices.Min(column), slices.Max(column)
			want := 1.0
			if low != high {
				want = 1 / (high - low)
			}
			if s.Shift[j] != low || s.Factor[j] != want {
				t.Fatalf("column %v: shift %v, factor %v", column, s.Shift[j], s.Factor[j])
			}
		}
		checkScaled(t, a, b, s, sparse)
	}
}

// checkScaled compares with the definition, number by number.
func checkScaled(t *testing.T, a *Dense[float64], b *CSR[float64], s, sparse *Scaling) {
	t.Helper()
	for _, unit := range []bool{false, true} {
		s.UnitRows, sparse.UnitRows = unit, unit
		x, err := a.Scaled(s)
		if err != nil {
			t.Fatal(err)
		}
		y, err := b.Scaled(sparse)
		if err != nil || y.Validate() != nil || !slices.Equal(y.Ptr, b.Ptr) || !slices.Equal(y.Idx, b.Idx) {
			t.Fatal(y, err)
		}
		z, err := y.Dense()
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Rows {
			shifted, plain := make([]float64, a.Cols), make([]float64, a.Cols)
			for j, v := range a.Row(i) {
				shifted[j], plain[j] = (v-s.Shift[j])*s.Factor[j], v*sparse.Factor[j]
			}
			checkRow(t, x.Row(i), shifted, unit)
			checkRow(t, z.Row(i), plain, unit)
		}
	}
}

// checkRow wants row, or with unit row/|row|. Of a norm: d squares of 3 roundings, d sums, a root, then two quotients.
func checkRow(t *testing.T, got, row []float64, unit bool) {
	t.Helper()
	norm := 0.0
	for _, v := range row {
		norm = math.Hypot(norm, v) // each within an ulp
	}
	for j, v := range row {
		if unit && norm > 0 {
			v /= norm
		} else if got[j] != v {
			t.Fatalf("scaled to %v, want %v", got, row)
		}
		if bound := float64(4*len(row)+8) * 0x1p-53 * math.Abs(v); math.Abs(got[j]-v) > bound {
			t.Fatalf("row %v scaled to %v, norm %v", row, got, norm)
		}
	}
}

// Norms whose squares a float64 does not hold.
func TestUnitRowsOfExtremes(t *testing.T) {
	for _, scale := range []float64{1e-320, 1e-200, 1e200, 1e307} {
		x := &Dense[float64]{vec.MatrixOf(1, 2, []float64{3 * scale, 4 * scale})}
		y, err := x.Scaled(&Scaling{UnitRows: true})
		want := math.Abs(3*scale) / math.Hypot(3*scale, 4*scale)
		if scale == 1e-320 {
			want = 3 * scale / (4 * scale) / math.Hypot(3*scale/(4*scale), 1) // a norm of few bits is no truth
		}
		if err != nil || math.Abs(y.Data[0]-want) > 16*0x1p-53 {
			t.Errorf("%v: %v, %v, want %v", scale, y, err, want)
		}
	}
}

func TestScalingErrors(t *testing.T) {
	dense := func(v ...float64) *Dense[float64] { return &Dense[float64]{vec.MatrixOf(len(v), 1, v)} }
	inf := math.Inf(1)
	for want, call := range map[string]func() error{
		"fitted on 0 examples of 3 features": func() error {
			_, err := Standardize(&Dense[float32]{vec.NewMatrix[float32](0, 3)})
			return err
		},
		"fitted on 0 examples of 2 features": func() error {
			_, err := MinMax(&CSR[float32]{Cols: 2, Ptr: []int{0}})
			return err
		},
		"column 0, from -1e+308 to 1e+308, has the factor 0": func() error {
			_, err := MinMax(dense(1e308, -1e308))
			return err
		},
		"column 0, from 0 to 5e-324, has the factor +Inf": func() error {
			_, err := MinMax(dense(0, 5e-324))
			return err
		},
		"column 0, from 1e+200 to 2e+200, has the factor": func() error {
			_, err := Standardize(dense(1e200, 2e200))
			return err
		},
		"2 shifts and 0 factors of 1 columns": func() error {
			_, err := dense(1).Scaled(&Scaling{Shift: []float64{1, 2}})
			return err
		},
		"1 shifts and 2 factors of 1 columns": func() error {
			_, err := dense(1).Scaled(&Scaling{Shift: []float64{1}, Factor: []float64{1, 2}})
			return err
		},
		"column 0 is shifted by NaN": func() error {
			_, err := dense(1).Scaled(&Scaling{Shift: []float64{math.NaN()}})
			return err
		},
		"column 0 has the factor +Inf": func() error {
			_, err := dense(1).Scaled(&Scaling{Factor: []float64{inf}})
			return err
		},
		"row 1, column 0: scaled value +": func() error {
			_, err := dense(1, 1e300).Scaled(&Scaling{Factor: []float64{1e300}})
			return err
		},
		"row 0, column 0: scaled value +": func() error {
			_, err := dense(1e300).Scaled(&Scaling{Factor: []float64{1e300}, UnitRows: true})
			return err
		},
		"column 1 is shifted by 3, which would fill": func() error {
			_, err := (&CSR[float64]{Rows: 1, Cols: 2, Ptr: []int{0, 0}}).Scaled(&Scaling{Shift: []float64{0, 3}})
			return err
		},
		"row 0, column 1: scaled value 1e+40 is beyond": func() error {
			x := &CSR[float32]{Rows: 1, Cols: 2, Ptr: []int{0, 1}, Idx: []int32{1}, Val: []float32{1}}
			_, err := x.Scaled(&Scaling{Factor: []float64{0, 1e40}})
			return err
		},
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), "dataset: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
