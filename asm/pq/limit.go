package pq

// Limit is what Within compares by. Its parameter is the address of the first field.
type Limit struct {
	Origin, Step, Part, Square, Base, Norms, Kappa, Tiny, Aligned float32
}

// MaxTails is the largest number of tails of WithinTails.
const MaxTails = 8

// TailLimit is what WithinTails compares by.
type TailLimit struct {
	Limit
	Shift float32
	Tails [MaxTails]float32
}
