package pq

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/vec"
)

// TrainLists returns n centres for [IndexConfig].Lists, one a row: k-means of x (Lloyd's algorithm, from n rows drawn
// at random), 10 iterations over at most 64 n rows. A list that no row is nearest to gets the row farthest from its
// centre. n is at least 1 and at most the number of rows; about the square root of the number of vectors to come is a
// good choice. A NaN or an infinity in x is an error. It costs n d multiplications for each row and iteration.
func TrainLists(ctx context.Context, x vec.Matrix[float32], n int, seed uint64,
	workers int) (vec.Matrix[float32], error) {
	none := vec.Matrix[float32]{}
	if err := checkRows(x, x.Cols); err != nil {
		return none, err
	}
	if err := checkFinite(x, 0); err != nil {
		return none, err
	}
	workers, err := workersOf("workers", workers)
	if err != nil {
		return none, err
	}
	if n < 1 || n > x.Rows {
		return none, fmt.Errorf("pq: %d lists of %d vectors, want 1 to %d", n, x.Rows, x.Rows)
	}
	order := rand.New(rand.NewPCG(seed, 0)).Perm(x.Rows)[:min(x.Rows, 64*n)]
	sample := vec.NewMatrix[float32](len(order), x.Cols)
	for i, row := range order {
		copy(sample.Row(i), x.Row(row))
	}
	centres := vec.NewMatrix[float32](n, x.Cols)
	for i := range n {
		copy(centres.Row(i), sample.Row(i))
	}
	idx, dist := make([]int32, sample.Rows), vec.NewMatrix[float32](sample.Rows, 1)
	for range 10 {
		if err := ctx.Err(); err != nil {
			return none, err
		}
		vec.NewSearcher(centres, vec.L2).Nearest(idx, dist, sample, workers)
		meansOf(centres, sample, idx, dist.Data)
	}
	return centres, nil
}

// meansOf moves centres to the means of their rows. Those without rows go where rows are farthest.
func meansOf(centres, x vec.Matrix[float32], idx []int32, dist []float32) {
	sums, counts := vec.NewMatrix[float64](centres.Rows, centres.Cols), make([]int, centres.Rows)
	for i, list := range idx {
		counts[list]++
		for t, v := range x.Row(i) {
			sums.Row(int(list))[t] += float64(v)
		}
	}
	for list, count := range counts {
		if count == 0 {
			far := vec.ArgMax(dist)
			copy(centres.Row(list), x.Row(far))
			dist[far] = 0
			continue
		}
		for t, s := range sums.Row(list) {
			centres.Row(list)[t] = float32(s / float64(count))
		}
	}
}

// inverted are the centres of an index's lists.
type inverted struct {
	centres vec.Matrix[float32]
	near    *vec.Searcher[float32]
	norms   []float64 // of the centres
}

func newInverted(centres vec.Matrix[float32]) *inverted {
	l := &inverted{centres, vec.NewSearcher(centres, vec.L2), make([]float64, centres.Rows)}
	origin := make([]float32, centres.Cols)
	for i := range l.norms {
		l.norms[i] = math.Sqrt(distance(L2, origin, centres.Row(i))) * (1 + 0x1p-40)
	}
	return l
}

// assign returns of each row the nearest centre's list, and a distance from that centre that is not too small.
func (l *inverted) assign(x vec.Matrix[float32], workers int) (of []int32, far []float64) {
	of, far = make([]int32, x.Rows), make([]float64, x.Rows)
	l.near.Nearest(of, vec.NewMatrix[float32](x.Rows, 1), x, workers)
	parallel.Do(workers, x.Rows, func(_, i int) {
		far[i] = math.Sqrt(distance(L2, l.centres.Row(int(of[i])), x.Row(i))) * (1 + float64(x.Cols+16)*0x1p-52)
	})
	return of, far
}

// probes is how many of an index's lists a search visits.
func (o *Search) probes(lists int) int {
	if o.Probes == 0 {
		return min(lists, int(math.Ceil(math.Sqrt(float64(lists))/2)))
	}
	return min(lists, o.Probes)
}

// visit is the order in which a search goes to lists.
type visit struct {
	order []int32
	keys  []float32 // of each list, in order: the squared distance of the centre, or the negative inner product
}

// to sorts lists, the nearest to the query first.
func (v *visit) to(l *inverted, metric Metric, query []float32) {
	n := l.centres.Rows
	v.order, v.keys = atLeast(v.order, n)[:n], atLeast(v.keys, n)[:n]
	for i := range n {
		v.order[i] = int32(i)
		if metric == L2 {
			v.keys[i] = vec.SquaredDistance32(query, l.centres.Row(i))
		} else {
			v.keys[i] = -vec.Dot32(query, l.centres.Row(i))
		}
	}
	vec.SortPairs(v.keys, v.order)
}

// bound is a distance that no vector of a list is below: the list is number i in order, its radius R. With D the
// distance of the centre c,
//
//	|q - x| >= D - R,    <q, x> <= <q, c> + |q| R,
//
// and a sum of d products in float32 is off by at most (d+3)2⁻²⁴ of the sum of their magnitudes.
func (v *visit) bound(i int, l *inverted, metric Metric, length, radius float64) float64 {
	key, off := float64(v.keys[i]), float64(l.centres.Cols+8)*0x1p-24
	if metric == L2 {
		apart := math.Sqrt(math.Max(0, key*(1-2*off)-float64(l.centres.Cols)*0x1p-140))*(1-0x1p-50) - radius
		if !(key <= math.MaxFloat32) || !(apart > 0) {
			return math.Inf(-1)
		}
		return apart * apart * (1 - 0x1p-50)
	}
	norm := l.norms[v.order[i]]
	least := key - (off*norm*length+length*radius)*(1+0x1p-40) - float64(l.centres.Cols)*0x1p-140
	if !(math.Abs(key) <= math.MaxFloat32) || least != least { // the sum overflowed, maybe on its way
		return math.Inf(-1)
	}
	return least
}
