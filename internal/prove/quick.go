package prove

import "os"

// Quick reports whether DUALGAP_QUICK asks the tests of kernels for a part of their cases: it does in .ci/run quick, on
// an emulated CPU. All other runs take all cases.
func Quick() bool { return os.Getenv("DUALGAP_QUICK") != "" }

// Visits reports whether a test takes the case of its i-th length and j-th place: always, or, if Quick, for one in of
// the places of each length. Each place comes with one in of the lengths, and lengths that are 0 mod of apart have
// different ones, so that no remainder of a length stays with the same places.
func Visits(i, j, of int) bool { return !Quick() || Thinned(i, j, of) }

// Thinned is the rule of Visits: i + i/of + j is a multiple of of.
func Thinned(i, j, of int) bool { return (i+i/of+j)%of == 0 }
