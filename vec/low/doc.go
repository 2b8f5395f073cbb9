// Package low computes with vectors that are stored in few bits: int8 and uint8, bits, BFloat16 and Float16.
package low
