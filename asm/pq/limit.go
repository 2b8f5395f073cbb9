package pq

// Limit is what Within compares by. Its parameter is the address of the first field.
type Limit struct {
	Origin, Step, Part, Square, Base, Norms, Kappa, Tiny, Aligned float32
}
