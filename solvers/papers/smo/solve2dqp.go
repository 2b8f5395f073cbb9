package smo

// solve2DQP returns the maximiser of
//
//	h(x) = -1/2 xᵀQx + gᵀx,  low <= x <= high,  Q = (q11 q12; q12 q22) positive definite,
//
// Algorithm 2. Clipping the unconstrained maximiser is not enough: where one variable leaves its interval it stays at
// that end, and the other is solved for again; where both do, one of them does.
func solve2DQP(q11, q12, q22 float64, g, low, high [2]float64) [2]float64 {
	det := q11*q22 - q12*q12
	free := [2]float64{(q22*g[0] - q12*g[1]) / det, (q11*g[1] - q12*g[0]) / det}
	clipped := [2]float64{clip(free[0], low[0], high[0]), clip(free[1], low[1], high[1])}
	secondHeld := [2]float64{solve1DQP(q11, g[0]-q12*clipped[1], low[0], high[0]), clipped[1]}
	firstHeld := [2]float64{clipped[0], solve1DQP(q22, g[1]-q12*clipped[0], low[1], high[1])}
	inside := [2]bool{clipped[0] == free[0], clipped[1] == free[1]}
	switch {
	case inside[0] && inside[1]: // lines 3 and 4
		return free
	case inside[0]: // lines 5 to 7
		return secondHeld
	case inside[1]: // lines 8 to 10
		return firstHeld
	case gain(q11, q12, q22, g, firstHeld) > gain(q11, q12, q22, g, secondHeld): // lines 11 to 20
		return firstHeld
	}
	return secondHeld
}

// solve1DQP returns the maximiser of -1/2 q x² + g x, low <= x <= high, (58), an end where q = 0. g is not 0, or q is
// not.
func solve1DQP(q, g, low, high float64) float64 { return clip(g/q, low, high) }

// gain is h(x).
func gain(q11, q12, q22 float64, g, x [2]float64) float64 {
	return x[0]*(g[0]-(q11*x[0]+q12*x[1])/2) + x[1]*(g[1]-(q12*x[0]+q22*x[1])/2)
}

func clip(x, low, high float64) float64 { return min(max(x, low), high) }
