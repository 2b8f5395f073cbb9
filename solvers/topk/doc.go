// Package topk trains top-k multiclass support vector machines: linear classifiers whose first k guesses count, which
// helps where classes are many and alike. With K = 1 it is the multiclass SVM of Crammer and Singer.
//
// For examples x_i with classes y_i, i = 1..n, [Fit] minimises over W, d features by m classes,
//
//	P(W) = 1/n sum_i loss(Wᵀx_i, y_i) + Lambda/2 |W|²
//
// where the loss is one of the convex bounds on the top-k error that [Loss] names; its sums leave the true class out. With
// weights, loss_i counts v_i times. LIBLINEAR and others write 1/2 |W|² + C sum_i loss_i: that is P C n, with
// Lambda = 1/(C n).
//
// The method is stochastic dual coordinate ascent (Prox-SDCA, Algorithm 1 of Lapin, Hein, Schiele: "Top-k Multiclass SVM",
// NIPS 2015). An update maximises the dual objective over the m dual variables of one example, by a projection onto the
// top-k simplex. Dense examples go by blocks in fresh random order: their scores come from one product, each update
// corrects the scores of the block's other examples, and one product brings W up to date; in exact arithmetic that is
// what updates one by one do, and where classes are many a block has three rounds of them. Examples with few numbers that
// are not 0 are copied to sparse rows and go one by one. Examples that an update would leave alone, or whose part of the
// gap is negligible, are looked at ever more rarely, unless the certificate, which is over all examples, calls for them.
//
// Several Workers take turns: each visits some examples with a copy of W of its own, then all put their moves together, or the
// mean of them where they would go too far. That changes the way, not what the certificate says; the same number of workers gives
// the same bits.
//
// Every result has a certificate: the primal value of its model and the dual value of its dual variables, both computed in
// float64 from scratch, between which the optimum lies. Training ends when their relative gap is at most Tol.
//
// [FitKernel] does the same with the values of a kernel for inner products. Models go to LIBLINEAR's programs and come from
// them by [Model.WriteLIBLINEAR] and [ReadLIBLINEAR].
package topk
