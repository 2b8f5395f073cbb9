package vec

// Convert sets dst[i] = src[i], rounded to nearest where D is float32 and S float64: what is too large becomes infinite. It
// panics when the lengths differ.
func Convert[D, S Float](dst []D, src []S) {
	if len(dst) != len(src) {
		panic(lengths{len(dst), len(src)})
	}
	for i, v := range src {
		dst[i] = D(v)
	}
}
