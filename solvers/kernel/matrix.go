package kernel

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Matrix is the kernel matrix K of n examples. It is safe for concurrent use.
type Matrix[T vec.Float] struct {
	n      int
	source source[T]
	cache  *cache[T]    // rows in memory
	count  atomic.Int64 // see Computed

	// What rows are computed of. A Subset has k, x, d and thin; a given matrix has none.
	k      Kernel
	x      design.Matrix[T]
	d      int
	budget int64
	norms  []T              // |x_i|²
	thin   bool             // examples hold so few numbers that products number by number are the faster ones
	sparse *transposed[T]   // thin examples
	panels panels[T]        // others
	single *Matrix[float32] // their products, where these are exact in float32, which takes half the time; else nil
	mean   func() []T       // what distances are computed from; of all examples in a Compact: the same bits
	of     *Matrix[T]       // of a Compact: the matrix of whose examples it has some
	chosen []int            // of a Compact: these
	pools
}

// pools keep the memory of calls that are over.
type pools struct {
	batches sync.Pool // of *batch[T]
	windows sync.Pool // of *window[T]
	lents   sync.Pool // of *Lent[T]
}

// New returns the kernel matrix of all examples of x, which must not change. It returns an error where k has a
// parameter out of range or x a number that is not finite, or so large that a distance or a value of k might not be.
//
// Rows that have been computed are kept in at most budget bytes; 0 keeps none. The budget counts
//   - scratch memory of 448 d numbers and 2^20 bytes, which is what two cores take, whatever the machine has, so that
//     the same rows are kept on any: it is taken even where the budget is less, and 128 d numbers and 2^19 bytes more
//     for each further core, and more of it where several goroutines call at the same time;
//   - of dense examples a copy, n d numbers laid out for products, where what is left is at least twice as much;
//     without it every call of Rows copies all examples piece by piece;
//   - the rows, each of n numbers and filled up to 64 bytes.
//
// Of sparse examples there is always a transposed copy, beside the budget: 4 bytes and a value for each of their
// numbers, and 20 bytes for each feature at most. Where x gives no sparse rows, as with a bias, there is a copy of
// these as well.
func New[T vec.Float](x design.Matrix[T], k Kernel, budget int64) (*Matrix[T], error) {
	if err := check(k); err != nil {
		return nil, err
	}
	n, d, err := design.Validate(x)
	if err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	if n == 0 || d == 0 {
		return nil, fmt.Errorf("kernel: %d examples of %d features, want one of each at least", n, d)
	}
	if budget < 0 {
		return nil, fmt.Errorf("kernel: a budget of %d bytes, want at least 0", budget)
	}
	return newMatrix(x, k, budget, n, d)
}

// newMatrix is New of n examples of d features that are valid.
func newMatrix[T vec.Float](x design.Matrix[T], k Kernel, budget int64, n, d int) (m *Matrix[T], err error) {
	m = &Matrix[T]{n: n, k: k, x: x, d: d, budget: budget, norms: make([]T, n), thin: thin(x)}
	m.source = computed[T]{m}
	m.cache = newCache[T](n, m.keepPanels(budget-m.scratch()))
	m.mean = sync.OnceValue(m.meanOfExamples)
	x.SquaredNorms(m.norms)
	if err := checkValues(k, m.norms); err != nil {
		return nil, err
	}
	if m.thin {
		if m.sparse, err = transpose(n, d, rowsOf(x), m.norms); err != nil {
			return nil, fmt.Errorf("kernel: %w", err)
		}
	}
	return m, nil
}

// checkValues returns an error where a parameter of k, or examples of such squared norms, are too large for T.
func checkValues[T vec.Float](k Kernel, norms []T) error {
	if err := checkParameters[T](k); err != nil {
		return err
	}
	if err := checkNorms(k, norms); err != nil {
		return err
	}
	for i, norm := range norms {
		if v := T(k.of(float64(norm))); v-v != 0 {
			return fmt.Errorf("kernel: the value of %T for row %d and itself, |x|² = %v, exceeds the largest %T",
				k, i, norm, v)
		}
	}
	return nil
}

