package hostile

import "math"

// Bound is how far rounding may take the scores sum_j K_ij a_j and the form <A, K A>. A number K_ij, or a product of
// features, is off by a part Off of sqrt(K_ii K_jj), a sum of t terms by t u of the terms' sizes. With
// S = sum_j |a_j| sqrt(K_jj) scores are then off by (t u + Off) sqrt(K_ii) S, and the form by (2 t u + Off) S².
type Bound struct {
	Terms, Off float64
	Size       float64 // S
}

// Unit is the roundoff u of float64.
const Unit = 0x1p-53

// Denormal is what is added to K_ii: below it the numbers of K are off by more than a part of their size. Times a cost
// it is part of the size of each loss, for the same reason.
const Denormal = 0x1p-1000

// Add adds an example with K_ii = diagonal and |a_i| = size.
func (b *Bound) Add(diagonal, size float64) { b.Size += size * math.Sqrt(diagonal+Denormal) }

// Score is the error of the scores of an example with K_ii = diagonal.
func (b *Bound) Score(diagonal float64) float64 {
	return (b.Terms*Unit + b.Off) * math.Sqrt(diagonal+Denormal) * b.Size
}

// Form is the error of the form, whose terms may underflow.
func (b *Bound) Form() float64 {
	return (2*b.Terms*Unit+b.Off)*b.Size*b.Size + b.Terms*b.Terms*math.SmallestNonzeroFloat64
}
