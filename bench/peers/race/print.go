package race

import (
	"fmt"
	"math"
)

// Run trains to a tolerance. It returns the objective, computed in float64, and the CPU seconds.
type Run func(tolerance float64) (objective, seconds float64, err error)

// Least is the least gap that is tried, unless LIBLINEAR's objective is known to be nearer to the optimum.
const Least = 1e-8

// PrintHead names the columns of Print, by the rival.
func PrintHead(rival string) {
	fmt.Printf("%-40s %9s %12s %10s %10s %8s %10s %8s\n",
		"problem", "eps", "objective", rival, "float32 s", "ratio", "float64 s", "ratio")
}

// Print races for a number of rounds and prints a line. The rival trains to eps; ours in each precision to the largest
// relative gap, to a fifth, at which its objective is at most as large as the rival's. No gap below least is tried.
func Print(name string, eps, least float64, rounds int, rival, float32s, float64s Run) error {
	target, _, err := rival(eps)
	if err != nil {
		return err
	}
	trains, tolerances := []Run{rival}, []float64{eps}
	columns := []int{0, 0}
	for k, train := range []Run{float32s, float64s} {
		gap, err := reach(target, least, train)
		if err != nil {
			return err
		}
		if gap > 0 {
			columns[k] = len(trains)
			trains, tolerances = append(trains, train), append(tolerances, gap)
		}
	}
	runs := make([]func() (float64, error), len(trains))
	for k, train := range trains {
		runs[k] = func() (float64, error) {
			_, seconds, err := train(tolerances[k])
			return seconds, err
		}
	}
	seconds, err := Alternate(rounds, runs...)
	if err != nil {
		return err
	}
	fmt.Printf("%-40s %9.0e %12.6g %10.4f", name, eps, target, seconds[0])
	for _, k := range columns {
		if k == 0 {
			fmt.Printf(" %10s %8s", "-", "-")
		} else {
			fmt.Printf(" %10.4f %8.2f", seconds[k], seconds[0]/seconds[k])
		}
	}
	fmt.Println()
	return nil
}

// reach returns the largest gap, to a fifth, that leads to an objective of at most target; 0 if none of at least least
// does.
func reach(target, least float64, train Run) (gap float64, err error) {
	high, low := 1.0, 0.0 // too large, and small enough
	for low == 0 || high > 1.2*low {
		try := high / 4
		if low > 0 {
			try = math.Sqrt(low * high)
		}
		if try < least {
			return 0, nil
		}
		objective, _, err := train(try)
		if err != nil {
			return 0, err
		}
		if objective <= target {
			low = try
		} else {
			high = try
		}
	}
	return low, nil
}
