// Package tracenorm trains multinomial logistic regression whose weights have low rank: for many classes that share
// structure, it gives probabilities of all classes and a model in factors, quick to apply.
//
//	r, err := tracenorm.Fit(ctx, x, y, tracenorm.Config{Lambda1: .01, Lambda2: .001})
//	...
//	p, err := solvers.Probabilities(r.Model, test, 0) // n-by-m
//
// # The problem
//
// For n examples x_i with d features and the classes y_i, of m, [Problem.Fit] minimises over W, d-by-m,
//
//	J(W) = Lambda1 |W|_* + Lambda2 |W|_F² + 1/n sum_i w_i (log sum_l exp(s_il) - s_iy),   s_i = Wᵀ x_i      (4)
//
// |W|_* is the sum of the singular values of W, |W|_F² the sum of their squares, w_i the weights of the examples, 1
// each as a rule. The larger Lambda1, the lower the rank of W, down to W = 0 from [Problem.LargestLambda1] on. With
// Lambda1 = 0 it is multinomial logistic regression with a quadratic penalty.
//
// The dual has probabilities p_i of the classes for each example:
//
//	D = 1/n sum_i w_i H(p_i) - sum_j max(0, sigma_j - Lambda1)²/(4 Lambda2),   H(p) = -sum_l p_l log p_l
//
// with sigma_j the singular values of G = 1/n sum_i w_i x_i (p_i - e_y)ᵀ; with Lambda2 = 0 none of them may be above
// Lambda1. At the optimum p_i is the softmax of s_i. J - D bounds how far W is from the optimum, and is what training
// goes by.
//
// Problem.Prior is a matrix W0, as a rule the weights of a related problem, that the quadratic penalty pulls to in
// place of 0. J has Lambda2 |W - W0|_F² then, and
//
//	D = 1/n sum_i w_i H(p_i) + Lambda2 |W0|_F² - sum_j max(0, sigma_j - Lambda1)²/(4 Lambda2)
//
// with sigma_j the singular values of G - 2 Lambda2 W0. |W|_* stays, so that W has a low rank whatever W0 has.
//
// # The mean, and the bias
//
// Examples are taken less their mean, unless Config.Raw is set: directions that all of them share need large weights
// and many steps otherwise (two to three times as many on images), and what scores lose by it is the same for all
// examples, an offset of the model. An offset of the classes besides is Config.Bias, a constant feature that is
// regularized as the others: one that is not would leave the dual without a bound.
//
// # The method
//
// W = U Vᵀ with d-by-r and m-by-r factors, and |W|_* <= (|U|² + |V|²)/2: L-BFGS goes on the factors, first on samples
// of the examples. Every stationary point that is not the optimum shows in the certificate. Package papers/rankone
// is the paper's method. The paper is "Large-scale image classification with trace-norm regularization" by Harchaoui,
// Douze, Paulin, Dudík and Malick, 2012; it trains on compressed examples, as pq.Matrix holds them.
package tracenorm
