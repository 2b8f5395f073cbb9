package main

import (
	"fmt"
	"strings"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// metric is something that cross-validation can measure.
type metric struct {
	flag  string // its name in --metric
	share bool   // told in percent
	solvers.Measure
}

// text returns a value: a percentage has the given number of digits behind the point, a number two more.
func (m metric) text(v float64, digits int) string {
	if m.share {
		return fmt.Sprintf("%.*f%%", digits, 100*v)
	}
	return fmt.Sprintf("%.*f", digits+2, v)
}

// metric returns the one that the flag names, by default the first.
func (t *Training) metric(all []metric) (metric, error) {
	var names []string
	for _, m := range all {
		if m.flag == t.Metric || t.Metric == "" {
			return m, nil
		}
		names = append(names, m.flag)
	}
	return metric{}, usage("--metric %s: want %s", t.Metric, strings.Join(names, ", "))
}

// scoresOf is the type of the functions that measure scores of some rows.
type scoresOf = func(scores vec.Matrix[float64], rows []int) (float64, error)

func pick[E any](all []E, rows []int) []E {
	some := make([]E, len(rows))
	for p, i := range rows {
		some[p] = all[i]
	}
	return some
}

// classMetrics are the metrics of examples with a class each, y, of m: a model is right where the class is among its k
// best. It may have probabilities.
func classMetrics(y []int, m, k int, probabilities bool) []metric {
	confusion := func(of func([]metrics.Class) float64) scoresOf {
		return func(scores vec.Matrix[float64], rows []int) (float64, error) {
			best := make([]int, len(rows))
			for p := range best {
				best[p] = vec.ArgMax(scores.Row(p))
			}
			counts, err := metrics.Confusion(best, pick(y, rows), m)
			if err != nil {
				return 0, err
			}
			return of(metrics.PerClass(counts)), nil
		}
	}
	name := "Accuracy"
	if k > 1 {
		name = fmt.Sprintf("Top-%d Accuracy", k)
	}
	all := []metric{
		{"accuracy", true, solvers.Measure{Name: name, Of: func(scores vec.Matrix[float64], rows []int) (float64,
			error) {
			tops, err := metrics.TopK(scores, pick(y, rows), k)
			if err != nil {
				return 0, err
			}
			return tops[k-1], nil
		}}},
		{"mean-recall", true, solvers.Measure{Name: "Mean Recall", Of: confusion(metrics.MeanRecall)}},
		{"macro-f1", true, solvers.Measure{Name: "Macro F1", Of: confusion(metrics.MacroF1)}},
	}
	if probabilities {
		all = append(all, metric{"log-loss", false, solvers.Measure{Name: "Log-loss", Smaller: true, Of: logLoss(y)}})
	}
	return all
}

// logLoss is the mean of -log of the probability that a model of classes gives the true one.
func logLoss(y []int) scoresOf {
	return func(scores vec.Matrix[float64], rows []int) (loss float64, err error) {
		for p, i := range rows {
			s := scores.Row(p)
			loss += (vec.LogSumExp(s) - s[y[i]]) / float64(len(rows))
		}
		return loss, nil
	}
}

// labelMetrics are the metrics of examples with sets of m labels, of models whose answer is the labels with scores
// above 0.
func labelMetrics(sets [][]int, m int) []metric {
	answer := func(scores vec.Matrix[float64]) [][]int {
		all := make([][]int, scores.Rows)
		for p := range all {
			for l, v := range scores.Row(p) {
				if v > 0 {
					all[p] = append(all[p], l)
				}
			}
		}
		return all
	}
	f1 := func(of func([]metrics.Class) float64) scoresOf {
		return func(scores vec.Matrix[float64], rows []int) (float64, error) {
			labels, err := metrics.PerLabel(answer(scores), pick(sets, rows), m)
			return of(labels), err
		}
	}
	return []metric{
		{"hamming", true, solvers.Measure{Name: "Hamming Loss", Smaller: true,
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				return metrics.HammingLoss(answer(scores), pick(sets, rows), m)
			}}},
		{"micro-f1", true, solvers.Measure{Name: "Micro F1", Of: f1(metrics.MicroF1)}},
		{"macro-f1", true, solvers.Measure{Name: "Macro F1", Of: f1(metrics.MacroF1)}},
		{"exact", true, solvers.Measure{Name: "Sets without a Fault", Of: func(scores vec.Matrix[float64],
			rows []int) (float64, error) {
			return metrics.SubsetAccuracy(answer(scores), pick(sets, rows), m)
		}}},
	}
}

