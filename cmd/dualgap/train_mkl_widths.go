package main

import (
	"math"
	"slices"
	"strconv"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// gaussians is the word for Gaussian kernels whose widths fit the distances between examples.
const gaussians = "gaussians"

// spelled returns the words with Gaussian kernels that fit the examples in place of the word gaussians.
func spelled[T vec.Float](words []string, x design.Matrix[T]) (all []string) {
	for _, word := range words {
		if word != gaussians {
			all = append(all, word)
			continue
		}
		for _, gamma := range widths(x) {
			all = append(all, "gaussian:"+strconv.FormatFloat(gamma, 'g', 3, 64))
		}
	}
	return all
}

// sampled is the number of examples whose distances stand for all.
const sampled = 1000

// widths returns three gammas of Gaussian kernels: gamma |x - z|² is 2 at the median of all pairs of examples with the
// first, and at the median of nearest neighbours with the last; the second is their geometric mean. The mean of
// |x - z|² would go by the largest features and by outliers. Where distances do not tell, it returns one gamma,
// gammaOf's.
func widths[T vec.Float](x design.Matrix[T]) []float64 {
	n, _ := x.Dims()
	rows := make([]int, min(n, sampled))
	for p := range rows {
		rows[p] = p * n / len(rows)
	}
	between := squaredDistances(x, rows)
	var pairs, nearest []float64
	for i := range rows {
		least := math.Inf(1)
		for j, v := range between.Row(i) {
			if v > 0 { // no copy
				least = min(least, v)
				if j < i {
					pairs = append(pairs, v)
				}
			}
		}
		nearest = append(nearest, least)
	}
	wide, narrow := 2/median(pairs), 2/median(nearest)
	if !(wide > 0 && narrow < math.MaxFloat32) {
		return []float64{gammaOf(x)}
	}
	return slices.Compact([]float64{wide, math.Sqrt(wide) * math.Sqrt(narrow), narrow})
}

// squaredDistances returns |x - z|² of all pairs of these rows.
func squaredDistances[T vec.Float](x design.Matrix[T], rows []int) vec.Matrix[float64] {
	wide, between := design.Float64(x), vec.NewMatrix[float64](len(rows), len(rows))
	if !design.IsSparse(x) {
		_, d := x.Dims()
		some := vec.NewMatrix[float64](len(rows), d)
		wide.Gather(some, rows)
		vec.SquaredDistances(between, some, some)
		return between
	}
	wide.Gram(between, rows, rows)
	norms := make([]float64, len(rows))
	for i := range norms {
		norms[i] = between.Row(i)[i]
	}
	for i := range norms {
		for j, v := range between.Row(i) {
			size := norms[i] + norms[j]
			between.Row(i)[j] = size - 2*v
			if !(size-2*v > 1e-12*size) { // a copy, but for rounding
				between.Row(i)[j] = 0
			}
		}
	}
	return between
}

// median returns the upper median of v, which it sorts, NaN of none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	slices.Sort(v)
	return v[len(v)/2]
}
