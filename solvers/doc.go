// Package solvers holds what the solvers of all families tell, and what is made of their models: the certificate that
// each training ends with, how it reports on the way and hands out its state, models as functions from examples to
// scores ([Scorer]) with what is made of scores, folds and grids. The data come to them as a
// [github.com/dualgap/dualgap/solvers/design.Matrix].
//
//	r, err := topk.Fit(ctx, train.X, train.Y, topk.Config{Lambda: .01}) // or another family
//	fmt.Println(r.Outcome)                                              // its certificate: dual <= optimum <= primal
//	classes, err := solvers.Predict(r.Model, test.X, 0)                 // the best class of each example
//	best, err := solvers.TopK(r.Model, test.X, 5, 0)                    // the best five
//	sets, err := solvers.LabelSets(r.Model, test.X, 0)                  // all with a score above 0
//
// The solvers themselves are in the packages below. Each of them minimises a primal objective P and maximises its dual
// D at the same time. Since D <= optimum <= P always, the gap P - D bounds the error of what it returns, and it stops
// when that bound is as small as asked for.
package solvers
