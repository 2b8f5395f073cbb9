package optim

import "math"

// Nonnegative minimises f over x >= 0 from x, by L-BFGS on the variables that are free, those above 0 and those whose
// slope is below, with steps that are projected: a box-constrained quasi-Newton method. It ends where no slope of a
// free variable is above tol, after most evaluations of f, or where rounding allows no more, and returns the value.
func Nonnegative(x []float64, f Function[float64], tol float64, most int) (value float64) {
	const pairs, armijo = 10, 1e-4
	n := len(x)
	g, next, nextG, free, direction := make([]float64, n), make([]float64, n), make([]float64, n), make([]bool, n),
		make([]float64, n)
	memory := NewLBFGS[float64](pairs)
	value = f(g, x)
	for evaluations := 1; evaluations < most; {
		steepest, changed := freed(free, direction, x, g)
		if !(steepest > tol) {
			break
		}
		if changed {
			memory.Reset() // of pairs in another subspace
		}
		reduced := append([]float64(nil), direction...)
		memory.Direction(direction, reduced)
		for i, is := range free {
			if !is {
				direction[i] = 0
			}
		}
		moved := false
		for length := 1.0; !moved && evaluations < most && length > 1e-12; length /= 2 {
			gain := 0.0
			for i := range x {
				next[i] = max(0, x[i]+length*direction[i])
				gain += g[i] * (x[i] - next[i])
			}
			v := f(nextG, next)
			evaluations++
			if moved = v <= value-armijo*gain && gain > 0; moved {
				value = v
			}
		}
		if !moved {
			if memory.Len() == 0 {
				break
			}
			memory.Reset()
			continue
		}
		for i := range x {
			direction[i], reduced[i] = next[i]-x[i], 0
			if free[i] {
				reduced[i] = nextG[i] - g[i]
			}
		}
		memory.Add(direction, reduced)
		copy(x, next)
		g, nextG = nextG, g
	}
	return value
}

// freed sets which variables are free, and direction to the gradient of these, and returns the largest of their slopes
// and whether other variables are free than before.
func freed(free []bool, direction, x, g []float64) (steepest float64, changed bool) {
	for i, v := range x {
		is := v > 0 || g[i] < 0
		changed = changed || is != free[i]
		free[i], direction[i] = is, 0
		if is {
			steepest = max(steepest, math.Abs(g[i]))
			direction[i] = g[i]
		}
	}
	return steepest, changed
}
