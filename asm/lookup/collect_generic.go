package lookup

import "unsafe"

// eachList calls f with the code and the rows of each list.
func eachList(rows, order *uint16, f func(c int, rows []uint16)) {
	o := unsafe.Slice(order, 2*Rows)
	for k := range Rows {
		n := 4 * int(o[2*k+1])
		f(int(o[2*k]), unsafe.Slice(rows, n))
		rows = (*uint16)(unsafe.Add(unsafe.Pointer(rows), 2*n))
	}
}

func collect16Generic(d *float32, rows, order *uint16, b *float32) {
	const width = 16
	sums := unsafe.Slice(d, Rows*width)
	eachList(rows, order, func(c int, rows []uint16) {
		sum := sums[c*width : (c+1)*width]
		for _, row := range rows {
			line := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(b), 4*int(row)*width)), width)
			for j, v := range line {
				sum[j] += v
			}
		}
	})
}

func collect32i16Generic(d *float32, rows, order *uint16, b *int16, scale *float32) {
	sums, s := unsafe.Slice(d, Rows*32), unsafe.Slice(scale, 32)
	eachList(rows, order, func(c int, rows []uint16) {
		var sum [32]int32
		for _, row := range rows {
			line := unsafe.Slice((*int16)(unsafe.Add(unsafe.Pointer(b), 2*int(row)*32)), 32)
			for j, v := range line {
				sum[j] += int32(v)
			}
		}
		for j, v := range sum {
			sums[c*32+j] += float32(s[j] * float32(v))
		}
	})
}
