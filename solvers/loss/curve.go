package loss

import "math"

// Curved is a loss of one output with two continuous derivatives, which are the same for all examples of a class.
type Curved interface {
	// Curve returns the first and the second derivative at the score s, which may be infinite.
	Curve(s float64, isTrue bool) (slope, bend float64)
}

// Curve of log(1 + exp(-t s)): -t p and p (1 - p), with p = 1/(1 + exp(t s)). A loss with costs or a coupling has
// another one.
func (Logistic[T]) Curve(s float64, isTrue bool) (slope, bend float64) {
	if isTrue {
		s = -s
	}
	e := math.Exp(-math.Abs(s)) // s is now t s, with the other sign
	p, q := 1/(1+e), e/(1+e)
	if s < 0 {
		p, q = q, p
	}
	if isTrue {
		return -p, p * q
	}
	return p, p * q
}
