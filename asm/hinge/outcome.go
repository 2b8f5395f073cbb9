package hinge

// What a step reports.
const (
	// a is what it was: gap was not above negligible, after is term; or it was, delta is 0 and after the sum anew
	Rests   = 0
	Moved   = 1  // a has changed, by delta
	Refused = -1 // nothing but u has been written, after is term: numbers so hostile that rounding leaves the domain
)
