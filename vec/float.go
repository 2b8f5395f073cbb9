package vec

// Float is the element of vectors and matrices.
type Float interface{ float32 | float64 }
