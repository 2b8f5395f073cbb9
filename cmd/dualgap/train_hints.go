package main

import (
	"fmt"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/vec"
)

// manyClasses returns a hint where the labels look like numbers to predict: more than ten different ones, and not two
// examples of each. It is "" elsewhere.
func manyClasses[T vec.Float](e *data.Examples[T]) string {
	if m := len(e.Classes); e.Y != nil && m > 10 && e.Len() < 2*m {
		return fmt.Sprintf("%d examples of %d classes: is the label a number to predict? That is \"dualgap train "+
			"regress\"; a class is learned from several examples", e.Len(), m)
	}
	return ""
}

// zeroOne returns a hint where all attributes are 0 or 1; "" elsewhere.
func zeroOne(path string, attributes vec.Matrix[float64]) string {
	zeros := 0
	for c := range attributes.Rows {
		for _, v := range attributes.Row(c) {
			if v != 0 && v != 1 {
				return ""
			}
			if v == 0 {
				zeros++
			}
		}
	}
	if zeros == 0 {
		return ""
	}
	return fmt.Sprintf("%s: all attributes are 0 or 1: what two classes lack together counts only with -1 in "+
		"place of 0", path)
}
