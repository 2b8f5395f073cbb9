//go:build (amd64 || arm64) && !purego

package ints

// Exceed writes to idx the places, of n below 2³¹, where p less half is above least, and returns their number. The
// differences are int32's and wrap around as these do. It may write all n elements of idx, those behind the places too.
//
//	for i := range n { if p[i]-half[i] > least { idx[found] = int32(i); found++ } }
//
//go:noescape
func Exceed(n int, p, half *int32, least int32, idx *int32) int

// ExceedLine is Exceed for where p is above a line in z. Each operation is rounded to float32; no number and no sum is
// NaN or infinite.
//
//	for i := range n { if float32(p[i]) > float32(slope*z[i])+floor { idx[found] = int32(i); found++ } }
//
//go:noescape
func ExceedLine(n int, p *int32, z *float32, slope, floor float32, idx *int32) int
