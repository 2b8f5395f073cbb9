package toprank

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/ascent"
)

// Memory estimates from above what Fit takes besides the examples, or returns the error of the Problem or the Config. O(n).
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	o, err := p.prepare(c)
	if err != nil {
		return nil, fmt.Errorf("toprank: %w", err)
	}
	number, n, d := int(unsafe.Sizeof(T(0))), len(p.Positive), 0
	if p.Kernel == nil {
		if _, d = p.X.Dims(); d <= min(n, mostFeatures) && !p.visits {
			return solvers.Memory{
				ascent.Numbers("sums of products of features", 18, 8, d, "features", d, "features"), // 16 and two of their decomposition
				ascent.Numbers("variables of the examples", 40, 8, n, "examples", 1, ""),
				ascent.Numbers("examples in float64", float64(o.config.Workers), 8, 256, "examples", d, "features"),
			}, nil
		}
	}
	m := solvers.Memory{
		ascent.Numbers("variables of the examples", 60, 8, n, "examples", 1, ""),
		ascent.Numbers("K of the interior point method", 3, 8, min(n, mostFactored), "examples", min(n, mostFactored), "examples"),
	}
	if p.Kernel != nil {
		return append(m, ascent.KernelMemory(p.Kernel)...), nil
	}
	rows := min(n, budget/(number*n+1)+1)
	return append(m,
		ascent.Numbers("rows of K that are kept", 1, number, n, "examples", rows, "rows"),
		ascent.Numbers("copies of examples", 2, 8, n, "examples", ascent.Width(p.X), "numbers"),
	), nil
}
