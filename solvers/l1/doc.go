// Package l1 trains linear models with L1 regularization: most of their weights are 0, so that they say which features
// matter, and are small and quick to apply.
//
//	r, err := l1.Fit(ctx, x, y, l1.Config{C: 1, Loss: l1.Logistic})
//	...
//	y, err := solvers.Predict(r.Model, test, 0)
//
// # The problem
//
// For n examples x_i of two classes, with y_i = 1 for class 1 and -1 for class 0, [Problem.Fit] minimises over w
//
//	P(w) = |w|_1 + sum_i r_i phi(y_i <w, x_i>),   r_i = C times the weight of example i
//
// with the squared hinge phi(z) = max(0, 1 - z)², LIBLINEAR's -s 5, or the logistic loss phi(z) = log(1 + exp(-z)), its
// -s 6. For more than two classes there is such a vector for each, against all others, and P is the sum of theirs. The
// smaller C, the fewer weights are not 0, down to none from [Problem.LargestC] on.
//
// The dual has a number a_i for each example, of the sign of y_i:
//
//	D(a) = sum_i r_i h(|a_i| / r_i),   |Xᵀ a|_inf <= 1
//
// where h(p) = p - p²/4 for the squared hinge and h(p) = -p log p - (1-p) log(1-p), p <= 1, for the logistic loss. At
// the optimum |a_i| = -r_i phi'(y_i <w, x_i>). The slopes of any w, scaled down until no inner product with a feature
// is above 1 in size, are such numbers: so a certificate costs two passes over the examples.
//
// A constant feature, Config.Bias, is regularized as the others, as LIBLINEAR's -B is.
//
// # The method
//
// Newton steps on a working set of features. A step minimises the quadratic model of the losses plus |w|_1 by
// coordinate descent, in random order and then with Anderson extrapolation, and a line search follows. The model is
// held by features, scaled by the curvatures of the losses, over the examples that have one alone; or, where few
// features are in the working set, as the matrix of their second derivatives, which changes by few examples from step
// to step. Features whose weight is 0 at the optimum for certain, by the gap, are left out. For the papers see
//
//   - Yuan, Ho and Lin, "An Improved GLMNET for L1-regularized Logistic Regression", JMLR 13 (2012): the Newton steps;
//   - Ndiaye, Fercoq, Gramfort and Salmon, "Gap Safe Screening Rules for Sparsity Enforcing Penalties", JMLR 18 (2017);
//   - Massias, Gramfort and Salmon, "Celer: a Fast Solver for the Lasso with Dual Extrapolation", ICML 2018: working
//     sets;
//   - Bertrand and Massias, "Anderson Acceleration of Coordinate Descent", AISTATS 2021.
package l1
