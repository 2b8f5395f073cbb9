package main

// Intercept is the flag -B of the families whose scores have no offset otherwise.
type Intercept struct {
	Bias float64 `group:"model" short:"B" default:"1" help:"The intercept: the value of a constant feature that every example has, regularized as the others. With a kernel its square is added to each k(x, z). -1: none."`
}

// value returns the value of the constant feature, 0 for none.
func (b Intercept) value() float64 { return max(0, b.Bias) }
