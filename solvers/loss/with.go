package loss

import (
	"fmt"
	"math"
)

// check returns an error where k or smoothing is out of range.
func check(k int, smoothing float64) error {
	switch {
	case k < 1:
		return fmt.Errorf("loss: K = %d, want at least 1", k)
	case !(smoothing >= 0) || math.IsInf(smoothing, 1):
		return fmt.Errorf("loss: Smoothing = %v, want a finite number of at least 0", smoothing)
	}
	return nil
}

// checkOnlyK is check for a loss without smoothing.
func checkOnlyK(name string, k int, smoothing float64) error {
	if err := check(k, smoothing); err != nil {
		return err
	}
	if smoothing > 0 {
		return fmt.Errorf("loss: Smoothing = %v with the %s, which has none", smoothing, name)
	}
	return nil
}

// checkNone is check for a loss with neither K nor smoothing.
func checkNone(name string, k int, smoothing float64) error {
	if err := checkOnlyK(name, k, smoothing); err != nil {
		return err
	}
	if k > 1 {
		return fmt.Errorf("loss: K = %d with the %s, which has none", k, name)
	}
	return nil
}
