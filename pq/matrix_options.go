package pq

import (
	"fmt"
	"runtime"

	"github.com/dualgap/dualgap/asm/lookup"
)

// Tables is the precision of the tables of Scores and of the numbers that Accumulate adds up.
//
// Integers have one step for several subspaces together, so an error is small beside the largest numbers, not beside each.
// Write t for the largest |<c, w>| over all subspaces and their centroids c, w the part of a column of W that belongs to the
// subspace, and a for the largest |A_i| of a column of A over the rows i. Beside the rounding of float32
//
//	         Scores are off by at most   Accumulate adds to W_j what is off by at most
//	Int16    M t / 8000                  (a / 16000) Σ_i |x̂_ij|
//	Int8     M t / 250                   the same
//
// With a rotation R, W and x̂ stand here for R W and R x̂. (Entries below 1e-32 may count as 0.) Where all subspaces have numbers
// alike, a column is off by some 2e-4 (Int16) or 1e-2 (Int8) of its Euclidean length. Where a few are far larger than the rest
// it is off by more: raw Spambase with M = 19 by .1 (Int8). Scale such features, or take Float32.
type Tables int

const (
	Float32 Tables = iota // no error but the rounding of sums in float32
	Int16                 // lines of 32 outputs, 1.4 times the speed where there are many
	Int8                  // lines of 64 outputs in Scores where there are many, or one; otherwise as Int16
)

// MatrixOptions say how a Matrix computes. The zero value stands for Float32 and all cores.
type MatrixOptions struct {
	Tables  Tables
	Workers int // goroutines of one call of Scores or Accumulate, at most; 0 stands for one for each core
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

// workers is the number of goroutines for a product of n rows with so many columns.
func (x *Matrix) workers(n, cols int) int {
	most := x.o.Workers
	if most == 0 {
		most = runtime.GOMAXPROCS(0)
	}
	pieces := max(x.q.m, (n+lookup.Rows-1)/lookup.Rows)
	work := float64(n) * float64(x.q.m) * float64((cols+15)/16) / linesPerWorker
	return max(1, min(most, pieces, int(min(work, 1<<30))))
}
