//go:build amd64 && !purego

package box

// OneLogisticF32 is OneHingeF32 for the logistic loss R log(1 + e^z), z = -Side s. Before the visit Gap is the dual
// term, the entropy -X log(X/R) - (R-X) log(1 - X/R), Inverse the largest float32 that is not above R, and Bend |x|².
//
//	gap = R log(1 + e^z) - X z - Gap
//
// What moves goes to where entropy.LogisticF32 moves a label, with h = Bend, and Bend is the dual term there.
//
//go:noescape
func OneLogisticF32(visits *byte, n int, idx *int32, val, w, bias *float32, constant float32, least float64)

// OneLogisticF64 is OneLogisticF32 for float64.
//
//go:noescape
func OneLogisticF64(visits *byte, n int, idx *int32, val, w, bias *float64, constant float64, least float64)