// checkParameters returns an error where a factor of products or distances is beyond T: times 0 it is no number. The
// other parameters are part of the values.
func checkParameters[T vec.Float](k Kernel) error {
	name, v := "", 0.0
	switch k := k.(type) {
	case Polynomial:
		name, v = "polynomial of Scale", k.Scale
	case Gaussian:
		name, v = "Gaussian of Gamma", k.Gamma
	case Sum:
		for _, t := range k {
			if err := checkParameters[T](t.Kernel); err != nil {
				return err
			}
			name, v = "weight", max(v, t.Weight)
		}
	}
	if math.IsInf(float64(T(v)), 1) {
		return fmt.Errorf("kernel: %s %v is beyond %T", name, v, T(0))
	}
	return nil
}

// Precomputed returns k, n-by-n, which must not change, as a Matrix. It returns an error that names the place where k
// is not square, finite or symmetric up to rounding, or has a negative diagonal; that it is positive semi-definite is
// up to the caller. O(n²).
func Precomputed[T vec.Float](k vec.Matrix[T]) (*Matrix[T], error) {
	if err := k.Validate(); err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	if k.Rows != k.Cols || k.Rows == 0 {
		return nil, fmt.Errorf("kernel: a %d-by-%d matrix, want a square one", k.Rows, k.Cols)
	}
	diagonal := make([]float64, k.Rows)
	for i := range diagonal {
		for j, v := range k.Row(i) {
			if v-v != 0 || i == j && v < 0 {
				return nil, fmt.Errorf("kernel: value %v of row %d, column %d, want a finite number, on the "+
					"diagonal at least 0", v, i, j)
			}
		}
		diagonal[i] = math.Sqrt(float64(k.Row(i)[i]))
	}
	if err := checkSymmetric("value", k, func(i, j int) float64 { return diagonal[i] * diagonal[j] }); err != nil {
		return nil, err
	}
	return given(k, roundings[T]()), nil
}

// given is Precomputed of a matrix that has been checked. Its rounding is off at worst, see Rounding.
func given[T vec.Float](k vec.Matrix[T], off float64) *Matrix[T] {
	m := &Matrix[T]{n: k.Rows, cache: givenRows(k)}
	m.source = numbers[T]{m, k, off}
	return m
}

// Len returns n.
func (m *Matrix[T]) Len() int { return m.n }

// Kernel returns the kernel, nil for Precomputed.
func (m *Matrix[T]) Kernel() Kernel { return m.k }

// Features returns the examples, nil for Precomputed.
func (m *Matrix[T]) Features() design.Matrix[T] { return m.x }

// Room returns how many rows the budget keeps. Rows of a Subset are kept by the whole.
func (m *Matrix[T]) Room() int {
	whole, _ := m.from().within(nil)
	return whole.cache.room
}

// Computed returns how many rows have been computed so far, by Rows and Pin, and again where the cache had lost them.
// Of a Subset it is the rows, or parts of them, that were computed for it.
func (m *Matrix[T]) Computed() int64 { return m.count.Load() }

// Diagonal sets dst[i] = k(x_i, x_i) for all n examples.
func (m *Matrix[T]) Diagonal(dst []T) {
	if len(dst) != m.n {
		panic(shape.Errorf("kernel: Matrix.Diagonal", "%d numbers for %d examples", len(dst), m.n))
	}
	s := m.from()
	for i := range dst {
		dst[i] = s.value(i)
	}
}

// Float64 returns the matrix of the same examples in float64, for certificates: itself where it is that already, else
// one without a cache that converts the numbers of the examples, or of a given matrix. Inner products of examples that
// are whole numbers, in some unit and not too large, are exact in float32 and computed there: see exactProducts.
func (m *Matrix[T]) Float64() (*Matrix[float64], error) {
	if same, ok := any(m).(*Matrix[float64]); ok {
		return same, nil
	}
	return m.from().wide()
}

// Unchecked is Precomputed without its checks, for package bundle: k, n-by-n, is sound, and may change between calls.
func Unchecked[T vec.Float](k vec.Matrix[T]) *Matrix[T] { return given(k, roundings[T]()) }