// orderMetrics are the metrics of examples with sets of labels, of models that put labels in order: k guesses count.
func orderMetrics(sets [][]int, k int) []metric {
	return []metric{
		{"precision", true, solvers.Measure{Name: fmt.Sprintf("Precision at %d", k),
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				all, err := metrics.PrecisionAtK(scores, pick(sets, rows), k)
				if err != nil {
					return 0, err
				}
				return all[k-1], nil
			}}},
		{"ranking-loss", true, solvers.Measure{Name: "Ranking Loss", Smaller: true,
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				return metrics.RankingLoss(scores, pick(sets, rows))
			}}},
	}
}

// topMetrics are the metrics of rankings, which are to have the positive examples at the top. Those by query are of
// each group, or of all examples where there are no groups. The NDCG takes grades for the relevance, and without any 1
// for positive examples and 0 for others.
func topMetrics(positive []bool, groups, grades []int, recall float64) []metric {
	if grades == nil {
		grades = make([]int, len(positive))
		for i, is := range positive {
			if is {
				grades[i] = 1
			}
		}
	}
	queries := func(rows []int) []int {
		if groups == nil {
			return nil
		}
		return pick(groups, rows)
	}
	return []metric{
		{"precision", true, solvers.Measure{Name: fmt.Sprintf("Precision at Recall %v", recall),
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				precision, _, err := metrics.PrecisionAtRecall(scores.Data, pick(positive, rows), recall)
				return precision, err
			}}},
		{"average-precision", true, solvers.Measure{Name: "Mean Average Precision",
			Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				return metrics.MeanAveragePrecision(scores.Data, pick(positive, rows), queries(rows))
			}}},
		{"ndcg", true, solvers.Measure{Name: "NDCG", Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
			return metrics.NDCG(scores.Data, pick(grades, rows), queries(rows), len(rows))
		}}},
	}
}

// signMetrics are the metrics of examples with one of two classes each, of models whose one score is above 0 for class
// 1.
func signMetrics(y []int) []metric {
	all := classMetrics(y, 2, 1, false)
	for k := range all {
		of := all[k].Of
		all[k].Of = func(scores vec.Matrix[float64], rows []int) (float64, error) {
			both := vec.NewMatrix[float64](scores.Rows, 2)
			for p := range both.Rows {
				both.Row(p)[1] = scores.Row(p)[0]
			}
			return of(both, rows)
		}
	}
	return all
}

// numberMetrics are the metrics of models that predict numbers.
func numberMetrics(targets []float64) []metric {
	of := func(measure func([]float64, []float64) (float64, error)) scoresOf {
		return func(scores vec.Matrix[float64], rows []int) (float64, error) {
			predicted := make([]float64, scores.Rows)
			for p := range predicted {
				predicted[p] = scores.Row(p)[0]
			}
			return measure(predicted, pick(targets, rows))
		}
	}
	return []metric{
		{"mse", false, solvers.Measure{Name: "Mean Squared Error", Smaller: true,
			Of: of(metrics.MeanSquaredError[float64])}},
		{"mae", false, solvers.Measure{Name: "Mean Absolute Error", Smaller: true,
			Of: of(metrics.MeanAbsoluteError[float64])}},
		{"r2", false, solvers.Measure{Name: "R²", Of: of(metrics.R2[float64])}},
	}
}
