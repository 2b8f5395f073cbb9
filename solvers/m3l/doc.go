// Package m3l trains classifiers that give an example any number of labels, with what is known beforehand about how
// labels go together: max-margin multi-label learning. Without such knowledge it is one support vector machine for each
// label, for two classes, many classes or labels, which [OneVsAll] names.
//
//	prior, err := m3l.Correlations(sets, labels, .1)      // how labels go together, for example
//	p := m3l.Problem[float32]{X: x, Sets: sets, R: prior} // without R each label is learned alone
//	r, err := p.Fit(ctx, m3l.Config{C: 1, Bias: 1})
//	found, err := solvers.LabelSets(r, test, 0)
//	wrong, err := metrics.HammingLoss(found, truth, labels)
//
// # The problem
//
// For examples x_i with labels y_il = 1, and y_il = -1 for the labels l that example i does not have, [Problem.Fit]
// minimises over Z, d features by L labels,
//
//	1/2 sum_lk (R⁻¹)_lk <z_l, z_k> + C sum_i sum_l loss(y_il <z_l, x_i>)                (P2)
//
// where R is the prior: R_lk > 0 says that the labels l and k go together, R_lk < 0 that they exclude each other, and
// with R = I each label is learned alone. R need not have an inverse: the columns of Z are then those combinations that
// R allows. What makes a prior worth having is a set of labels, on examples to come, that go together in other ways
// than those on the examples to learn from, as attributes of unseen classes do: [Prior] makes R of the attributes of
// these. [Loss] names the loss; any other loss that is a sum over labels comes by Problem.Margins.
//
// With Logistic each label by itself is LIBLINEAR's L2-regularised logistic regression, its -s 0 and -s 7: the loss is
// log(1 + exp(-y s)), and 1/(1 + exp(-s)) is the probability of the label.
//
// Where there are two labels, of which each example has exactly one, and neither R, P, Margins, costs nor a Prior tells
// them apart, z_0 = -z_1: one weight vector is trained, in half the memory and time. The model has both, and the
// certificate counts both, 1/2 |z_0|² + 1/2 |z_1|² and the losses of both labels: twice what LIBLINEAR counts.
//
// The dual (25) has a box for each example and label. In terms of a_il = 2 y_il alpha_il its scores are K A R, where K
// is the kernel matrix, and it is
//
//	max over A of  sum_il u_il |a_il| - 1/2 <A, K A R>,   0 <= y_il a_il <= 2 C.
//
// With Logistic x = |a_il| is at most C, and -x log(x/C) - (C - x) log(1 - x/C) has the place of u x.
//
// Problem.Prior is a matrix Z0, as a rule the weights of a related problem, that the penalty pulls to in place of 0: it
// is 1/2 sum_lk (R⁻¹)_lk <z_l - z0_l, z_k - z0_k>, Z = Z0 + Xᵀ A R, and the dual has - <Xᵀ A, Z0> besides.
//
// # Certificates
//
// Every [Result] has a certificate: the primal value of its model and the dual value of its dual variables, both
// computed in float64 from scratch, by 1/2 <A, K A R> in place of R⁻¹; with R or P on features Z is taken before it is
// rounded to T. Training ends when their relative gap is at most Tol.
//
// # The method
//
// Block dual coordinate ascent, one example with all its labels at a time: each label moves to its optimum given the
// moves of those before it, and all scores follow through R. That costs no more than (41) to (43) with their delayed
// updates, which it does without. Where R = PᵀP is held as P, training holds V = W Pᵀ, W = Xᵀ A, in place of Z = V P.
// Without a prior the labels of an example move at once, 16 in an instruction; on sparse features groups of 16 labels
// are trainings of their own, which Workers share. Package papers/smo is the paper's method.
//
// The paper is "Efficient max-margin multi-label classification with applications to zero-shot learning" by Hariharan,
// Vishwanathan and Varma, Machine Learning 88, 2012. Its (25) leaves out the constant C sum_il Δ+; ours has it.
package m3l
