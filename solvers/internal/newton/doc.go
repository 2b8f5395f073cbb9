// Package newton trains machines with one score on few features, where a decomposition of a d-by-d matrix costs less
// than epochs of package ascent:
//
//	min P(w) = 1/2 |w|² + Σ_i r_i φ_i(<w, x_i>)
//
// by Newton's method on w. The dual variables are the ones that the scores name, a_i = -r_i φ_i'(<w, x_i>): their gap
// is |w - Xᵀa|²/2, half of the squared gradient, and so every step ends with a certificate.
//
// # Squared losses and the logistic loss
//
// A step is p = -H⁻¹g with
//
//	g = w - Xᵀa,   H = I + Σ_i c_i x_i x_iᵀ,   c_i = r_i φ_i''(<w, x_i>),
//
// and goes to the minimum along w + t p. Of squared losses P is quadratic by parts, c_i = 2 r_i where there is a loss
// and else 0: this is the modified finite Newton method of Keerthi and DeCoste (A modified finite Newton method for
// fast solution of large scale linear SVMs, Journal of Machine Learning Research 6, 2005), with their line search.
//
// # Losses with a kink
//
// The hinge max(0, z) and the insensitive loss have no second derivative. They are replaced by Huber's function
//
//	0 for z <= 0,   z²/(2μ) for z <= μ,   z - μ/2 beyond,
//
// whose dual variables r min(1, max(0, z)/μ) are feasible for the loss itself. Their gap there is
//
//	|w - Xᵀa|²/2 + Σ_i r_i z_i (1 - z_i/μ)   over 0 < z_i < μ,
//
// so that the second sum, which has fewer terms the smaller μ is, falls about as μ². A step that leaves the first part
// not much larger is followed by one with a smaller μ, and each has only the examples with 0 < z_i < μ in H. Where d is
// a small part of n these are few more steps than a squared loss takes.
package newton
