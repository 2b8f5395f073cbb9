package topk

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// TestCalibrationFashion: a temperature by held-out scores of 3000 images leaves at most a third of the expected
// calibration error on 1000 others.
func TestCalibrationFashion(t *testing.T) {
	train, test := samples.FashionMNIST[float32]()
	costs := []float64{.01, .1}
	if testing.Short() {
		costs = costs[:1]
	}
	calibrated(t, Problem[float32]{X: train.X, Y: train.Y}, Problem[float32]{X: test.X, Y: test.Y}, costs...)
}

// TestCalibrationSilhouettes: the same of the training set of Caltech-101's silhouettes, 101 classes, on its test set.
func TestCalibrationSilhouettes(t *testing.T) {
	dir := os.Getenv("DUALGAP_DATA")
	if dir == "" || testing.Short() {
		t.Skip("needs DUALGAP_DATA, and is long")
	}
	var all [2]Problem[float32]
	var classes []string
	for k, part := range []string{"train", "test"} {
		set, err := dataset.OpenLIBSVM[float32](filepath.Join(dir, "caltech101-silhouettes28-"+part+".svm.gz"),
			dataset.LIBSVMOptions{Cols: 784, Classes: classes})
		if err != nil {
			t.Fatal(err)
		}
		x, err := set.X.Dense()
		if err != nil {
			t.Fatal(err)
		}
		all[k], classes = Problem[float32]{X: x, Y: set.Y}, set.Classes
	}
	calibrated(t, all[0], all[1], .01, .1, 1)
}

// calibrated fits temperatures on held-out scores of the hinge with k = 1 for costs C, and measures on the test set.
func calibrated(t *testing.T, train, test Problem[float32], costs ...float64) {
	ctx, n := context.Background(), len(train.Y)
	for _, cost := range costs {
		c := Config{Lambda: 1 / (cost * float64(n)), Bias: 1}
		held := solvers.NewHeldOut(n)
		_, err := train.Path(ctx, c, PathConfig{Lambdas: []float64{c.Lambda}, CrossValidation: solvers.CrossValidation{
			Folds: 5, FoldsOnly: true, Measures: []solvers.Measure{held.Measure()}}})
		if err != nil {
			t.Fatal(err)
		}
		scores, err := held.Scores()
		if err != nil {
			t.Fatal(err)
		}
		fitted, err := solvers.FitTemperature(scores, solvers.Truth{Y: train.Y})
		if err != nil {
			t.Fatal(err)
		}
		r, err := train.Fit(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		before := calibrationError(t, r, &solvers.Calibration{Slope: []float64{1}}, test)
		after := calibrationError(t, r, fitted, test)
		t.Logf("C = %v: temperature %.4g, calibration error %.4f, without %.4f: %.2f of it", cost, fitted.Temperature(),
			after, before, after/before)
		if !(after <= before/3) {
			t.Errorf("C = %v: calibration error %.4f, without %.4f", cost, after, before)
		}
	}
}

// calibrationError is the expected calibration error of the predicted classes, in 15 bins as Guo and others have it.
func calibrationError(t *testing.T, r *Result[float32], c *solvers.Calibration, test Problem[float32]) float64 {
	p, err := solvers.CalibratedProbabilities(r, c, test.X, 0)
	if err != nil {
		t.Fatal(err)
	}
	best, right := make([]float64, p.Rows), make([]bool, p.Rows)
	for i := range best {
		class := vec.ArgMax(p.Row(i))
		best[i], right[i] = min(p.Row(i)[class], 1), class == test.Y[i]
	}
	curve, err := metrics.Calibration(best, right, 15)
	if err != nil {
		t.Fatal(err)
	}
	return metrics.CalibrationError(curve)
}
