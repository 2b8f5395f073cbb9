// Package mkl trains classifiers on many kernels at once and learns how to weigh them: p-norm multi-kernel learning,
// for several descriptions of the same examples, or several kernels of one.
//
//	widths := []kernel.Kernel{kernel.Gaussian{Gamma: .01}, kernel.Gaussian{Gamma: .1}}
//	colour := bundle.Group[float32]{X: colours, Kernels: widths}
//	shape := bundle.Group[float32]{X: shapes, Kernels: widths}
//	b, err := bundle.New(1<<30, colour, shape)
//	r, err := mkl.Fit(ctx, b, y, mkl.Config{P: 1.1, C: 10})
//	fmt.Println(r.Shares) // how much each of the four kernels counts
//	guesses, err := solvers.Predict(r, design.Concat(testColours, testShapes), 0)
//
// # The problem
//
// For examples x_i of classes y_i, and kernels K^j with feature maps phi^j, j = 1..F, [Problem.Fit] minimises over one
// vector of weights w^j for each kernel, which is a row of m outputs in the space of phi^j,
//
//	1/2 |w|²_{2,p} + C sum_i loss(s(x_i), y_i),   s(x) = sum_j <w^j, phi^j(x)>,   |w|_{2,p} = (sum_j |w^j|_2^p)^{1/p}
//
// with 1 < p <= 2. At p = 2 it is the support vector machine on the sum of the kernels; the nearer p is to 1, the fewer
// kernels have a part in the model. The loss is the multi-class hinge, max over y != y_i of max(0, 1 - s_{y_i} + s_y),
// or, with Config.K > 1, one of the top-k hinges of package loss. The paper has lambda in place of C = 1/(lambda n),
// and its objective is lambda times this one.
//
// All kernels share one matrix A of dual variables, n by m. With q = p/(p-1) and |theta^j|² = <A, K^j A> the dual is
//
//	max over A of  sum of the dual terms of the losses - 1/2 |theta|²_{2,q}
//
// and the best w is w^j = eta_j theta^j, eta_j = (|theta^j| / |theta|_{2,q})^{q-2}: the model is an expansion in
// support vectors with the kernel sum_j eta_j K^j. [Result] has the eta_j, the norms |w^j|_2 and their shares |w^j|_2 /
// sum.
//
// # Certificates
//
// Every Result has a certificate: the primal value of its model and the dual value of its dual variables, both computed
// in float64 from scratch. Training ends when their relative gap is at most Tol.
//
// # The method
//
// The weights eta are held while a support vector machine on sum_j eta_j K^j is trained, by block dual coordinate
// ascent from where the last one ended, until its gap is small enough for the gap of the whole problem; then they move.
// Since |w|²_{2,p} is the least of sum_j |w^j|²/eta_j over eta with |eta|_{p/(2-p)} = 1, to set eta to the best for the
// w at hand never raises the objective: in log eta that is the part p-1 of the way to the best eta for the dual
// variables. Each kernel's part is doubled while its direction stays, and quartered where it turns. Where the objective
// rises all the same, the weights go back to where they were and take the step that is known to descend.
//
// Of many examples only the active ones are trained on, in levels: see package active. Package papers/obscure is the
// paper's method.
//
// The paper is "Online-batch strongly convex multi kernel learning" by Orabona, Luo and Caputo, CVPR 2010.
package mkl
