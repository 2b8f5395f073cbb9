//go:build amd64 && !purego

package box

// OneHingeF32 visits sparse examples x with one output and the hinge, one after the other. Of each a One tells where in
// idx and val its row lies. With the weights w, and a constant feature whose weight is bias[0],
//
//	s     = sum over k of val[k] w[idx[k]], and constant bias[0]
//	lacks = 1 - Side s
//	gap   = max((R - X) lacks, -X lacks)
//
// it rests unless Gap = gap > least, and where gap is NaN. Otherwise, rounded to a float32,
//
//	x         = min(max(X + lacks Inverse, 0), R)
//	w[idx[k]] += val[k] step, bias[0] += constant step, step = Side (x - X)
//	X         = x
//
// visits has n+OneAhead of them, of the last of which Row alone is read: the rows of those that follow are asked for.
//
//go:noescape
func OneHingeF32(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64)

// OneHingeF64 is OneHingeF32 for float64.
//
//go:noescape
func OneHingeF64(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64)

// OneSquaredF32 is OneHingeF32 for the squared hinge R max(0, lacks)². With Bend = 1/(2R) and Inverse = 1/(|x|² + Bend)
//
//	kept = max(lacks, 0)
//	gap  = R (kept - Bend X)² + X (kept - lacks)
//	x    = max(X + (lacks - Bend X) Inverse, 0)
//
//go:noescape
func OneSquaredF32(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64)

// OneSquaredF64 is OneSquaredF32 for float64.
//
//go:noescape
func OneSquaredF64(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64)
