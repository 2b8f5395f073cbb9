package pq

import "unsafe"

func scanGeneric(n, m int, table *float32, codes *uint8, dst *float32) {
	tables := unsafe.Slice(table, m*256)
	all := unsafe.Slice(codes, n*m)
	for i, out := 0, unsafe.Slice(dst, n); i < n; i++ {
		var s [4]float32
		for j, c := range all[i*m:][:m] {
			s[j%4] += tables[j*256+int(c)]
		}
		out[i] = (s[0] + s[2]) + (s[1] + s[3])
	}
}

func scan8Generic(blocks, m int, table, codes *uint8, dst *uint16) {
	tables := unsafe.Slice(table, m*256)
	all := unsafe.Slice(codes, blocks*m*Block)
	out := unsafe.Slice(dst, blocks*Block)
	clear(out)
	for b := range blocks {
		sums := out[b*Block:][:Block]
		for j := range m {
			t := tables[j*256:][:256]
			for i, c := range all[(b*m+j)*Block:][:Block] {
				sums[i] += uint16(t[c])
			}
		}
	}
}

func scan4Generic(blocks, pairs int, table, codes *uint8, dst *uint16) {
	tables := unsafe.Slice(table, pairs*32)
	all := unsafe.Slice(codes, blocks*pairs*Block)
	out := unsafe.Slice(dst, blocks*Block)
	clear(out)
	for b := range blocks {
		sums := out[b*Block:][:Block]
		for p := range pairs {
			t := tables[p*32:][:32]
			for i, c := range all[(b*pairs+p)*Block:][:Block] {
				sums[i] += uint16(t[c&15]) + uint16(t[16+c>>4])
			}
		}
	}
}

func belowGeneric(n int, s *uint16, limit uint32, dst *uint32) (count int) {
	out := unsafe.Slice(dst, n)
	for i, v := range unsafe.Slice(s, n) {
		if uint32(v) <= limit {
			out[count] = uint32(i)
			count++
		}
	}
	return count
}
