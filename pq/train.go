package pq

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// Train fits a quantizer to the rows of x, n-by-d: k-means in each subspace, by Lloyd's iterations, on a sample. It
// needs at least 2^NBits rows, as many as a subspace has centroids. Duplicate rows and constant dimensions do no
// harm; centroids that lose all their points are put elsewhere. Numbers that are not finite, or whose squared
// distances overflow, are an error.
//
// The same x and Config give the same quantizer, to the bit, whatever the number of Workers; with Rotations this
// holds on machines of one kind. When ctx ends, Train returns its error. It costs Iterations 2^NBits d operations, a
// subtraction and a fused multiplication each, for each row of the sample. As many subspaces are trained together as
// keep their part of the sample within 64 MiB, of which Train takes twice that; with Rotations it takes three times
// the whole sample more.
func Train(ctx context.Context, x vec.Matrix[float32], c Config) (*Quantizer, error) {
	if ctx == nil {
		return nil, errors.New("pq: the context is nil")
	}
	c, err := c.withDefaults(x)
	if err != nil {
		return nil, err
	}
	q, err := newQuantizer(x.Cols, c.M, c.NBits)
	if err != nil {
		return nil, err
	}
	if err := checkFinite(x, 0); err != nil {
		return nil, err
	}
	t := &trainer{Config: c, q: q, x: x, rows: sample(x.Rows, c.PointsPerCentroid<<c.NBits, c.Seed)}
	if c.Rotations > 0 {
		if err := t.fitRotation(ctx); err != nil {
			return nil, err
		}
	}
	if err := t.fitCentroids(ctx); err != nil {
		return nil, err
	}
	return q, nil
}

// trainer is the state of one Train.
type trainer struct {
	Config
	q        *Quantizer
	x        vec.Matrix[float32] // training vectors, rotated once the rotation stands
	rows     []int               // the sample, in random order
	rotation int                 // rounds of OPQ done
	warm     bool                // the quantizer has centroids to start from
}

// sample draws at most most of n rows, without repetition, in random order.
func sample(n, most int, seed uint64) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	r := random(seed, 0)
	if most <= 0 || most > n {
		most = n
	}
	for i := range most {
		k := i + r.IntN(n-i)
		rows[i], rows[k] = rows[k], rows[i]
	}
	return rows[:most]
}

// random returns stream i of the random numbers of a seed.
func random(seed, i uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, i)) }

// waveBytes bounds the sample's coordinates that are held at once, and with them how many subspaces are trained
// together. Tests change it.
var waveBytes = 64 << 20

// waveEnd is the end of the wave that begins with subspace first.
func (t *trainer) waveEnd(first int) int {
	q, last := t.q, first+1
	for last < q.m && (q.offset[last+1]-q.offset[first])*len(t.rows) <= waveBytes/4 {
		last++
	}
	return last
}

// fitCentroids trains the centroids of all subspaces.
func (t *trainer) fitCentroids(ctx context.Context) error {
	q := t.q
	var mse float64
	for first, last := 0, 0; first < q.m; first = last {
		last = t.waveEnd(first)
		w := t.newWave(first, last)
		w.start()
		for i := range t.Iterations {
			if err := ctx.Err(); err != nil {
				return err
			}
			if settled := w.iterate(); t.Progress != nil || settled {
				done := i + 1
				if settled {
					done = t.Iterations
				}
				t.report(first*t.Iterations+(last-first)*done, mse+w.mse())
				if settled {
					break
				}
			}
		}
		mse += w.mse()
		w.store()
	}
	if !finite(float32(mse)) || slices.ContainsFunc(q.centroids, func(v float32) bool { return !finite(v) }) {
		return errTooLarge
	}
	q.transpose()
	return nil
}

func (t *trainer) report(done int, mse float64) {
	if t.Progress != nil {
		t.Progress(Progress{Rotation: t.rotation, Done: done, Total: t.q.m * t.Iterations, MSE: mse})
	}
}
