package ints

// eachRow calls f with the rows of a matrix, where there is something in them.
func eachRow[T any](m, n int, x *T, ldx int, dst *int32, f func(row *T) int) {
	for i := range m {
		sum := 0
		if n > 0 {
			sum = f(at(x, i*ldx))
		}
		*at(dst, i) = int32(sum)
	}
}

func mulvecInt8Generic(m, n int, x *int8, ldx int, q *int8, dst *int32) {
	eachRow(m, n, x, ldx, dst, func(row *int8) int { return dotGeneric(row, q, n) })
}

func mulvecUint8Generic(m, n int, x *uint8, ldx int, q *uint8, dst *int32) {
	eachRow(m, n, x, ldx, dst, func(row *uint8) int { return dotGeneric(row, q, n) })
}

func mixedmulvecGeneric(m, n int, x *uint8, ldx int, q *int8, dst *int32) {
	eachRow(m, n, x, ldx, dst, func(row *uint8) int { return dotGeneric(row, q, n) })
}

func hammingrowsGeneric(m, n int, x *uint64, ldx int, q *uint64, dst *int32) {
	eachRow(m, n, x, ldx, dst, func(row *uint64) int { return hammingGeneric(row, q, n) })
}
