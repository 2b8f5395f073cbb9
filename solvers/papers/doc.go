// Package papers has what the methods in the packages below it share. Each of these is what the paper of a family
// prints, line by line, for study and comparison:
//
//	smo      Algorithms 1 and 2 of the multi-label paper, two variables at a time; see package m3l
//	dcd      section 6 of the multi-label paper, one variable at a time on features, with active sets; m3l
//	ranking  Algorithm 3.1 of the paper on ranking at the top, and the subgradient steps it is compared with; toprank
//	rankone  Algorithm 4.1 of the trace-norm paper, a list of atoms of rank one; tracenorm
//	obscure  Algorithms 1 to 3 of the multi-kernel paper, an online and a batch stage, and its Theorem 2; mkl
//
// The families' own methods need a fraction of their time, certify what they return and resume; use those to train. A
// method here takes the paper's problem and nothing else, and returns where it ended with the way there, a [Step] now
// and then. Its dual variables are as good a Start of the family as any: with a Config.Tol of 1 the family certifies
// them, and makes a model.
package papers
