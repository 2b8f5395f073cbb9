package svm

import "math"

// balance moves a until it adds up to the sum: each by the same part of the way that it has to the end of its interval,
// of numbers of its sign, in the direction asked for; those that are 0 or at a bound stay unless all others' ways are
// too short. Intervals without an end go to twice the largest size.
func (o *plain) balance(a []float64) {
	for range 4 {
		need, largest := o.sum, 0.0
		for _, v := range a {
			need -= v
			largest = math.Max(largest, math.Abs(v))
		}
		if need == 0 {
			return
		}
		ways := make([]float64, len(a))
		for _, all := range []bool{false, true} {
			sum := 0.0
			for i, v := range a {
				ways[i] = 0
				if o.cost[i] > 0 {
					ways[i] = o.way(i, v, need, largest, all)
				}
				sum += ways[i]
			}
			if sum >= math.Abs(need) || all && sum > 0 {
				for i := range a {
					a[i] += ways[i] * math.Copysign(math.Min(1, math.Abs(need)/sum), need)
				}
				break
			}
		}
	}
}

func (o *plain) way(i int, v, need, largest float64, all bool) float64 {
	low, high := o.feasible(i, math.Inf(-1)), o.feasible(i, math.Inf(1))
	near := func(end float64) bool { return math.Abs(v-end) < o.cost[i]/(1<<20) }
	if !all && (v == 0 || near(low) || near(high)) {
		return 0
	}
	if all {
		largest += math.Abs(need)
	}
	end := math.Max(low, -2*largest)
	if need > 0 {
		end = math.Min(high, 2*largest)
	}
	if !all && v*need < 0 { // towards 0, and not beyond
		end = 0
	}
	return math.Abs(end - v)
}
