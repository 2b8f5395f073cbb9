// Package shape has the error that functions panic with when the lengths or sizes of their arguments do not fit. It
// satisfies vec.ShapeError, and is here so that vec and the packages above it make the same one.
package shape

import "fmt"

// Error is the text of a vec.ShapeError.
type Error string

// Errorf returns the Error "function: text" of a function with the name of its package, as in
// Errorf("solvers: Rank", "%d best of %d outputs", 3, 2).
func Errorf(function, format string, arguments ...any) Error {
	return Error(function + ": " + fmt.Sprintf(format, arguments...))
}

func (e Error) Error() string { return string(e) }

// ShapeError does nothing but tell these errors from others.
func (Error) ShapeError() {}
