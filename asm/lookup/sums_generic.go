package lookup

import "unsafe"

// sumGeneric is Sum16, Sum8 and Sum1: lines of width numbers.
func sumGeneric(dst *float32, codes *byte, nq int, table *float32, width int) {
	d, c, t := unsafe.Slice(dst, Rows*width), unsafe.Slice(codes, nq*Rows), unsafe.Slice(table, nq*Rows*width)
	for i := range Rows {
		sum := d[i*width : (i+1)*width]
		for q := range nq {
			line := t[(q*Rows+int(c[q*Rows+i]))*width:][:len(sum)]
			for j, v := range line {
				sum[j] += v
			}
		}
	}
}

func sum16Generic(dst *float32, codes *byte, nq int, table *float32, _, _ *byte, _ int) {
	sumGeneric(dst, codes, nq, table, 16)
}

func sum8Generic(dst *float32, codes *byte, nq int, table *float32, _, _ *byte, _ int) {
	sumGeneric(dst, codes, nq, table, 8)
}

func sum1Generic(dst *float32, codes *byte, nq int, table *float32, _, _ *byte, _ int) {
	sumGeneric(dst, codes, nq, table, 1)
}

func sum32i16Generic(dst *float32, codes *byte, nq int, table *int16, scale *float32, _, _ *byte, _ int) {
	d, c, t := unsafe.Slice(dst, Rows*32), unsafe.Slice(codes, nq*Rows), unsafe.Slice(table, nq*Rows*32)
	s := unsafe.Slice(scale, 32)
	for i := range Rows {
		var sum [32]int16
		for q := range nq {
			line := t[(q*Rows+int(c[q*Rows+i]))*32:][:32]
			for j, v := range line {
				sum[j] += v
			}
		}
		for j, v := range sum {
			d[i*32+j] += float32(s[j] * float32(v))
		}
	}
}

func sum64u8Generic(dst *float32, codes *byte, nq int, table *uint8, scale *float32, _, _ *byte, _ int) {
	d, c, t := unsafe.Slice(dst, Rows*64), unsafe.Slice(codes, nq*Rows), unsafe.Slice(table, nq*Rows*64)
	s := unsafe.Slice(scale, 64)
	for i := range Rows {
		var sum [64]uint32
		for q := range nq {
			line := t[(q*Rows+int(c[q*Rows+i]))*64:][:64]
			for j := range 32 {
				sum[j] += uint32(line[2*j])
				sum[32+j] += uint32(line[2*j+1])
			}
		}
		for j, v := range sum {
			d[i*64+j] += float32(s[j] * float32(v))
		}
	}
}
