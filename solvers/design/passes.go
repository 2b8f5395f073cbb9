package design

import (
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

// ScoresAll sets dst = X W for all n examples of x by several goroutines: workers of them, 0 for all cores. dst is
// n-by-m, W d-by-m. Examples that are neighbours in memory are not copied. The bits are the same for the same number of
// workers. It panics where sizes do not fit or workers is negative.
func ScoresAll[T vec.Float](dst, w vec.Matrix[T], x Matrix[T], workers int) {
	n, d := x.Dims()
	mustBe("ScoresAll", "W", &w, d, w.Cols)
	mustBe("ScoresAll", "dst", &dst, n, w.Cols)
	workers = mustCores("ScoresAll", workers, n)
	size := passRows(x, n, workers)
	parallel.Do(workers, (n+size-1)/size, func(_, p int) {
		from, to := p*size, min((p+1)*size, n)
		Window(x, from, to).Scores(dst.Slice(from, to, 0, w.Cols), w, nil)
	})
}

// AccumulateAll adds Xᵀ A, of all n examples of x, to W by several goroutines: workers of them at most, 0 for all
// cores. A is n-by-m, W d-by-m. Examples that are neighbours in memory are not copied.
//
// Each part of the examples but the first is summed into a W of its own, and these are added in a fixed order: the bits
// are the same for the same number of workers. Memory: (workers-1) d m numbers, or four times as many where these are
// few, and fewer workers where examples are so few or so
// sparse that the sums would cost more than they save. For a few outputs or more a [ByFeatures] needs none of that:
// there the goroutines share the features, and the bits are the same for any number of them. It panics where sizes do
// not fit or workers is negative.
func AccumulateAll[T vec.Float](w, a vec.Matrix[T], x Matrix[T], workers int) {
	n, d := x.Dims()
	mustBe("AccumulateAll", "W", &w, d, w.Cols)
	mustBe("AccumulateAll", "A", &a, n, w.Cols)
	workers = mustCores("AccumulateAll", workers, max(n, d))
	if x := byFeatures(x); x != nil && w.Cols >= manyOutputs {
		pieces := min(d, 16*workers) // the numbers of features differ much
		parallel.Do(workers, pieces, func(_, p int) {
			x.AccumulateFeatures(w, a, share(d, pieces, p), share(d, pieces, p+1))
		})
		return
	}
	workers = min(workers, Summers(x))
	if workers <= 1 {
		x.Accumulate(w, a, nil)
		return
	}
	// Several parts for each goroutine where that costs little: one that wakes late then takes fewer.
	parts := min(4*workers, Summers(x))
	if d*w.Cols > 1<<16 {
		parts = workers
	}
	own := make([]vec.Matrix[T], parts)
	own[0] = w
	parallel.Do(workers, parts, func(_, p int) {
		if p > 0 {
			own[p] = vec.NewMatrix[T](d, w.Cols)
		}
		from, to := part(x, n, parts, p), part(x, n, parts, p+1)
		Window(x, from, to).Accumulate(own[p], a.Slice(from, to, 0, w.Cols), nil)
	})
	adders := workers
	if d*w.Cols <= 1<<16 { // quicker than to wake a goroutine
		adders = 1
	}
	parallel.Do(adders, adders, func(_, part int) {
		for j := share(d, adders, part); j < share(d, adders, part+1); j++ {
			for _, o := range own[1:] {
				vec.Axpy(1, o.Row(j), w.Row(j))
			}
		}
	})
}

// part is where the examples of worker p begin: at a multiple of 4096 where x keeps no rows, as compressed storages do,
// which hold 4096 together.
func part[T vec.Float](x Matrix[T], n, workers, p int) int {
	if keepsRows(x) {
		return share(n, workers, p)
	}
	const together = 4096
	return min(n, together*share((n+together-1)/together, workers, p))
}

// share is where the share of worker p of n things begins: p n / workers, without overflow.
func share(n, workers, p int) int { return n/workers*p + min(p, n%workers) }

// passRows is the number of examples that a goroutine takes at a time: an equal share of a storage that prepares tables
// for each call, as compressed ones do; 1024 of one that keeps rows, so that none waits long for the others.
func passRows[T vec.Float](x Matrix[T], n, workers int) int {
	if keepsRows(x) {
		return 1024
	}
	workers = max(1, min(workers, n))
	return ((n+workers-1)/workers + 255) / 256 * 256
}

// keepsRows reports whether x, or what it wraps, has its examples in memory as they are or sparse.
func keepsRows[T vec.Float](x Matrix[T]) bool {
	switch x := x.(type) {
	case SparseRows[T], DenseRows[T]:
		return true
	case *biased[T]:
		return keepsRows(x.x)
	case interface{ keepsRows() bool }:
		return x.keepsRows()
	}
	return false
}

// Summers is the largest number of goroutines for which it pays that each sums a part of Xᵀ A in a matrix of its own.
// To fill that and to add it takes about 3 d m operations, the product with a row m times the numbers that the row
// holds: with 12 d numbers for each goroutine the sums are a quarter more. It depends on x alone.
func Summers[T vec.Float](x Matrix[T]) int {
	_, d := x.Dims()
	return max(1, int(min(held(x)/(12*float64(max(1, d))), 1<<20)))
}

// held is how many numbers x keeps.
func held[T vec.Float](x Matrix[T]) float64 {
	n, d := x.Dims()
	switch x := x.(type) {
	case SparseRows[T]:
		return stored(x)
	case interface{ stored() float64 }:
		return x.stored()
	case *biased[T]:
		return held(x.x) + float64(n)
	}
	return float64(n) * float64(d)
}

func stored[T vec.Float](x rows[T]) (count float64) {
	n, _ := x.Dims()
	for i := range n {
		columns, _ := x.Row(i)
		count += float64(len(columns))
	}
	return count
}

func (f *sparse[T, U]) stored() float64 { return stored(f.x) }

// mustCores returns the number of goroutines that workers stands for. A negative number panics.
func mustCores(function string, workers, pieces int) int {
	workers, err := parallel.Cores(workers, pieces)
	if err != nil {
		panic(shape.Errorf("design: "+function, "%v", err))
	}
	return workers
}
