package crossval

import (
	"fmt"
	"slices"
)

// Up returns the values of a parameter, or its defaults where they are nil, in ascending order.
func Up(values []float64, defaults ...float64) []float64 {
	if values == nil {
		values = defaults
	}
	return slices.Sorted(slices.Values(values))
}

// Down is Up in descending order.
func Down(values []float64, defaults ...float64) []float64 {
	grid := Up(values, defaults...)
	slices.Reverse(grid)
	return grid
}

// Costs is Up for weights of the losses. A Config's C of 0 is a default, but no point of a grid.
func Costs(values []float64, defaults ...float64) ([]float64, error) {
	if slices.Contains(values, 0) {
		return nil, fmt.Errorf("C = 0, want a positive number")
	}
	return Up(values, defaults...), nil
}
