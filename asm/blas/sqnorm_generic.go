package blas

func sqnormGeneric[T float](x *T, n int) T { return dotGeneric(x, x, n) }

func sqnormF32Generic(x *float32, n int) float32 { return sqnormGeneric(x, n) }
func sqnormF64Generic(x *float64, n int) float64 { return sqnormGeneric(x, n) }
