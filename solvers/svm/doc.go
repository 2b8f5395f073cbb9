// Package svm trains support vector machines with one score: classifiers of two classes with one weight vector,
// regression, and machines of one class, which tell what is like the examples from what is not.
//
//	r, err := svm.Fit(ctx, x, y, svm.Config{C: 1, Bias: 1})             // classes 0 and 1
//	classes, err := solvers.Predict(r, test, 0)
//	r, err = svm.Regress(ctx, x, targets, svm.Config{C: 1, Epsilon: .1}) // numbers
//	scores := vec.NewMatrix[float32](n, 1)
//	err = r.Scores(scores, test, nil)                                   // are the predictions
//	r, err = svm.OneClass(ctx, x, svm.Config{Nu: .1})                    // scores of at least 0 are inside
//
// # The problem
//
// For examples x_i with a loss phi_i of the score s_i = <w, x_i>, [Problem.Fit] minimises over w, d numbers,
//
//	1/2 |w|² + C sum_i v_i phi_i(<w, x_i>)
//
// where v_i is the weight of the example, and phi_i is one of, with t_i = 1 for class 1 and -1 for class 0, and a
// target y_i,
//
//	Hinge               max(0, 1 - t_i s)               LIBLINEAR -s 3; LIBSVM -s 0 with Offset
//	SquaredHinge        max(0, 1 - t_i s)²              LIBLINEAR -s 1, 2
//	Logistic            log(1 + exp(-t_i s))            LIBLINEAR -s 0, 7
//	Insensitive         max(0, |s - y_i| - Epsilon)     LIBLINEAR -s 13; LIBSVM -s 3 with Offset
//	SquaredInsensitive  max(0, |s - y_i| - Epsilon)²    LIBLINEAR -s 11, 12
//
// With a kernel <w, x> is sum_i a_i k(x_i, x). The dual is, with K the kernel matrix or X Xᵀ and r_i = C v_i,
//
//	max over a of  sum_i -r_i phi_i*(-a_i/r_i) - 1/2 <a, K a>
//
// whose terms are |a_i| for 0 <= t_i a_i <= r_i of Hinge, y_i a_i - Epsilon |a_i| for |a_i| <= r_i of Insensitive, and
// of the squares the same less a_i²/(4 r_i), without the upper bound, and of Logistic, with x = |a_i| <= r_i, -x
// log(x/r_i) - (r_i - x) log(1 - x/r_i). Of a model with Logistic 1/(1 + exp(-s)) is the probability of class 1.
//
// # The offset
//
// With [Config.Offset] the score is s_i = <w, x_i> + b, and the problem is over w and b, a number that the penalty
// leaves alone, as in LIBSVM. The dual is the same over the a that add up to 0:
//
//	max over a with sum_i a_i = 0 of  sum_i -r_i phi_i*(-a_i/r_i) - 1/2 <a, K a>
//
// A model has b as an offset: Linear.Bias() or Kernel.Bias(). [Config.Bias] is a constant feature instead, whose weight
// the penalty counts.
//
// The optimum is the same for x_i - m as for x_i, whatever m is, but for b: dual coordinate ascent goes by features
// less their mean where that is large, without a copy of dense ones. Features whose scales differ by 1e3 or more take
// it thousands of passes all the same, and scaling helps; Newton's method does not mind them.
//
// # One class
//
// [OneClass] and [Problem.OneClass] take examples alone. For Nu in (0, 1] and V = sum_i v_i the problem is
//
//	min over w, b of  1/2 |w|² + sum_i v_i max(0, -(<w, x_i> + b)) + Nu V b
//	max over a of     -1/2 <a, K a>       0 <= a_i <= v_i, sum_i a_i = Nu V
//
// An example is inside where its score <w, x> + b is at least 0; -b is what others call rho. "Estimating the Support of
// a High-Dimensional Distribution" (Schölkopf, Platt, Shawe-Taylor, Smola, Williamson, Neural Computation 13, 2001) has
// it with w and b over Nu V, and the objective over the square, which moves no example to the other side. Examples
// outside have at most the part Nu of the weights, support vectors at least that part. It is LIBSVM's -s 2 and
// LIBLINEAR's -s 21. The optimum is w = 0 where a convex combination of the examples that the bounds allow is 0: take a
// Gaussian kernel, or features that are not centred.
//
// # Certificates
//
// Every [Result] has a certificate: the primal value of its model and the dual value of its dual variables, both
// computed in float64 from the data. Training ends when their relative gap is at most Tol. Of one class, where the
// optimum is w = 0, both values are 0 there and no relative gap is small: such a training ends as Stalled.
//
// # The methods
//
// On few features of many examples Newton's method on w, whose step costs O(n d²): 2 to 5 steps with the smooth losses.
// Hinge and Insensitive are smoothed, by less and less: 5 to 20 steps. The scores of w name the dual variables, -r_i
// phi_i'(<w, x_i>). For the squares it is "A modified finite Newton method for fast solution of large scale linear
// SVMs" (Keerthi and DeCoste, Journal of Machine Learning Research 6, 2005). Config.Algorithm says otherwise. Of one
// class there is no Newton's method.
//
// Else dual coordinate ascent, one example at a time: a_i moves to its optimum with the others held. Examples that have
// settled rest, and between epochs a and w are extrapolated: see ARCHITECTURE.md. Without that it is the method of "A
// dual coordinate descent method for large-scale linear SVM" (Hsieh, Chang, Lin, Keerthi, Sundararajan, ICML 2008) and
// of "Large-scale linear support vector regression" (Ho and Lin, Journal of Machine Learning Research 13, 2012). With
// an offset it is the inner method of a method of multipliers, which keeps the sum of a.
//
// More than two classes are for package topk, with one score for each class, and for m3l, one against all others.
package svm
