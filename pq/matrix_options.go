package pq

import (
	"fmt"
	"runtime"

	"github.com/dualgap/dualgap/asm/lookup"
	"github.com/dualgap/dualgap/internal/shape"
)

// Tables is the precision of the tables of Scores and of the numbers that Accumulate adds up.
//
// Integers of several subspaces share one step. So an error is small beside the largest numbers, not beside each of
// them. For one column w of W let t be the largest |<c, w_q>| over all subspaces q and their centroids c, w_q being
// the part of w in the subspace. For one column of A let a be the largest |A_i| over the rows i. Beside the rounding
// of float32
//
//	         an element of X W is off by at most   an element of (Xᵀ A)_j is off by at most
//	Int16    M t / 8000                            (a / 16000) Σ_i |x̂_ij|
//	Int8     M t / 250                             (a / 16000) Σ_i |x̂_ij|
//
// With a rotation R this holds of R W, R x̂ and R (Xᵀ A) in place of W, x̂ and Xᵀ A. (What is below 1e-32 may be lost.)
//
// Where all subspaces and rows hold numbers of one size, a column is off by some 2e-4 (Int16) or 1e-2 (Int8) of its
// Euclidean length. Where a few numbers are far larger than the others it is off by more: by .1 for Int8 on the raw
// features of Spambase with M = 19, some of which are 10000 times as large as others. Scale such features, or take
// Float32.
type Tables int

const (
	Float32 Tables = iota // no error but the rounding of float32
	Int16                 // lines of 32 outputs; from 17 outputs on, 1.4 times the speed where there are many
	Int8                  // lines of 64 outputs in Scores, for 1 output and from 33 on; otherwise as Int16
)

// MatrixOptions say how a Matrix computes. The zero value stands for Float32 and all cores.
type MatrixOptions struct {
	Tables Tables

	// Workers is the number of goroutines of one call of Scores or Accumulate, at most; 0 stands for one for each core.
	// Where several goroutines call at the same time, 1 is best.
	Workers int
}

func (o MatrixOptions) check() error {
	if o.Tables < Float32 || o.Tables > Int8 {
		return fmt.Errorf("pq: MatrixOptions.Tables is %d, want Float32, Int16 or Int8", o.Tables)
	}
	if o.Workers < 0 {
		return fmt.Errorf("pq: MatrixOptions.Workers is %d", o.Workers)
	}
	return nil
}

// linesPerWorker is the number of lines of 16 outputs whose sum, some 30 microseconds, is worth waking a goroutine.
const linesPerWorker = 1 << 15

// workers is the number of goroutines for a product of n rows with a number of columns.
func (x *Matrix) workers(n, cols int) int {
	most := x.o.Workers
	if most == 0 {
		most = runtime.GOMAXPROCS(0)
	}
	pieces := max(x.q.m, shape.Pieces(n, lookup.Rows))
	work := float64(n) * float64(x.q.m) * float64(shape.Pieces(cols, 16)) / linesPerWorker
	return max(1, min(most, pieces, int(min(work, 1<<30))))
}
