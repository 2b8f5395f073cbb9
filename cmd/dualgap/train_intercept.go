package main

// Intercept is the flag -B of the families whose scores have no offset otherwise.
type Intercept struct {
	Bias float64 `group:"model" short:"B" default:"1" help:"The intercept: the value of a constant feature that every example has, regularized as the others. With a kernel its square is added to each k(x, z). -1: none."`
}

// Offset is the flag --offset of machines with one score.
type Offset struct {
	Offset bool `group:"model" help:"In place of -B an intercept that is not regularized, as svm-train has it: with every loss, with a kernel or without. Where features are many, or there is a kernel, it costs more passes."`
}

// instead returns the intercept: none where there is an offset.
func (o Offset) instead(b Intercept) Intercept {
	if o.Offset {
		return Intercept{-1}
	}
	return b
}

// bothOffsets is why --offset does not go with -B.
var bothOffsets = rule{"offset", "bias", "an intercept is regularized, -B, or not, --offset; want one of them"}

// value returns the value of the constant feature, 0 for none.
func (b Intercept) value() float64 { return max(0, b.Bias) }
