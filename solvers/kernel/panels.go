package kernel

import (
	"fmt"
	"math"
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/internal/pages"
	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// panels are the examples as products with all of them read them. They are made when the first row is computed.
//
// Distances are computed from examples less their mean, which they do not depend on: |x|² + |z|² - 2<x, z> cancels
// where examples are far from the origin and near each other.
type panels[T vec.Float] struct {
	once  sync.Once
	keep  int // how many of the first examples have panels that are kept
	mean  []T // nil where nothing is subtracted
	norms []T // squared, of the examples less mean
	kept  []T // these, one after the other; nil: panels are made anew for every use
}

// panelBytes is the memory of the panels of n examples.
func panelBytes[T vec.Float](n, d int) float64 {
	cols := unchecked.PanelCols[T]()
	return float64(shape.Padded(n, cols)) * float64(d) * float64(unsafe.Sizeof(T(0)))
}

// keepPanels decides whether the panels are kept, and returns what is left of the budget for rows.
func (m *Matrix[T]) keepPanels(budget int64) int64 {
	size := panelBytes[T](m.n, m.d)
	if m.thin || size > float64(budget)/2 || size > math.MaxInt/2 {
		return budget
	}
	m.panels.keep = m.n
	return budget - int64(size)
}

// prepare makes the panels.
func (m *Matrix[T]) prepare(workers int) {
	m.panels.once.Do(func() {
		if m.single != nil {
			m.single.prepare(workers)
		}
		p := &m.panels
		p.norms = m.norms
		if _, products := looksAt(m.k); !products && m.single == nil { // exact products do not cancel
			p.mean, p.norms = m.mean(), make([]T, m.n)
		}
		if p.mean == nil && p.keep == 0 {
			return
		}
		cols := unchecked.PanelCols[T]()
		count, keep := shape.Pieces(m.n, cols), shape.Pieces(p.keep, cols)
		var kept []T
		if keep > 0 {
			kept = core.Aligned[T](keep*m.d, cols).Data
			pages.Huge(kept)
		}
		parallel.Do(workers, count, func(_, b int) {
			w := m.window()
			var panel []T
			if b < keep {
				panel = kept[b*cols*m.d:]
			}
			z := w.pack(panel, b*cols, min((b+1)*cols, m.n))
			if p.mean != nil {
				for i := range z.Rows {
					p.norms[b*cols+i] = vec.SquaredNorm(z.Row(i))
				}
			}
			m.windows.Put(w)
		})
		p.kept = kept
	})
}

// looksAt reports whether k looks at distances of examples, and whether at inner products.
func looksAt(k Kernel) (distances, products bool) {
	switch k := k.(type) {
	case Gaussian, centred:
		return true, false
	case Constant:
		return false, false
	case Sum:
		for _, t := range k {
			d, p := looksAt(t.Kernel)
			distances, products = distances || d, products || p
		}
		return distances, products
	}
	return false, true
}

// checkNorms returns an error where a squared norm is not finite, or so large that a squared distance might not be. An
// example less the mean is at most twice as long as the longest one, and |x|² + |z|² then eight times its square.
func checkNorms[T vec.Float](k Kernel, norms []T) error {
	largest := math.MaxFloat64
	if unsafe.Sizeof(T(0)) == 4 {
		largest = math.MaxFloat32
	}
	distances, _ := looksAt(k)
	for i, v := range norms {
		if v-v != 0 {
			return fmt.Errorf("kernel: |x|² = %v of row %d, want a finite number", v, i)
		}
		if distances && float64(v) > largest/16 {
			return fmt.Errorf("kernel: |x|² = %v of row %d, want at most %.3g for distances in %T", v, i, largest/16, v)
		}
	}
	return nil
}

// mean returns the mean of n rows of d numbers, of every s-th one where they are many: it need not be exact.
func mean[T vec.Float](n, d int, row func(i int) []T) []T {
	const most = 4096
	step := shape.Pieces(n, most)
	sum, count := make([]float64, d), 0
	for i := 0; i < n; i += step {
		switch x := any(row(i)).(type) {
		case []float32:
			vec.MixedAxpy(1, x, sum)
		case []float64:
			vec.Axpy(1, x, sum)
		}
		count++
	}
	m := make([]T, d)
	for j, v := range sum {
		m[j] = T(v / float64(count))
	}
	return m
}

// meanOfExamples is mean of m's examples.
func (m *Matrix[T]) meanOfExamples() []T {
	if x, ok := m.x.(design.DenseRows[T]); ok {
		return mean(m.n, m.d, x.Row)
	}
	x, index := vec.NewMatrix[T](1, m.d), make([]int, 1)
	return mean(m.n, m.d, func(i int) []T {
		index[0] = i
		m.x.Gather(x, index)
		return x.Data
	})
}
