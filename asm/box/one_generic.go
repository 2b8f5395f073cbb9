package box

import "unsafe"

// One is a visit of a sparse example with one output: see OneHingeF32. It is a cache line.
type One struct {
	Row, Len int64   // where its row begins in idx and val, and how many numbers it has
	X        float64 // t times the dual variable, at least 0: before the visit, and after it
	Side     float64 // t: 1 where the label is true, else -1
	R        float64 // the weight of the loss; of the hinge a number of the weights' type
	Inverse  float64
	Bend     float64 // of the squared hinge and of the logistic loss
	Gap      float64 // what the visit finds
}

// OneAhead is how many visits ahead rows are asked for.
const OneAhead = 3

func onehingeF32Generic(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64) {
	oneGeneric(visits, n, idx, val, w, bias, constant, least, false)
}

func onehingeF64Generic(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64) {
	oneGeneric(visits, n, idx, val, w, bias, constant, least, false)
}

func onesquaredF32Generic(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64) {
	oneGeneric(visits, n, idx, val, w, bias, constant, least, true)
}

func onesquaredF64Generic(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64) {
	oneGeneric(visits, n, idx, val, w, bias, constant, least, true)
}

func oneGeneric[T float32 | float64](visits *byte, n int, idx *int32, val, w, bias *T, constant T, least float64,
	squared bool) {
	oneByOne(visits, n, idx, val, w, bias, constant, func(v *One, s T) (x float64, moves bool) {
		lacks := 1 - v.Side*float64(s)
		away, bent := lacks, 0.0
		if squared {
			kept := max(lacks, 0)
			bent = v.Bend * v.X
			away = lacks - bent
			v.Gap = v.R*(kept-bent)*(kept-bent) + v.X*(kept-lacks)
		} else {
			v.Gap = max((v.R-v.X)*lacks, -v.X*lacks)
		}
		if !(v.Gap > least) {
			return 0, false
		}
		x = v.X + float64(away*v.Inverse)
		if !(x > 0) { // or NaN
			x = 0
		}
		if !squared {
			x = min(x, v.R)
		}
		return float64(T(x)), true
	})
}

// oneByOne visits examples whose losses visit knows: it returns the dual variable to move to.
func oneByOne[T float32 | float64](visits *byte, n int, idxp *int32, valp, wp, bias *T, constant T,
	visit func(v *One, s T) (x float64, moves bool)) {
	all := unsafe.Slice((*One)(unsafe.Pointer(visits)), n)
	weight := func(j int32) *T { return (*T)(unsafe.Add(unsafe.Pointer(wp), uintptr(j)*unsafe.Sizeof(*wp))) }
	for q := range all {
		v := &all[q]
		idx := unsafe.Slice((*int32)(unsafe.Add(unsafe.Pointer(idxp), 4*v.Row)), v.Len)
		val := unsafe.Slice((*T)(unsafe.Add(unsafe.Pointer(valp), int64(unsafe.Sizeof(*valp))*v.Row)), v.Len)
		s := constant * *bias
		for k, j := range idx {
			s += val[k] * *weight(j)
		}
		x, moves := visit(v, s)
		if !moves {
			continue
		}
		step := T(v.Side * (x - v.X))
		v.X = x
		for k, j := range idx {
			*weight(j) += val[k] * step
		}
		*bias += constant * step
	}
}
