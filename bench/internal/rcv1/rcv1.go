// Package rcv1 mends the first subset of RCV1 as it goes round in multi-label LIBSVM text.
package rcv1

import "slices"

// Renumber mends the label sets, each of which holds labels in 0..labels-1. From the 3001st document on labels are
// numbered from 0 in the file, without label 0, so that read from 1 they are one too small: the frequency and the mean
// document of number l there are the ones of l+1 among the first 3000. A file without that error has the last label on
// both sides, and is left alone. The first label is missing from the later documents even so.
func Renumber(sets [][]int, labels int) {
	const half = 3000
	if len(sets) <= half {
		return
	}
	for _, set := range sets[half:] {
		if slices.Contains(set, labels-1) {
			return
		}
	}
	for _, set := range sets[half:] {
		for k := range set {
			set[k]++
		}
	}
}
