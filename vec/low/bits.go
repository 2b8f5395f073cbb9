package low

import (
	"math"
	"unsafe"

	"github.com/dualgap/dualgap/asm/ints"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/vec"
)

const (
	mostWords  = (1<<31 - 1) / 64 // whose bits an int32 can count
	wordsChunk = 1 << 24          // that a kernel takes at once
	bitsBlock  = 1 << 15          // words of rows that meet one row after the other
	bitsWork   = 1 << 17          // words below which a goroutine costs more than it saves
)

// Hamming returns the number of bits in which x and y differ. It panics when the lengths differ. Vectors of bits are
// words of 64; bits beyond the last are 0 in both.
func Hamming(x, y []uint64) (differ int) {
	match("Hamming", len(x), len(y))
	for len(x) > wordsChunk {
		differ += ints.Hamming(&x[0], &y[0], wordsChunk)
		x, y = x[wordsChunk:], y[wordsChunk:]
	}
	return differ + ints.Hamming(unsafe.SliceData(x), unsafe.SliceData(y), len(x))
}

// Jaccard returns the distance of Jaccard between the sets that the bits of x and y stand for, 1 - |x ∩ y| / |x ∪ y|,
// in 0..1: 0 for equal sets, empty ones too, and 1 for sets that have nothing in common. It panics when the lengths
// differ.
func Jaccard(x, y []uint64) float32 {
	match("Jaccard", len(x), len(y))
	both, any := 0, 0
	for {
		n := min(len(x), wordsChunk)
		b, a := ints.Jaccard(unsafe.SliceData(x), unsafe.SliceData(y), n)
		both, any = both+b, any+a
		if x, y = x[n:], y[n:]; len(x) == 0 {
			break
		}
	}
	if any == 0 {
		return 0
	}
	return float32(float64(any-both) / float64(any))
}

// HammingRows sets dst[i] to the number of bits in which row i of X and q differ. dst has x.Rows elements and q has
// x.Cols, at most 33554431; dst must overlap neither x nor q. It panics unless the sizes agree.
func HammingRows(dst []int32, x vec.Matrix[uint64], q []uint64) {
	against("HammingRows", &x, len(dst), len(q), mostWords)
	ints.HammingRows(x.Rows, x.Cols, unsafe.SliceData(x.Data), x.Stride, unsafe.SliceData(q), unsafe.SliceData(dst))
}

// HammingDistances sets dst[i, j] to the number of bits in which row i of X and row j of Y differ. For m and n rows of
// at most 33554431 columns dst is m-by-n; it must overlap neither x nor y. It panics unless the sizes agree.
func HammingDistances(dst vec.Matrix[int32], x, y vec.Matrix[uint64]) {
	eachWithEach("HammingDistances", &dst, &x, &y, mostWords, 1)
	hammingPart(&dst, &x, &y, 0, x.Rows)
}

// HammingDistancesWorkers is [HammingDistances] by up to workers goroutines, all cores for 0: see the overview.
func HammingDistancesWorkers(dst vec.Matrix[int32], x, y vec.Matrix[uint64], workers int) {
	goroutines := eachWithEach("HammingDistancesWorkers", &dst, &x, &y, mostWords, workers)
	most := float64(x.Rows) * float64(y.Rows) * float64(x.Cols) / bitsWork
	if goroutines = max(1, min(goroutines, int(most))); goroutines > 1 {
		shareHamming(goroutines, dst, x, y)
		return
	}
	hammingPart(&dst, &x, &y, 0, x.Rows)
}

func shareHamming(goroutines int, dst vec.Matrix[int32], x, y vec.Matrix[uint64]) {
	parallel.Ranges(goroutines, x.Rows, func(_, from, to int) { hammingPart(&dst, &x, &y, from, to) })
}

// hammingPart takes some rows of x, each with rows of y that stay in the cache.
func hammingPart(dst *vec.Matrix[int32], x, y *vec.Matrix[uint64], from, to int) {
	rows := max(8, bitsBlock/max(1, x.Cols))
	for j := 0; j < y.Rows; j += rows {
		part := y.Slice(j, min(j+rows, y.Rows), 0, y.Cols)
		for i := from; i < to; i++ {
			ints.HammingRows(part.Rows, part.Cols, unsafe.SliceData(part.Data), part.Stride,
				unsafe.SliceData(x.Row(i)), unsafe.SliceData(dst.Row(i)[j:]))
		}
	}
}

// SignBits sets bit i%64 of dst[i/64] where x[i] > 0 and clears all others: for -0, 0 and NaN, and behind the last. dst
// has a word for each 64 elements of x, rounded up; it panics otherwise.
func SignBits(dst []uint64, x []float32) {
	if len(dst) != shape.Pieces(len(x), 64) {
		panic(unfit("SignBits", "%d words for %d bits, want %d", len(dst), len(x), shape.Pieces(len(x), 64)))
	}
	for w := range dst {
		part := x[w*64 : min(w*64+64, len(x))]
		word := uint64(0)
		for i, v := range part {
			word |= positive(v) << i
		}
		dst[w] = word
	}
}

// positive is 1 for v > 0, without a branch: as integers positive numbers are 1 up to infinity.
func positive(v float32) uint64 {
	const infinity = 0x7f800000
	b := uint64(math.Float32bits(v))
	return (b - 1 - infinity) >> 63 &^ ((b - 1) >> 63)
}
