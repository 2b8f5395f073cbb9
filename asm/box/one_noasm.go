//go:build !amd64 || purego

package box

func OneHingeF32(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64) {
	onehingeF32Generic(visits, n, idx, val, w, bias, constant, least)
}

func OneHingeF64(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64) {
	onehingeF64Generic(visits, n, idx, val, w, bias, constant, least)
}

func OneSquaredF32(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64) {
	onesquaredF32Generic(visits, n, idx, val, w, bias, constant, least)
}

func OneSquaredF64(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64) {
	onesquaredF64Generic(visits, n, idx, val, w, bias, constant, least)
}

func OneLogisticF32(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64) {
	onelogisticF32Generic(visits, n, idx, val, w, bias, constant, least)
}

func OneLogisticF64(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64) {
	onelogisticF64Generic(visits, n, idx, val, w, bias, constant, least)
}
