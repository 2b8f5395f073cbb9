//go:build !(amd64 || arm64) || purego

package lookup

// Without assembly each kernel is its twin.

func Sum16(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int) {
	sum16Generic(dst, codes, nq, table, laterCodes, later, ahead)
}

func Sum8(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int) {
	sum8Generic(dst, codes, nq, table, laterCodes, later, ahead)
}

func Sum1(dst *float32, codes *byte, nq int, table *float32, laterCodes, later *byte, ahead int) {
	sum1Generic(dst, codes, nq, table, laterCodes, later, ahead)
}

func Sum32I16(dst *float32, codes *byte, nq int, table *int16, scale *float32, laterCodes, later *byte, ahead int) {
	sum32i16Generic(dst, codes, nq, table, scale, laterCodes, later, ahead)
}

func Sum64U8(dst *float32, codes *byte, nq int, table *uint8, scale *float32, laterCodes, later *byte, ahead int) {
	sum64u8Generic(dst, codes, nq, table, scale, laterCodes, later, ahead)
}

func Scatter8(d *float32, codes *byte, nq int, a *float32, laterCodes *byte) {
	scatter8Generic(d, codes, nq, a, laterCodes)
}

func Scatter1(d *float32, codes *byte, nq int, a *float32, laterCodes *byte) {
	scatter1Generic(d, codes, nq, a, laterCodes)
}

func Collect16(d *float32, rows, order *uint16, b *float32) { collect16Generic(d, rows, order, b) }

func Collect32I16(d *float32, rows, order *uint16, b *int16, scale *float32) {
	collect32i16Generic(d, rows, order, b, scale)
}
