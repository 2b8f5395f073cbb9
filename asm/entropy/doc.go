// Package entropy holds the kernels of a visit of dual coordinate ascent on the softmax loss: what it takes once the
// scores of an example are known, but for a few numbers that the kernels add up; and the same, whole, on the logistic
// loss of each label, which LogisticF32 describes.
//
// On the softmax loss, with r p = x for the classes that are not true, a visit seeks p in the simplex and t such that
// for each class
//
//	c p + log p = z - t,  z = s + c q,  c = h r,
//
// where q is the p of the last visit, s are the scores and h is the squared norm of the example. The kernels keep z, l
// and p = e^l, no matter by which factor p is too large, and the residual is
//
//	e = z - t - c p - l.
//
// As a function of e, from w = c p on, with g = 1/(1+w), and f = g² (1-2w),
//
//	p(e) = p + p g e (1 + g² e/2 (1 + f e/3)) + ...
//
// whose fourth derivative is at most p(e), being p g^7 (1 - 8w + 6w²).
//
// Functions take pointers and lengths and check nothing. There is no promise of compatibility: use package
// solvers/topk.
package entropy
