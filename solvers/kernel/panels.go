package kernel

import (
	"math"
	"sync"
	"unsafe"

	"github.com/dualgap/dualgap/internal/parallel"
	"github.com/dualgap/dualgap/internal/unchecked"
	"github.com/dualgap/dualgap/vec"
)

// panels are the examples as products with all of them read them. They are made when the first row is computed.
//
// Distances are computed from examples less their mean, which they do not depend on: |x|² + |z|² - 2<x, z> cancels
// where examples are far from the origin and near each other.
type panels[T vec.Float] struct {
	once  sync.Once
	keep  bool
	mean  []T // nil where nothing is subtracted
	norms []T // squared, of the examples less mean
	kept  []T // all panels one after the other; nil: they are made anew for every use
}

// panelBytes is the memory of the panels of n examples.
func panelBytes[T vec.Float](n, d int) float64 {
	cols := unchecked.PanelCols[T]()
	return float64((n+cols-1)/cols*cols) * float64(d) * float64(unsafe.Sizeof(T(0)))
}

// keepPanels decides whether the panels are kept, and returns what is left of the budget for rows.
func (m *Matrix[T]) keepPanels(budget int64) int64 {
	size := panelBytes[T](m.n, m.d)
	if m.thin || size > float64(budget)/2 || size > math.MaxInt/2 {
		return budget
	}
	m.panels.keep = true
	return budget - int64(size)
}

// prepare makes the panels.
func (m *Matrix[T]) prepare(workers int) {
	m.panels.once.Do(func() {
		p := &m.panels
		p.norms = m.norms
		if onlyDistances(m.k) && m.canCentre() {
			p.mean, p.norms = m.mean(), make([]T, m.n)
		}
		if p.mean == nil && !p.keep {
			return
		}
		cols := unchecked.PanelCols[T]()
		count := (m.n + cols - 1) / cols
		var kept []T
		if p.keep {
			kept = aligned[T](count*m.d, cols).Data
		}
		parallel.Do(workers, count, func(_, b int) {
			w := m.window()
			z := w.gather(b*cols, min((b+1)*cols, m.n))
			subtract(p.mean, z)
			if p.mean != nil {
				for i := range z.Rows {
					p.norms[b*cols+i] = vec.SquaredNorm(z.Row(i))
				}
			}
			if kept != nil {
				unchecked.PackPanel(kept[b*cols*m.d:], &z)
			}
			m.windows.Put(w)
		})
		p.kept = kept
	})
}

// onlyDistances reports whether k looks at examples by their distances alone.
func onlyDistances(k Kernel) bool {
	switch k := k.(type) {
	case Gaussian:
		return true
	case Sum:
		for _, t := range k {
			if !onlyDistances(t.Kernel) {
				return false
			}
		}
		return true
	}
	return false
}

// canCentre reports whether |x - mean|² <= (|x| + |mean|)² <= 4 max |x|² is finite for all examples; the factor 8 is
// for rounding.
func (m *Matrix[T]) canCentre() bool {
	largest := math.MaxFloat64
	if unsafe.Sizeof(T(0)) == 4 {
		largest = math.MaxFloat32
	}
	return float64(vec.Max(m.norms)) <= largest/8
}

// mean returns the mean of the examples, of every s-th one where they are many: it need not be exact.
func (m *Matrix[T]) mean() []T {
	const most = 4096
	step := (m.n + most - 1) / most
	sum, count := make([]float64, m.d), 0
	x, index := aligned[T](1, m.d), make([]int, 1)
	for i := 0; i < m.n; i += step {
		index[0] = i
		m.x.Gather(x, index)
		for j, v := range x.Row(0) {
			sum[j] += float64(v)
		}
		count++
	}
	mean := make([]T, m.d)
	for j, v := range sum {
		mean[j] = T(v / float64(count))
	}
	return mean
}
