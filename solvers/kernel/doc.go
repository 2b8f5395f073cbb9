// Package kernel holds Mercer kernels and kernel matrices whose rows are computed when they are asked for.
//
//	k, err := kernel.New(x, kernel.Gaussian{Gamma: .5}, 1<<30) // rows are kept in 1 GB
//	k.Rows(dst, []int{3, 14}, 1)                               // dst is 2-by-n
//	r, err := topk.Problem[float32]{Kernel: k, Y: y}.Fit(ctx, topk.Config{Lambda: .01})
//	_, err = r.Kernel.WriteTo(file) // support vectors and their coefficients
//	m, err := kernel.ReadExpansion[float32](file)
//
// A [Kernel] says what to compute: [Linear], [Polynomial], [Gaussian], or a [Sum] of such, with a [Constant] for an
// intercept. A [Matrix] is K, K_ij =
// k(x_i, x_j), of n examples in any storage: many rows at a time, by matrix products, and kept in a cache under a
// budget of bytes, so that a solver needs n² numbers neither in memory nor in time where it looks at few rows only.
// [Precomputed] is the same for numbers that are there already.
//
// Rows can also be read where they are kept, Lend and Return, or Pin and Release one by one, and parts of them
// computed, Block; a Subset is the matrix of some of the examples, for folds, and shares the rows of the whole;
// Multiply is K times a few vectors, each pair of examples once.
// [FromDistances] makes a Gaussian kernel of given distances.
//
// An [Expansion] is the model of every kernelized family: support vectors and their coefficients. Package bundle has
// the same for many kernels at once; some functions here are for it alone, and have internal types.
package kernel
