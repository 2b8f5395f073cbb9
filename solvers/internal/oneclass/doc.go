// Package oneclass trains machines of one class on features by steps of two dual variables each. With the weights r_i
// of the examples and N = nu sum_i r_i it minimises, over w and the offset b,
//
//	P(w, b) = 1/2 |w|² + sum_i r_i max(0, -(<w, x_i> + b)) + N b
//
// by maximising its dual
//
//	D(a) = -1/2 |w|²,   w = sum_i a_i x_i,   over 0 <= a_i <= r_i with sum_i a_i = N.
//
// A step of a pair moves a_i up and a_j down by the same t, which keeps the sum. With the scores g = X w the best is
//
//	t = (g_j - g_i)/|x_i - x_j|²,   clipped to 0 <= a_i + t <= r_i and 0 <= a_j - t <= r_j.
//
// Most dual variables are 0 or r_i, where the score is above or below the threshold rho = -b. The best rho for w is the
// score up to which the weights reach N, and with it the gap is a sum over examples on the wrong side
//
//	P - D = sum over g_i > rho of a_i (g_i - rho), and over g_i < rho of (r_i - a_i) (rho - g_i).
//
// What the dual variables lack below rho is what they have too much of above. So a round takes the examples on either
// side, the ones farthest from rho first, and steps through pairs of these; scores are renewed for each pair. Then it
// computes the scores of all examples that matter anew. An example at a bound that is beyond all that violate a
// condition matters no more, until a certificate says otherwise.
//
// The choice of pairs by all scores is from Chou, Lin and Lin (Dual coordinate-descent methods for linear one-class SVM
// and SVDD, SIAM International Conference on Data Mining, 2020). Ascent by single examples, with a multiplier for the
// sum as package ascent has it, takes ten to a hundred times the passes: the examples pull w one way, and each step has
// to wait for the others to give way. Of hinges of two classes many more variables are between their bounds: pairs took
// two to four times the passes of ascent to a gap of 1e-3, which is why package ascent keeps its multiplier.
package oneclass
