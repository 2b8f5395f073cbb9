package lookup

import "unsafe"

// list returns the rows that list c names.
func list(rows, start *uint16, c int) []uint16 {
	s := unsafe.Slice(start, Rows+1)
	return unsafe.Slice(rows, int(s[Rows]))[s[c]:s[c+1]]
}

// collectGeneric is Collect16 and Collect8: lines of width numbers.
func collectGeneric(d *float32, rows, start *uint16, b *float32, width int) {
	sums := unsafe.Slice(d, Rows*width)
	for c := range Rows {
		sum := sums[c*width : (c+1)*width]
		for _, row := range list(rows, start, c) {
			line := unsafe.Slice((*float32)(unsafe.Add(unsafe.Pointer(b), 4*int(row)*width)), width)
			for j, v := range line {
				sum[j] += v
			}
		}
	}
}

func collect16Generic(d *float32, rows, start *uint16, b *float32) {
	collectGeneric(d, rows, start, b, 16)
}

func collect8Generic(d *float32, rows, start *uint16, b *float32) {
	collectGeneric(d, rows, start, b, 8)
}

func collect32i16Generic(d *float32, rows, start *uint16, b *int16, scale *float32) {
	sums, s := unsafe.Slice(d, Rows*32), unsafe.Slice(scale, 32)
	for c := range Rows {
		var sum [32]int32
		for _, row := range list(rows, start, c) {
			line := unsafe.Slice((*int16)(unsafe.Add(unsafe.Pointer(b), 2*int(row)*32)), 32)
			for j, v := range line {
				sum[j] += int32(v)
			}
		}
		for j, v := range sum {
			sums[c*32+j] += float32(s[j] * float32(v))
		}
	}
}
