//go:build (amd64 || arm64) && !purego

package ints

// Exceed writes to idx the places, of n below 2³¹, where p less half is above least, and returns their number. The
// differences are int32's and wrap around as these do. It may write all n elements of idx, those behind the places too.
//
//	for i := range n { if p[i]-half[i] > least { idx[found] = int32(i); found++ } }
//
//go:noescape
func Exceed(n int, p, half *int32, least int32, idx *int32) int
