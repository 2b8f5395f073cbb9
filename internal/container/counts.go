package container

// Counts reports whether numbers that were read can be counts of steps from which a training goes on: 0 to 2^30 - 1,
// which leaves room in an int of 32 bits.
func Counts(of ...int) bool {
	for _, n := range of {
		if n < 0 || n >= 1<<30 {
			return false
		}
	}
	return true
}
