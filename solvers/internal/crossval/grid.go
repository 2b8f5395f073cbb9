package crossval

import (
	"context"
	"fmt"
	"slices"
)

// Grid returns a family's values of a parameter, or its defaults where values is nil, from the most regularized on:
// ascending, or descending where down is set. check says what is wrong with a value, before anything is trained.
func Grid(ctx context.Context, values, defaults []float64, down bool, check func(v float64) error) ([]float64, error) {
	if ctx == nil {
		return nil, fmt.Errorf("no context")
	}
	grid := slices.Clone(values)
	if values == nil {
		grid = slices.Clone(defaults)
	}
	slices.Sort(grid)
	if down {
		slices.Reverse(grid)
	}
	for _, v := range grid {
		if err := check(v); err != nil {
			return nil, err
		}
	}
	return grid, nil
}
