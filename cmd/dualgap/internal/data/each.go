package data

import "github.com/dualgap/dualgap/vec"

// Each calls use with the examples of a file in order, a block at a time where the format allows that, so that a file may be
// larger than memory: LIBSVM text for a model, whose features are known. Otherwise it is Open. An error of use ends it.
func Each[T vec.Float](path string, o Options, known *Known, use func(*Examples[T]) error) error {
	e, err := Open[T](path, o, known)
	if err != nil {
		return err
	}
	return use(e)
}
