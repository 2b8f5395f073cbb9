package families

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/results"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// rankers are trained on e-mails, with features of mean 0 and variance 1.
var rankers = []struct {
	name   string
	config toprank.Config
}{
	{"TopPush", toprank.Config{C: .01}},
	{"TopPushK, K = 10", toprank.Config{C: .01, K: 10}},
	{"Pat&Mat, tau = 0.05", toprank.Config{C: .01, Method: toprank.PatMat, Tau: .05}},
}

// recalls are where precisions are told.
var recalls = []float64{.05, .2, .5}

// topRank trains rankers that put spam above all other e-mails, and tests them on a quarter of the e-mails.
func topRank(ctx context.Context, r *run) error {
	train, test, err := r.emails()
	if err != nil {
		return err
	}
	positive, truth := isOne(train.Y), isOne(test.Y)
	for _, m := range rankers {
		t := r.begin("toprank", m.name, "n", len(positive), "tests", len(truth))
		c := m.config
		c.Tol, c.Seed, c.Workers, c.Progress = r.Tol, r.Seed, 1, t.progress
		model, stopped := toprank.Fit(ctx, train.X, positive, c)
		if model == nil {
			return stopped
		}
		t.stop(model.Outcome)
		if stopped != nil {
			t.record()
			return stopped
		}
		scores := vec.NewMatrix[float32](len(truth), 1)
		if err := model.ScoresWorkers(scores, test.X, nil, 0); err != nil {
			return err
		}
		values := []results.Value{{Number: c.C, Unit: "C"}}
		for _, recall := range recalls {
			precision, _, err := metrics.PrecisionAtRecall(scores.Data, truth, recall)
			if err != nil {
				return err
			}
			values = append(values, percent(precision, fmt.Sprintf("p@%v", recall)))
		}
		curve, err := metrics.PrecisionRecall(scores.Data, truth)
		if err != nil {
			return err
		}
		t.record(append(values, results.Value{Number: curve.Area, Unit: "area"})...)
		t.curve(curve)
	}
	return nil
}

// emails returns three quarters of Spambase to train on and a quarter to test on, standardized by the former.
func (r *run) emails() (train, test *dataset.Labeled[*dataset.Dense[float32]], err error) {
	all := samples.Spambase[float32]()
	split, err := (solvers.Strata{Y: all.Y}).Split(.25, r.Seed)
	if err != nil {
		return nil, nil, err
	}
	rows, left := split.Train, split.Test
	if r.Quick {
		rows, left = everyFifth(rows), everyFifth(left)
	}
	parts := make([]*dataset.Labeled[*dataset.Dense[float32]], 2)
	var scaling *dataset.Scaling
	for k, rows := range [][]int{rows, left} {
		x := &dataset.Dense[float32]{Matrix: vec.NewMatrix[float32](len(rows), all.X.Cols)}
		all.X.Gather(x.Matrix, rows)
		if k == 0 {
			if scaling, err = dataset.Standardize(x); err != nil {
				return nil, nil, err
			}
		}
		if x, err = x.Scaled(scaling); err != nil {
			return nil, nil, err
		}
		parts[k] = &dataset.Labeled[*dataset.Dense[float32]]{X: x}
		for _, i := range rows {
			parts[k].Y = append(parts[k].Y, all.Y[i])
		}
	}
	return parts[0], parts[1], nil
}

// everyFifth thins out rows, which come by class.
func everyFifth(rows []int) (some []int) {
	for k := 0; k < len(rows); k += 5 {
		some = append(some, rows[k])
	}
	return some
}

func isOne(y []int) []bool {
	positive := make([]bool, len(y))
	for i, c := range y {
		positive[i] = c == 1
	}
	return positive
}

// curve adds the points of a curve of precision over recall at which a positive example comes in, some of them where
// they are many.
func (t *training) curve(c *metrics.PRCurve[float32]) {
	var at []int
	before := 0.0
	for k, recall := range c.Recall {
		if recall > before {
			at = append(at, k)
		}
		before = recall
	}
	const most = 150
	shown := min(len(at), most)
	for k := range shown {
		j := at[k*(len(at)-1)/max(shown-1, 1)]
		t.point("PR", "point", k, results.Value{Number: c.Recall[j], Unit: "recall"},
			results.Value{Number: c.Precision[j], Unit: "precision"})
	}
}
