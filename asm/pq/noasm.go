//go:build !(amd64 || arm64) || purego

package pq

// Without assembly each kernel is its twin.

func Pack(blocks, dsub int, x *float32, ldx int, dst *float32) {
	packGeneric(blocks, dsub, x, ldx, dst)
}

func Assign(blocks, dsub, ksub int, xt, ct *float32, codes *uint8, stride int, dist *float32) uint32 {
	return assignGeneric(blocks, dsub, ksub, xt, ct, codes, stride, dist)
}

func TableL2(dsub, ksub int, q, ct, dst *float32) { tableL2Generic(dsub, ksub, q, ct, dst) }
func TableIP(dsub, ksub int, q, ct, dst *float32) { tableIPGeneric(dsub, ksub, q, ct, dst) }

func Scan(n, m int, table *float32, codes *uint8, dst *float32) { scanGeneric(n, m, table, codes, dst) }

func Scan8(blocks, m int, table, codes *uint8, dst *uint16) {
	scan8Generic(blocks, m, table, codes, dst)
}

func Scan4(blocks, pairs int, table, codes *uint8, dst *uint16) {
	scan4Generic(blocks, pairs, table, codes, dst)
}

func Below(n int, s *uint16, limit uint32, dst *uint32) int { return belowGeneric(n, s, limit, dst) }

func Quantize(n int, x *float32, origin, factor float32, limit uint32, dst *uint8) {
	quantizeGeneric(n, x, origin, factor, limit, dst)
}

func Within(n int, s *uint16, kept, limit *float32, first uint32, dst *uint32) int {
	return withinGeneric(n, s, kept, limit, first, dst)
}

func Levels8(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levels8Generic(n, groups, codes, weights, shift, dst)
}

func Levels4(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levels4Generic(n, groups, codes, weights, shift, dst)
}

func Nibbles(n, groups int, codes, tables *uint8, shift uint, dst *int32) {
	nibblesGeneric(n, groups, codes, tables, shift, dst)
}

func WithinTails(n int, s *int32, kept, slope, tail *float32, tails int, limit *float32, first uint32,
	dst *uint32) int {
	return withintailsGeneric(n, s, kept, slope, tail, tails, limit, first, dst)
}
