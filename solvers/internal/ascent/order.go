package ascent

import (
	"math/bits"
	"math/rand/v2"
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// order is how the examples of an epoch are shuffled: each by itself, or neighbours together.
type order struct {
	due   []byte  // a bit for each example, a byte for neighbours; nil: each by itself
	bytes []int32 // those that are not 0, in their random order
}

// newOrder lets eight examples that are neighbours stay together where rows are dense and short and there are more of
// them than fit into a cache: memory is read quicker so, at 400000 examples of 100 numbers by a fifth, and epochs
// become no more. With 64 neighbours they do.
func newOrder[T vec.Float](r *rows[T], n int) order {
	const cache = 64 << 20 // bytes
	var number T
	if r.dense == nil || r.d >= smallBlocks || n <= cache/(max(r.d, 1)*int(unsafe.Sizeof(number))) {
		return order{}
	}
	return order{due: make([]byte, shape.Pieces(n, 8)), bytes: make([]int32, 0, shape.Pieces(n, 8))}
}

// alike reports whether examples that are neighbours are nearer to each other than any two, by a sample: frames of a
// film, copies of an image that were changed a little. What one of them gains is then most of what the next could, and
// trainings that visit them together need several times the epochs.
func alike[T vec.Float](x design.DenseRows[T], n int) bool {
	const pairs, near = 256, 0.9
	random := rand.New(rand.NewPCG(1, 2)) // the training's stays as it is
	neighbours, others := 0.0, 0.0
	for range pairs {
		i, j := random.IntN(n-1), random.IntN(n)
		neighbours += float64(vec.SquaredDistance(x.Row(i), x.Row(i+1)))
		others += float64(vec.SquaredDistance(x.Row(i), x.Row(j)))
	}
	return !(neighbours >= near*others)
}

// shuffle puts due into random order.
func (o *order) shuffle(due []int, random *rand.PCG) {
	if o.due == nil {
		shuffle(due, random)
		return
	}
	o.bytes = o.bytes[:0]
	for _, i := range due {
		if o.due[i/8] == 0 {
			o.bytes = append(o.bytes, int32(i/8))
		}
		o.due[i/8] |= 1 << (i % 8)
	}
	shuffle(o.bytes, random)
	at := 0
	for _, b := range o.bytes {
		for some := o.due[b]; some != 0; some &= some - 1 {
			due[at] = int(b)*8 + bits.TrailingZeros8(some)
			at++
		}
		o.due[b] = 0
	}
}

// shuffle is rand.Shuffle, which would call a function at each exchange, and another one for each random number.
func shuffle[E any](x []E, random *rand.PCG) {
	for i := len(x) - 1; i > 0; i-- {
		j := below(random, uint64(i+1))
		x[i], x[j] = x[j], x[i]
	}
}

// below is rand.Uint64N: Lemire, Fast random integer generation in an interval, 2019.
func below(random *rand.PCG, n uint64) uint64 {
	v := random.Uint64()
	if n&(n-1) == 0 {
		return v & (n - 1)
	}
	high, low := bits.Mul64(v, n)
	if low < n {
		for least := -n % n; low < least; {
			high, low = bits.Mul64(random.Uint64(), n)
		}
	}
	return high
}
