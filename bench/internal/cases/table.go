package cases

import (
	"math/rand/v2"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// Kernel is a row of the table: a kernel, the sizes at which it is measured, what a call costs, and its
// implementations.
type Kernel[T vec.Float] struct {
	Name         string
	bench, peers [][]int // sizes of command bench and of bench/peers: {n}, {m, n} or {m, n, k}
	shape        func(c Case) shape
	costs
	alpha T                                       // 0: 1/8
	slack float64                                 // the relative error that an implementation may have; 0: none
	fill  func(p *Operands[T], random *rand.Rand) // sets operands that are not what Fill makes; nil: there are none
	// brings results into the form in which they are compared; nil: they are
	settle  func(p *Operands[T])
	PureGo  bool     // the same on every tier
	Product *Product // nil for kernels that are none

	Ours  Loop[T] // nil where there is none for T
	Plain Loop[T] // a loop in Go, which says what the results are; nil: there is none
	Gonum Loop[T] // one routine of gonum, or nil
}

// A Loop calls a kernel iters times on the same operands.
type Loop[T vec.Float] func(p *Operands[T], iters int)

// Table returns all kernels.
func Table[T vec.Float]() []Kernel[T] {
	table := slices.Concat(vectors[T](), matrixRows[T](), productRows[T](), functions[T](), sorts[T](),
		projections[T](),
		searches[T](), sparseRows[T](), decompositions[T]())
	for i := range table {
		if k := &table[i]; k.Gonum == nil {
			k.Gonum = pick[T](gonum32[k.Name], gonum64[k.Name])
		}
	}
	return table
}

// Find returns the kernel of that name, which must be in the table.
func Find[T vec.Float](name string) Kernel[T] {
	table := Table[T]()
	return table[slices.IndexFunc(table, func(k Kernel[T]) bool { return k.Name == name })]
}

// pick returns the loop for elements of type T.
func pick[T vec.Float](single Loop[float32], double Loop[float64]) Loop[T] {
	if l, ok := any(single).(Loop[T]); ok {
		return l
	}
	return any(double).(Loop[T])
}

// each makes a loop of a call. Ours and gonum's are written as loops instead: this costs a call more.
func each[T vec.Float](call func(p *Operands[T])) Loop[T] {
	return func(p *Operands[T], iters int) {
		for range iters {
			call(p)
		}
	}
}

// lengths are the sizes of vectors.
func lengths(list ...int) (sizes [][]int) {
	for _, n := range list {
		sizes = append(sizes, []int{n})
	}
	return sizes
}

const large = 1 << 24 // elements of a vector that no cache has room for

var (
	common = lengths(16, 784, 65536)
	raced  = lengths(8, 16, 100, 784, 1024, 4096, 65536)
)
