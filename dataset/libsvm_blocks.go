package dataset

import (
	"fmt"
	"io"

	"github.com/dualgap/dualgap/vec"
)

// ReadLIBSVMBlocks reads text as [ReadLIBSVM] does, but calls use with some examples at a time, in order, so that a
// file may be larger than memory. A block ends with the example that brings its examples and nonzeros to size. An error
// of use ends the reading and is returned.
//
// The option Cols is needed, as no block knows the features of another. Without the option Classes the numbers of
// classes hold in one block alone; their names are as in the file. Examples that are left out behind the last block
// are not counted.
func ReadLIBSVMBlocks[T vec.Float](r io.Reader, name string, o LIBSVMOptions, size int,
	use func(*Labeled[*CSR[T]]) error) error {
	if o.Cols == 0 || size < 1 {
		return fmt.Errorf("dataset: blocks of size %d with the option Cols %d, want both to be 1 at least", size,
			o.Cols)
	}
	p, err := newLIBSVMParser[T](r, name, o)
	if err != nil {
		return err
	}
	p.size = size
	for rows := 0; ; {
		k, err := p.lines()
		if err != nil {
			return err
		}
		if p.x.Rows > 0 || rows == 0 {
			d, err := p.finish()
			if err != nil {
				return err
			}
			if err := use(d); err != nil {
				return err
			}
			rows += d.X.Rows
		}
		if k == end || o.MaxRows > 0 && rows == o.MaxRows {
			return nil
		}
		p.nextLine()
		p.most = o.MaxRows - rows
		if o.MaxRows == 0 {
			p.most = 0
		}
		if err := p.reset(); err != nil {
			return err
		}
	}
}
