// Package hostile draws problems that numbers make hard, for tests: data of 1e-150 to 1e150, constant features, rows of
// 0, rows that are equal and labels that contradict each other, an example a class, numbers that are none; and
// parameters as extreme. Whatever comes, a training ends with an error that says why or with a certificate that is
// true.
package hostile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/vec"
)

// Problem is examples with a class each, and what is special about them.
type Problem struct {
	Name    string
	X       vec.Matrix[float64]
	Y       []int
	Classes int
	NaN     bool // there is a number that is not finite: to train is an error
}

// Draw returns a problem.
func Draw(rng *rand.Rand) Problem {
	n, d, m := 2+rng.IntN(22), 1+rng.IntN(7), 2+rng.IntN(3)
	p := Problem{X: vec.NewMatrix[float64](n, d), Classes: m}
	for i := range n {
		p.Y = append(p.Y, rng.IntN(m))
		for j := range d {
			p.X.Row(i)[j] = rng.NormFloat64()
		}
		p.X.Row(i)[p.Y[i]%d]++
	}
	names := []string{fmt.Sprintf("%d by %d, %d classes", n, d, m)}
	for range 1 + rng.IntN(3) {
		s := specials[rng.IntN(len(specials))]
		names = append(names, s(rng, &p))
	}
	p.Y[0], p.Y[1] = 0, 1 // two classes at least
	for _, v := range p.X.Data {
		p.NaN = p.NaN || v-v != 0
	}
	p.Name = strings.Join(names, ", ")
	return p
}

// specials change a problem and say how.
var specials = []func(rng *rand.Rand, p *Problem) string{
	func(rng *rand.Rand, p *Problem) string {
		e := float64(rng.IntN(301) - 150)
		p.each(func(_, _ int, v float64) float64 { return v * math.Pow(10, e) })
		return fmt.Sprintf("times 1e%g", e)
	},
	func(rng *rand.Rand, p *Problem) string {
		e := float64(rng.IntN(37) - 18)
		p.each(func(_, _ int, v float64) float64 { return v * math.Pow(10, e) })
		return fmt.Sprintf("times 1e%g", e)
	},
	func(rng *rand.Rand, p *Problem) string {
		at, e := rng.IntN(p.X.Cols), float64(rng.IntN(19))
		p.each(func(_, j int, v float64) float64 {
			if j == at {
				return math.Pow(10, e)
			}
			return v
		})
		return fmt.Sprintf("feature %d is 1e%g", at, e)
	},
	func(rng *rand.Rand, p *Problem) string {
		e := float64(rng.IntN(12))
		p.each(func(_, _ int, v float64) float64 { return v + math.Pow(10, e) })
		return fmt.Sprintf("plus 1e%g", e)
	},
	func(rng *rand.Rand, p *Problem) string {
		scales := make([]float64, p.X.Cols)
		for j := range scales {
			scales[j] = math.Pow(10, float64(rng.IntN(25)-12))
		}
		p.each(func(_, j int, v float64) float64 { return v * scales[j] })
		return fmt.Sprintf("features times %.0e", scales)
	},
	func(rng *rand.Rand, p *Problem) string {
		zero := rng.IntN(p.X.Rows)
		p.each(func(i, _ int, v float64) float64 {
			if i == zero {
				return 0
			}
			return v
		})
		return fmt.Sprintf("row %d is 0", zero)
	},
	func(rng *rand.Rand, p *Problem) string {
		p.each(func(_, _ int, v float64) float64 { return 0 })
		return "all 0"
	},
	func(rng *rand.Rand, p *Problem) string {
		distinct := 1 + rng.IntN(3)
		for i := distinct; i < p.X.Rows; i++ {
			copy(p.X.Row(i), p.X.Row(i%distinct))
		}
		return fmt.Sprintf("%d rows that are not equal", distinct)
	},
	func(rng *rand.Rand, p *Problem) string {
		p.each(func(_, _ int, v float64) float64 { return math.Round(v) })
		return "small integers"
	},
	func(rng *rand.Rand, p *Problem) string {
		for i := range p.Y {
			p.Y[i] = 0
		}
		return "one example of class 1"
	},
	func(rng *rand.Rand, p *Problem) string {
		n := min(p.X.Rows, p.Classes)
		p.X, p.Y = vec.MatrixOf(n, p.X.Cols, p.X.Data[:n*p.X.Cols]), slices.Clone(p.Y[:n])
		for i := range p.Y {
			p.Y[i] = i
		}
		return "an example a class"
	},
	func(rng *rand.Rand, p *Problem) string {
		v := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[rng.IntN(3)]
		i, j := rng.IntN(p.X.Rows), rng.IntN(p.X.Cols)
		p.X.Row(i)[j] = v
		return fmt.Sprintf("%v in row %d, column %d", v, i, j)
	},
}

