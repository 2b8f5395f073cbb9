package hinge

// What a step reports.
const (
	Rests   = 0  // nothing to gain, or nothing moved
	Moved   = 1  // a has changed, by delta
	Refused = -1 // nothing but u has been written: numbers so hostile that rounding leaves the domain
)
