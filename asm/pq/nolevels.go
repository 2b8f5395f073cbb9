//go:build !amd64 || purego

package pq

// Without assembly each kernel is its twin. These have none on arm64.

func Levels8(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levels8Generic(n, groups, codes, weights, shift, dst)
}

func Levels4(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levels4Generic(n, groups, codes, weights, shift, dst)
}

func Levels2(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levels2Generic(n, groups, codes, weights, shift, dst)
}

func Levels1(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levels1Generic(n, groups, codes, weights, shift, dst)
}

func WithinTails(n int, s *int32, kept, slope, tail *float32, tails int, limit *float32, first uint32,
	dst *uint32) int {
	return withintailsGeneric(n, s, kept, slope, tail, tails, limit, first, dst)
}
