// Package metrics measures predictions against the truth.
//
//	accuracy, err := metrics.Accuracy(guesses, test.Y)
//	counts, err := metrics.Confusion(guesses, test.Y, len(test.Classes))
//	recall := metrics.MeanRecall(metrics.PerClass(counts)) // all classes count the same
//	wrong, err := metrics.HammingLoss(sets, truth, labels) // of label sets
//	curve, err := metrics.PrecisionRecall(scores, positive)
//	ndcg, err := metrics.NDCG(scores, relevance, test.Groups, 10) // by query
//
// Classes, one an example: [Accuracy], [TopK], [Confusion] and what follows from it, [PerClass] and [MeanRecall].
//
// Label sets, any number of labels an example: [HammingLoss], [SubsetAccuracy], [PerLabel] with [MicroF1] and
// [MacroF1] for sets that were predicted; [PrecisionAtK] and [RankingLoss] for scores of all labels.
//
// Scores of two classes: [PrecisionAtRecall], [AccuracyAtTop], the curves [ROC] and [PrecisionRecall] with their areas,
// [Density], and [Calibration] for scores that are probabilities. [Threshold] and [LabelThresholds] choose thresholds
// under a constraint.
//
// Numbers that were predicted: [MeanSquaredError], [MeanAbsoluteError] and [R2].
//
// Scores of examples that answer queries, each query ranked by itself: [NDCG] for grades of relevance,
// [MeanAveragePrecision], [RecallAtK] and [MeanReciprocalRank] for relevant or not.
//
// The functions say what equal scores do. Scores that are NaN are an error that names the row, except in [TopK], and so
// are sizes that do not fit. An infinity is a score like others where only the order counts.
package metrics
