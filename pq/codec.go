package pq

import (
	"github.com/dualgap/dualgap/internal/container"
	"github.com/dualgap/dualgap/vec"
)

// Codec maps vectors of D numbers to codes of CodeSize bytes and back; an [Index] holds such codes and searches among
// them. A [Quantizer] is one. Codecs are of this package, which knows how to scan their codes.
type Codec interface {
	D() int
	CodeSize() int
	Encode(dst []byte, x vec.Matrix[float32], workers int) error
	Decode(dst vec.Matrix[float32], codes []byte, workers int) error

	room() int                            // the bytes of a block
	put(block []byte, i int, code []byte) // code becomes number i of a block of 256
	get(code, block []byte, i int)        // the reverse

	write(w *container.Writer)              // the codec's sections of a file
	number() int                            // the codec's in files
	newProbe() probe                        // memory of one search
	origin(x vec.Matrix[float32]) []float32 // the centre for bounds of vectors such as x
	about(c []float32) frame                // the codec's bounds about a centre of D numbers, which it keeps
	floats() int                            // that bounds need of a vector
	check(floats []float32) bool            // whether floats of one vector can be such, for those read from files
}

// frame is a codec about a centre: what bounds are relative to. It never changes.
type frame interface {
	centre() []float32
	// measure writes to dst, floats() numbers a row, what bounds need of the rows of x, which have these codes.
	measure(dst []float32, x vec.Matrix[float32], codes []byte, workers int)
}

// probe is a query made ready for the codes of one codec, with the memory that takes. A search calls set; then for each
// group of blocks scan, limit, near, and score for what came through. Distances are squared, or negative inner
// products, so that the least is nearest.
type probe interface {
	// set makes a query ready. Without a frame, which a Scalar needs, the distance of a code is the distance to the
	// vector that the code stands for; with one it is the estimate that bounds improve, and the vector's own distance
	// has a bound from below.
	set(metric Metric, query []float32, f frame) error

	// scan writes a sum for each code of a block, from which near tells the near codes. It may leave that to near.
	scan(sums []uint16, b *block)

	// start returns a distance that at least k of the codes of a block with these sums do not exceed by score, k at
	// most len(sums) and fewNeighbors.
	start(b *block, sums []uint16, k int) float64

	// limit says what near and may let pass from now on: all codes whose distance is at most d and, with proof, all
	// codes whose vector's own distance may be at most d.
	limit(d float64, proof bool)

	// batch is the number of blocks that near takes at once.
	batch() int

	// near writes to hits, which has room for whole blocks, the places of the codes that may be within the limit,
	// among the first n of some blocks, and returns their number.
	near(hits []uint32, blocks []*block, n int, sums []uint16) int

	// may reports whether a code that near let pass may be within the limit, which is lower now.
	may(sum uint16) bool

	// score computes the distances of the codes at hits and, unless low is nil, the bounds of their vectors'
	// distances from below and above.
	score(dist, low, high []float32, blocks []*block, hits []uint32)
}
