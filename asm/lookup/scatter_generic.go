package lookup

import "unsafe"

func scatter8Generic(d *float32, codes *byte, nq int, a *float32, _ *byte) {
	const width = 8
	sums, c, lines := unsafe.Slice(d, nq*Rows*width), unsafe.Slice(codes, nq*Rows), unsafe.Slice(a, Rows*width)
	for q := range nq {
		for i := range Rows {
			sum, line := (*[width]float32)(sums[(q*Rows+int(c[q*Rows+i]))*width:]), (*[width]float32)(lines[i*width:])
			for j, v := range line {
				sum[j] += v
			}
		}
	}
}

func scatter1Generic(d *float32, codes *byte, nq int, a *float32, _ *byte) {
	sums, c, numbers := unsafe.Slice(d, nq*Rows), unsafe.Slice(codes, nq*Rows), unsafe.Slice(a, Rows)
	for q := range nq {
		sum := (*[Rows]float32)(sums[q*Rows:])
		for i, code := range c[q*Rows:][:Rows] {
			sum[code] += numbers[i]
		}
	}
}
