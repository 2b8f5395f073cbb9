package descriptor

import (
	"math/rand/v2"

	"github.com/dualgap/dualgap/vec"
)

// Words returns k centres of the rows of x, n-by-d with n >= k, by Lloyd's iterations of k-means from k rows drawn at
// random. A centre that loses all rows becomes a row drawn at random.
func Words(x vec.Matrix[float32], k, iterations int, seed uint64) vec.Matrix[float32] {
	r := rand.New(rand.NewPCG(seed, 0))
	words := vec.NewMatrix[float32](k, x.Cols)
	for c, i := range r.Perm(x.Rows)[:k] {
		copy(words.Row(c), x.Row(i))
	}
	for range iterations {
		sums, counts := vec.NewMatrix[float64](k, x.Cols), make([]float64, k)
		for i, c := range Nearest(x, words) {
			counts[c]++
			for j, v := range x.Row(i) {
				sums.Row(c)[j] += float64(v)
			}
		}
		for c, n := range counts {
			if n == 0 {
				copy(words.Row(c), x.Row(r.IntN(x.Rows)))
				continue
			}
			for j, s := range sums.Row(c) {
				words.Row(c)[j] = float32(s / n)
			}
		}
	}
	return words
}

// Nearest returns for each row of x the number of the nearest word.
func Nearest(x, words vec.Matrix[float32]) []int {
	const block = 1024
	places := make([]int, 0, x.Rows)
	d := vec.NewMatrix[float32](min(block, x.Rows), words.Rows)
	for from := 0; from < x.Rows; from += block {
		n := min(block, x.Rows-from)
		part := vec.Matrix[float32]{Rows: n, Cols: x.Cols, Stride: x.Stride, Data: x.Data[from*x.Stride:]}
		vec.SquaredDistances(vec.MatrixOf(n, words.Rows, d.Data[:n*words.Rows]), part, words)
		for i := range n {
			places = append(places, vec.ArgMin(d.Row(i)))
		}
	}
	return places
}

// Counts returns the pyramid of how often each word is nearest to a patch, by the patches' middles: counts, not scaled.
func Counts(p Patches, words vec.Matrix[float32], levels int) []float32 {
	out := newPyramid(levels, words.Rows, p.Width, p.Height)
	if p.X.Rows > 0 {
		for i, c := range Nearest(p.X, words) {
			out.add(p.At[i][0], p.At[i][1], c, 1)
		}
	}
	return out.at
}
