package shape

// Pieces is how many pieces of size things, the last of as many as are left, hold n things: n / size, rounded up. n is
// not negative, size above 0.
func Pieces(n, size int) int { return n/size + min(n%size, 1) }

// Padded is n rounded up to a multiple of unit.
func Padded(n, unit int) int { return Pieces(n, unit) * unit }
