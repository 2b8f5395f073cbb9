package toprank

import (
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/interior"
)

// Memory estimates from above what Fit takes besides the examples, or returns the error of the Problem or the Config.
// Where there are levels all examples are counted: the last level may come to them. O(n).
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}

// Memory: see family.Memory.
func (p *prepared[T]) Memory() solvers.Memory {
	number, n, d := int(unsafe.Sizeof(T(0))), len(p.Positive), 0
	if p.Kernel == nil {
		_, d = p.X.Dims()
		if d <= min(n, mostFeatures) && !p.visits {
			m := solvers.Memory{
				// 16 and two of their decomposition
				family.Numbers("sums of products of features", 18, 8, d, "features", d, "features"),
				family.Numbers("variables of the examples", 56, 8, n, "examples", 1, ""),
				family.Numbers("examples in float64", float64(p.o.Workers), 8, 256, "examples", d, "features"),
			}
			if few := copied(p.X); few > 0 {
				m = append(m, family.Numbers("copies of examples", 1, 8, few, "examples", d, "features"))
			}
			return m
		}
	}
	inside, matrices := min(n, mostFactored), 3.0
	if p.Groups != nil { // L, and the sums of its products
		matrices = 2 + float64(interior.Sums(inside, inside))
	}
	m := solvers.Memory{
		family.Numbers("variables of the examples", 60, 8, n, "examples", 1, ""),
		family.Numbers("K of the interior point method", matrices, 8, inside, "examples", inside, "examples"),
	}
	if p.Kernel != nil {
		return append(m, family.KernelMemory(p.Kernel)...)
	}
	rows := min(n, rowBytes/(number*n+1)+1)
	return append(m,
		family.Numbers("rows of K that are kept", 1, number, n, "examples", rows, "rows"),
		family.Numbers("copies of examples", 2, 8, n, "examples", family.Width(p.X), "numbers"),
	)
}
