package entropy

// Rows is the number of rows of u: z, l and p, and one for the kernels alone.
const Rows = 4

// LogisticRows is the number of rows of u for LogisticF32: t, the weights, their inverses, the largest dual variables,
// and three for the kernel alone.
const LogisticRows = 7

// Problem has the parameters of a step, and what it answers.
type Problem struct {
	H      float64 // the squared norm of the example
	Plus   float64 // c, which is q in z = s + c q, as the true class alone has it
	C      float64 // c for the scale of p
	Total  float64 // what p sums to
	Top    float64 // log Total
	Near   float64 // what residuals may be before the last step
	Scale  float64 // r/Total
	Small  float64 // where p[y] is less
	Shrunk float64 // this is the scale

	Sum, Logs float64 // answer: of x, and of x log(x/scale)
	Shift     float64 // t
}

// What a step reports.
const (
	Rests   = 0  // all deltas are 0
	Moved   = 1  // a has changed, by delta, if only the entry of y has not
	Refused = -1 // nothing but u, and Shift, has been written
)
