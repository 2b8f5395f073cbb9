package metrics

import (
	"math"
	"strings"
	"testing"
)

// TestRegression: by hand.
func TestRegression(t *testing.T) {
	for _, c := range []struct {
		predicted, targets []float64
		mse, mae, r2       float64
	}{
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 0, 0, 1},
		{[]float64{2, 2, 2}, []float64{1, 2, 3}, 2. / 3, 2. / 3, 0},
		{[]float64{1, 2, 5}, []float64{1, 2, 3}, 4. / 3, 2. / 3, -1},
		{[]float64{4}, []float64{4}, 0, 0, 1},
		{[]float64{5, 5}, []float64{4, 4}, 1, 1, 0},
		{[]float64{0, 0}, []float64{-1, 1}, 1, 1, 0},
		{[]float64{.1, .1, .1}, []float64{.1, .1, .1}, 0, 0, 1},
		{[]float64{0x1p52, 0x1p52 + 1, 0x1p52 + 2, 0x1p52 + 4}, []float64{0x1p52, 0x1p52 + 1, 0x1p52 + 2, 0x1p52 + 5},
			1. / 4, 1. / 4, 1 - 1./14},
	} {
		mse, err := MeanSquaredError(c.predicted, c.targets)
		mae, err2 := MeanAbsoluteError(c.predicted, c.targets)
		r2, err3 := R2(c.predicted, c.targets)
		if err != nil || err2 != nil || err3 != nil || math.Abs(mse-c.mse) > 1e-15 || math.Abs(mae-c.mae) > 1e-15 ||
			math.Abs(r2-c.r2) > 1e-15 {
			t.Errorf("%v for %v: %v, %v, %v, want %v, %v, %v; %v, %v, %v", c.predicted, c.targets, mse, mae, r2, c.mse,
				c.mae, c.r2, err, err2, err3)
		}
	}
}

// TestRegressionErrors: lengths and numbers that are not finite are errors that name them.
func TestRegressionErrors(t *testing.T) {
	for want, c := range map[string][2][]float64{
		"2 predictions and 1 targets": {{1, 2}, {1}},
		"0 predictions and 0 targets": {},
		"prediction of row 1 is NaN":  {{1, math.NaN()}, {1, 2}},
		"target of row 0 is +Inf":     {{1, 2}, {math.Inf(1), 2}},
	} {
		for name, of := range map[string]func([]float64, []float64) (float64, error){
			"MeanSquaredError": MeanSquaredError[float64], "MeanAbsoluteError": MeanAbsoluteError[float64],
			"R2": R2[float64],
		} {
			if _, err := of(c[0], c[1]); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
}
