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

// some returns the points of a grid at the places, all where these are nil.
func some[P any](grid []P, places []int) ([]P, error) {
	if places == nil {
		return grid, nil
	}
	points := make([]P, len(places))
	for k, at := range places {
		if at < 0 || at >= len(grid) || k > 0 && at <= places[k-1] {
			return nil, fmt.Errorf("Points[%d] = %d of a path of %d points, want places from 0 on, ascending", k, at,
				len(grid))
		}
		points[k] = grid[at]
	}
	return points, nil
}
