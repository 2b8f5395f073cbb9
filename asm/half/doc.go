// Package half holds the raw kernels of numbers of 16 bits: bfloat16 (B16), the upper half of a float32, and float16
// (H16), the half precision of IEEE 754. They compute in float32. Each kernel has an implementation per tier (package
// asm/cpu) and a pure-Go twin, which is the reference.
//
// Kernels take pointers and lengths, check nothing and allocate nothing; lengths are never negative, and a length of
// zero reads and writes nothing, so that then a pointer may be nil. There is no compatibility promise here: use package
// vec/low, which checks.
//
// On CPUs with the extension BF16 (cpu.BF16) DotB16, CosB16 and RowsB16 go by VDPBF16PS, which takes denormal numbers
// as zeros and rounds to zero what is denormal. All else keeps denormal numbers.
package half

//go:generate go -C ../../internal/gen run ./amd64
//go:generate go -C ../../internal/gen run ./neon
