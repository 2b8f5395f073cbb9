//go:build (amd64 || arm64) && !purego

package hinge

import _ "github.com/dualgap/dualgap/asm/cpu" // the entries read its Level

//go:noescape
func StepF32(a, s, delta *float32, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64, outcome int)

//go:noescape
func StepF64(a, s, delta *float64, m, y int, u *float64, inv, r, term, negligible float64) (gap, after float64, outcome int)
