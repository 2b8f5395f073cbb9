// Package bundle holds many kernels of the same examples, for models that learn how to weigh them.
//
//	b, err := bundle.New(1<<30, // products are kept in 1 GB
//		bundle.Group[float32]{X: colours, Kernels: widths},
//		bundle.Group[float32]{X: shapes, Kernels: widths},
//		bundle.Group[float32]{Matrix: given})
//	r, err := mkl.Fit(ctx, b, y, mkl.Config{P: 1.1, C: 1})
//	_, err = r.Kernels.WriteTo(file)
//	m, err := bundle.ReadCombination[float32](file)
//
// A [Bundle] is F kernel matrices K_1, ..., K_F of n examples, in groups: the kernels of a [Group] look at the same
// features, whose inner products are computed once for all of them. A [Mixture] is Σ_k weights[k] K_k in memory. A
// [Combination] is the model: an expansion whose kernel is such a sum.
package bundle
