package vec

import (
	"math"

	"github.com/dualgap/dualgap/internal/nearest"
)

// A sample of the block suggests a threshold. If e of the k greatest elements are expected in the sample, give or take
// √e, its own r-th greatest, r = e + 4√e, is below k elements of the block but once in some thousand times; above it
// are about r/e k elements.
const (
	sampled = 8   // e, unless that would take more than
	part    = 8   // a part so large of the block
	least   = 128 // elements in a sample
)

// To find the r-th greatest of a sample, most of it need not be looked at twice: the greatest of groups of neighbours
// have nearly the same r-th greatest, and none above it, when there are some times r groups.
const (
	spread     = 5  // groups for each of the r greatest
	worthMax   = 6  // elements in the smallest group that saves time
	neighbours = 32 // in a sample without groups
)

// guess takes the block by a threshold that a sample suggests, and returns its length; or 0, if the block is too short
// for a sample or too few elements are above.
func (t *topK[T]) guess(block []T) int {
	n, e := len(block), min(sampled, float64(t.k)/part)
	size, rank := int(e*float64(n)/float64(t.k)), int(math.Ceil(e+4*math.Sqrt(e)))
	if size < least {
		return 0
	}
	work := cast[T](t.rest, len(t.rest)/2)
	if group := size / (spread * rank); group >= worthMax {
		work = work[:spread*rank]
		for i := range work {
			work[i] = Max(block[i*(n/len(work)):][:group])
		}
	} else {
		chunks := size / neighbours
		work = work[:chunks*neighbours]
		for i := range chunks {
			copy(work[i*neighbours:][:neighbours], block[i*(n/chunks):])
		}
	}
	t.least = nearest.Nth(work, rank-1)
	if t.least != t.least {
		return 0
	}
	t.scan(block, 0)
	if t.n < t.k {
		t.n, t.least = 0, T(math.NaN())
		return 0
	}
	if t.n > t.k {
		t.prune()
	}
	return n
}
