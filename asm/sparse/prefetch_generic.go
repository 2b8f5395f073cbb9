package sparse

// prefetchGeneric is all that Go can do.
func prefetchGeneric[T float](x *T, n int) {}

func prefetchF32Generic(x *float32, n int) { prefetchGeneric(x, n) }
func prefetchF64Generic(x *float64, n int) { prefetchGeneric(x, n) }
