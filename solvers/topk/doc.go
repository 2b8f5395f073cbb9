// Package topk trains classifiers for many classes whose first k guesses count: top-k multiclass support vector
// machines, which help where classes are many and alike. With K = 1 it is the multiclass SVM of Crammer and Singer; the
// softmax loss and losses for sets of classes are there too.
//
//	train, test := samples.FashionMNIST[float32]()
//	r, err := topk.Fit(ctx, train.X, train.Y, topk.Config{K: 3, Lambda: .01})
//	fmt.Println(r.Outcome)                                    // converged after ...: primal, dual, relative gap
//	guesses, err := solvers.TopK(r, test.X, 3, 0)             // three for each image
//	accuracy, err := metrics.TopKRanked(guesses, test.Y, 3)   // accuracy[2]: the right one is among three
//
// # The problem
//
// For examples x_i with classes y_i, i = 1..n, [Fit] and [Problem.Fit] minimise over W, d features by m classes,
//
//	P(W) = 1/n sum_i loss(Wᵀx_i, y_i) + Lambda/2 |W|²
//
// where [Loss] names the loss: as a rule one of the convex bounds on the top-k error, whose sums leave the true class
// out. With weights, loss_i counts v_i times. LIBLINEAR and others write 1/2 |W|² + C sum_i loss_i: that is P C n, with
// Lambda = 1/(C n).
//
// Problem.Prior is a matrix W0, as a rule the weights of a related problem, that the penalty pulls to in place of 0:
//
//	P(W) = 1/n sum_i loss(Wᵀx_i, y_i) + Lambda/2 |W - W0|²
//	D(A) = Lambda (sum of the dual terms - <Xᵀ A, W0> - 1/2 |Xᵀ A|²),   W = W0 + Xᵀ A
//
// A [Problem] has features or a kernel, one class or a set of classes for each example, and may have weights, names of
// the classes and a result to start from. [Problem.Path] trains along a grid of Lambdas, with cross-validation.
//
// # Certificates
//
// Every [Result] has a certificate: the primal value of its model and the dual value of its dual variables, both
// computed in float64 from scratch. The optimum lies between them. Training ends when their relative gap is at most
// Tol.
//
// If training ends far from Tol, look at the features first. On features of very different sizes, such as counts beside
// fractions, no method of this kind converges soon: bring them to similar sizes. For the same reason keep Bias near the
// size of the other features; a constant feature of 1000 beside features of size 1 does not converge in any practical
// time.
//
// # The method
//
// It is stochastic dual coordinate ascent (Prox-SDCA, Algorithm 1 of Lapin, Hein, Schiele: "Top-k Multiclass SVM", NIPS
// 2015). A visit of an example maximises the dual objective over its m dual variables, by a projection onto the top-k
// simplex.
//
//   - Dense examples go by blocks in fresh random order. The scores of a block come from one product, each visit
//     corrects the scores of the block's other examples, and one product brings W up to date. In exact arithmetic that
//     is what visits one by one do. Where classes are many a block has three or four rounds of visits.
//   - Examples of which less than two fifths of the numbers are not 0 are copied to sparse rows and go one by one.
//   - Examples that a visit leaves alone, or whose part of the gap is negligible, are visited ever more rarely, unless
//     the certificate, which is over all examples, finds a loss there.
//   - Several Workers take turns: each visits some examples with a copy of W of its own, then all put their moves
//     together, or the mean of them where they would go too far. That changes the way, not what the certificate says.
//     The same number of workers gives the same bits. Where several cannot pay, one works.
//
// With Config.Checkpoint a training hands out its state now and then, and when its context ends; [Problem.Resume] goes
// on from it. Models are written and read by packages linear and kernel, which also know LIBLINEAR's text.
package topk
