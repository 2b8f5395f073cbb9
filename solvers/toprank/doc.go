// Package toprank trains scores that are right at the top: as many positive examples as can be above a threshold that
// only few negative ones pass. It is for searches and alarms, where people look at the first answers only.
//
//	positive, err := data.Positive("spam")
//	r, err := toprank.Fit(ctx, x, positive, toprank.Config{Method: toprank.PatMat, Tau: .01})
//	found, err := r.Decide(test, 0) // whether a score is at or above the threshold
//	scores := vec.NewMatrix[float32](n, 1)
//	err = r.Scores(scores, test, nil)
//
// # The problem
//
// For positive and negative examples x_i, [Problem.Fit] minimises over w, in the space of the features or of a kernel,
//
//	1/2 |w|² + C sum_{i positive} l1(t - <w, x_i>)                 (4)
//
// where the threshold t follows from the scores f_j = <w, x_j> of the negative examples:
//
//	TopPush   t is the mean of the K largest f_j; with K = 1, the default, the largest one             (5)
//	PatMat    t is the smallest with sum_j l2(f_j - t) <= Tau n, for n such j: an upper bound on the
//	          score that a part Tau of them passes                                                     (10), (11)
//
// and l1 and l2 are both the quadratic l(s) = max(0, 1 + theta s)² or both the hinge l(s) = max(0, 1 + theta s), with
// [Config].Theta1 in l1 and Theta2 in l2.
//
// The dual has a variable alpha_i >= 0 for each positive example and beta_j >= 0 for each negative one, with
// sum alpha = sum beta = S, and w = sum_i alpha_i x_i - sum_j beta_j x_j:
//
//	TopPush (7)   max sum_i (alpha_i/theta1 - p1 alpha_i²) - 1/2 |w|²,  beta_j <= S/K
//	PatMat (12)   max sum_i (alpha_i/theta1 - p1 alpha_i²) + sum_j beta_j/theta2 - r(beta) - 1/2 |w|²
//
// where for the quadratic p1 = 1/(4 C theta1²) and r(beta) = sqrt(Tau n) |beta|/theta2, and for the hinge p1 = 0,
// alpha_i <= C theta1 and r(beta) = Tau n max_j beta_j/theta2.
//
// # Within queries
//
// Where examples answer queries, scores need only rank the examples of one query: documents found for a search, offers
// shown to one visitor. [Problem].Groups says which query an example belongs to. Each query q then has a threshold of
// its own, t_q, the mean of the K largest scores of its own negative examples (of all of them, where it has fewer), and
// only pairs within a query count:
//
//	1/2 |w|² + C sum_q sum_{i positive in q} l1(t_q - <w, x_i>)
//
// In the dual the sums of alphas and of betas are equal in each query, S_q, and its betas are at most S_q/K. The
// certificate is for this problem. A model that was trained so has no threshold: its scores rank within a query, and
// scores of two queries do not compare. In package metrics NDCG, MeanAveragePrecision and RecallAtK measure them by
// query.
//
// # Classes
//
// [Classes] trains one ranker for each class, one against all, to a model that names the class. [Joint] is one problem
// of all pairs of an example and a class instead.
//
// Package papers/ranking is the paper's method.
//
// The paper is "Nonlinear classifiers for ranking problems based on kernelized SVM" by Mácha, Adam and Šmídl, 2020. Its
// (12) takes n tau with n the number of all examples, while its sum is over the negative ones; Tau here is the part of
// those that the sum is over, which Config.All makes all examples.
package toprank
