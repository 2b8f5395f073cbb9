package families

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// shares are the weights of the trace norm, as parts of the least one for which no weight of the model is above 0.
var shares = []float64{.5, .1, .02}

// traceNorm trains multinomial logistic regression with weights of low rank on images of clothing.
func traceNorm(ctx context.Context, r *run) error {
	train, test := r.fashion()
	p := tracenorm.Problem[float32]{X: train.X, Y: train.Y}
	largest, err := p.LargestLambda1(tracenorm.Config{Workers: 1})
	if err != nil {
		return err
	}
	for _, share := range shares {
		t := r.begin("tracenorm", fmt.Sprintf("lambda1 = %v of the largest", share), "n", len(train.Y), "tests",
			len(test.Y))
		c := tracenorm.Config{Lambda1: share * largest, Lambda2: .1 * share * largest, Tol: r.Tol, Seed: r.Seed,
			Workers: 1, Progress: t.progress}
		model, stopped := p.Fit(ctx, c)
		if model == nil {
			return stopped
		}
		t.stop(model.Outcome)
		if stopped != nil {
			t.record()
			return stopped
		}
		scores := vec.NewMatrix[float32](len(test.Y), len(train.Classes))
		if err := model.Scores(scores, test.X, nil); err != nil {
			return err
		}
		accuracy, err := metrics.TopK(scores, test.Y, 3)
		if err != nil {
			return err
		}
		t.record(results.Value{Number: c.Lambda1, Unit: "lambda1"}, results.Value{Number: float64(len(model.Spectrum)),
			Unit: "rank"},
			percent(accuracy[0], "top-1"), percent(accuracy[2], "top-3"))
		for j, sigma := range model.Spectrum {
			t.point("Spectrum", "index", j+1, results.Value{Number: sigma, Unit: "sigma"})
		}
	}
	return nil
}
