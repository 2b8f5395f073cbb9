package data

import (
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// blockSize is how many examples and nonzeros are held at a time, in some 20 MB.
const blockSize = 1 << 20

// Each calls use with the examples of a file in order, a block at a time where the format allows that, so that a file
// may be larger than memory: LIBSVM text for a model, whose features are known. Otherwise it is Open. An error of use
// ends it.
func Each[T vec.Float](path string, o Options, known *Known, use func(*Examples[T]) error) error {
	if known == nil || known.Features == 0 || FormatOf(path, o.Format) != "libsvm" {
		e, err := Open[T](path, o, known)
		if err != nil {
			return err
		}
		return use(e)
	}
	in, err := file.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	options, unlabeled := libsvmOptions(in.Reader, o, known)
	before := 0
	return dataset.ReadLIBSVMBlocks(in, path, options, blockSize, func(d *dataset.Labeled[*dataset.CSR[T]]) error {
		e := fromLIBSVM(d, unlabeled)
		e.translate(known)
		e.Before = before
		before += d.X.Rows
		return use(e)
	})
}
