package solvers

import (
	"fmt"
	"math"
)

// Certificate bounds how far a model is from the optimum of its objective: Dual <= optimum <= Primal. It is computed in
// float64 from the weights of the model and the dual variables behind it, whatever the precision of the training.
type Certificate struct {
	Primal float64 // objective of the model
	Dual   float64 // lower bound of every model's objective
}

// Gap returns Primal - Dual, at least 0 up to rounding.
func (c Certificate) Gap() float64 { return c.Primal - c.Dual }

// RelativeGap returns the gap divided by the larger magnitude of Primal and Dual: the fraction of the objective, at
// most, by which the model misses the optimum. It is 0 where both are 0 and NaN where one is.
func (c Certificate) RelativeGap() float64 {
	if c.Primal == c.Dual {
		return 0
	}
	return c.Gap() / math.Max(math.Abs(c.Primal), math.Abs(c.Dual))
}

// String returns a line such as "primal 0.4821, dual 0.4818, relative gap 6.1e-04".
func (c Certificate) String() string {
	return fmt.Sprintf("primal %.6g, dual %.6g, relative gap %.1e", c.Primal, c.Dual, c.RelativeGap())
}
