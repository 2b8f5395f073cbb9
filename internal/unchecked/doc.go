// Package unchecked gives generic code above vec the kernels of asm without the checks of vec: solvers and projections
// check sizes once and then call a kernel millions of times on short vectors, where the checks take up to a third of
// the time.
//
// Nothing here looks at a length, allocates, or lets an argument escape: slices and matrices have to fit as the
// comments say, or memory is corrupted. Arguments come in the order of their namesakes in vec and asm.
//
// A function with a branch on the type of the elements is not inlined and costs a call, one or two nanoseconds, over
// the kernel. Where that matters there is a pair, whose names end in 32 and 64, that is inlined: the caller branches by
// [Is32], which is a constant in each instance, and calls Name32 only where T is float32, Name64 only where it is
// float64.
package unchecked
