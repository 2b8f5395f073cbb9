package pq

import "unsafe"

func levels8Generic(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levelsGeneric(8, n, groups, codes, weights, shift, dst)
}

func levels4Generic(n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	levelsGeneric(4, n, groups, codes, weights, shift, dst)
}

func levelsGeneric(width, n, groups int, codes *uint8, weights *int8, shift uint, dst *int32) {
	if n == 0 {
		return
	}
	sums, planes := unsafe.Slice(dst, n), 8/width
	for i := range sums {
		sums[i] <<= shift
	}
	if groups == 0 {
		return
	}
	all := unsafe.Slice(codes, ((groups-1)*Block+n)*4)
	w := unsafe.Slice(weights, groups*planes*4)
	for g := range groups {
		of := all[g*Block*4:]
		for k := range 4 {
			for p := range planes {
				weight := int32(w[(g*planes+p)*4+k])
				if weight == 0 {
					continue
				}
				for i := range sums {
					level := of[4*i+k] >> (p * width) & (1<<width - 1)
					sums[i] += weight * int32(level)
				}
			}
		}
	}
}

func nibblesGeneric(n, groups int, codes, tables *uint8, shift uint, dst *int32) {
	if n == 0 {
		return
	}
	sums := unsafe.Slice(dst, n)
	for i := range sums {
		sums[i] <<= shift
	}
	if groups == 0 {
		return
	}
	all := unsafe.Slice(codes, ((groups-1)*Block+n)*4)
	entries := unsafe.Slice(tables, groups*128)
	for g := range groups {
		of := all[g*Block*4:]
		for k := range 4 {
			low, high := (*[16]uint8)(entries[g*128+16*k:]), (*[16]uint8)(entries[g*128+64+16*k:])
			for i := range sums {
				c := of[4*i+k]
				sums[i] += int32(low[c&15]) + int32(high[c>>4])
			}
		}
	}
}

func withintailsGeneric(n int, s *int32, kept, slope, tail *float32, tails int, fields *float32, first uint32,
	dst *uint32) (count int) {
	if n == 0 {
		return 0
	}
	out, all, limit := unsafe.Slice(dst, n), unsafe.Slice(kept, 2*Block+n), (*TailLimit)(unsafe.Pointer(fields))
	slopes := unsafe.Slice(slope, n)
	var rest []float32
	if tails > 0 {
		rest = unsafe.Slice(tail, (tails-1)*Block+n)
	}
	for i, sum := range unsafe.Slice(s, n) {
		u, e, scale := all[i], all[Block+i], all[2*Block+i]
		t, norm := fma(fma(-limit.Step, float32(sum), limit.Origin), scale, limit.Shift), fma(u, u, e)
		w := fma(-t, t, limit.Square)
		g := fma(-slopes[i], t, fma(limit.Norms, norm, limit.Base))
		for j := range tails {
			r := rest[j*Block+i]
			g = fma(r, fma(limit.Norms, r, -limit.Tails[j]), g)
		}
		if !(g*abs(g) > fma(limit.Kappa*e, w, limit.Tiny)) || t*abs(t)*norm > u*limit.Aligned*u {
			out[count] = first + uint32(i)
			count++
		}
	}
	return count
}