func (p *Problem) each(f func(i, j int, v float64) float64) {
	for i := range p.X.Rows {
		for j, v := range p.X.Row(i) {
			if v-v == 0 {
				p.X.Row(i)[j] = f(i, j, v)
			}
		}
	}
}

// Sparse returns X in compressed rows, as dataset.CSR has it, and at times something that is no such thing: then broken
// says what.
func (p *Problem) Sparse(rng *rand.Rand) (ptr []int, columns []int32, values []float64, broken string) {
	ptr = []int{0}
	for i := range p.X.Rows {
		for j, v := range p.X.Row(i) {
			if v != 0 || rng.IntN(4) == 0 {
				columns, values = append(columns, int32(j)), append(values, v)
			}
		}
		ptr = append(ptr, len(columns))
	}
	if rng.IntN(5) > 0 || len(columns) == 0 {
		return ptr, columns, values, ""
	}
	at := rng.IntN(len(columns))
	switch rng.IntN(7) {
	case 0:
		columns[at] = int32(p.X.Cols + rng.IntN(3))
		return ptr, columns, values, "a column out of range"
	case 1:
		columns[at] = []int32{math.MaxInt32, math.MinInt32, -1, 1 << 20}[rng.IntN(4)]
		return ptr, columns, values, "a column far out of range"
	case 2:
		return ptr, columns, values[:at], "too few values"
	case 3:
		return ptr, columns[:at], values, "too few columns"
	case 4:
		return ptr[:len(ptr)-1], columns, values, "a row less"
	case 5:
		ptr[len(ptr)-1] += 1 + rng.IntN(100)
		return ptr, columns, values, "rows that end beyond the values"
	}
	ptr[rng.IntN(len(ptr))] = []int{-1, math.MaxInt, math.MinInt}[rng.IntN(3)]
	return ptr, columns, values, "a pointer that is none"
}

// Number returns a parameter: as a rule 1e-6 to 1e6, at times any number, and at times one that is none for sure.
func Number(rng *rand.Rand) float64 {
	switch rng.IntN(60) {
	case 0, 1:
		return math.Pow(10, float64(rng.IntN(401)-200))
	case 2:
		return []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
			math.SmallestNonzeroFloat64}[rng.IntN(7)]
	}
	return math.Pow(10, 12*rng.Float64()-6)
}

// Part returns a number that is to be above 0 and below 1, as a rule.
func Part(rng *rand.Rand) float64 {
	if rng.IntN(20) == 0 {
		return Number(rng)
	}
	return rng.Float64()
}

// Count returns a number of things, at times one that is none or more than there can be.
func Count(rng *rand.Rand, usual int) int {
	if rng.IntN(40) == 0 {
		return []int{-1, math.MinInt, math.MaxInt, 1 << 30, 1<<31 - 1, math.MaxInt/64 + 3}[rng.IntN(6)]
	}
	return rng.IntN(usual + 1)
}

// Outputs returns a number of classes: as many as there are or some more, at times more than any machine has memory
// for.
func Outputs(rng *rand.Rand, classes int) int {
	if rng.IntN(30) == 0 {
		return []int{-1, math.MinInt, math.MaxInt, math.MaxInt/64 + 3}[rng.IntN(4)]
	}
	return classes + rng.IntN(3)/2
}

// Workers returns a number of goroutines, at times far more than there is work for.
func Workers(rng *rand.Rand) int {
	return []int{0, 1, 2, 5, 1 << 20, math.MaxInt32, math.MaxInt/64 + 1, math.MaxInt}[rng.IntN(8)]
}
