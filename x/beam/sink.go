package beam

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.DoFn2x1[context.Context, Block, error](&sinkFn{})
	register.DoFn3x1[context.Context, Rows, func(Rows), error](&missingFn{})
	register.Emitter1[Rows]()
}

// note is the end of the name of the file beside a block's, which tells its job, its digest and its size.
const note = ".sum"

// Sink writes a file for each block into a folder: rows-FIRST-COUNT, and beside it rows-FIRST-COUNT.sum with the job,
// the digest and the size, by which a rerun finds it whole. Both appear by a rename. A block that comes twice is
// written twice, with the same bytes.
func Sink(s beam.Scope, dir string, blocks beam.PCollection) {
	beam.ParDo0(s.Scope("dualgap.Sink"), &sinkFn{Dir: dir}, blocks)
}

type sinkFn struct{ Dir string }

// ProcessElement writes the files of a block.
func (f *sinkFn) ProcessElement(ctx context.Context, b Block) error {
	path := join(f.Dir, blockName(b.First, b.Count))
	if err := writeFile(ctx, path, b.Data); err != nil {
		return err
	}
	return writeFile(ctx, path+note, noteOf(b.Job, b.Data))
}

func noteOf(job string, data []byte) []byte {
	return fmt.Appendf(nil, "%s %s %d\n", job, digest(data), len(data))
}

// missing returns the elements whose blocks are not whole in a folder: for another job, of another size or digest, or
// not there. It reads the blocks.
func missing(s beam.Scope, dir, job string, rows beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("dualgap.Missing"), &missingFn{Dir: dir, Job: job}, rows)
}

type missingFn struct{ Dir, Job string }

// ProcessElement emits e if its block is not whole.
func (f *missingFn) ProcessElement(ctx context.Context, e Rows, emit func(Rows)) error {
	whole, err := wholeBlock(ctx, f.Dir, f.Job, e)
	if err == nil && !whole {
		emit(e)
	}
	return err
}

// wholeBlock reports whether the block of an element is in a folder, whole.
func wholeBlock(ctx context.Context, dir, job string, e Rows) (bool, error) {
	path := join(dir, blockName(e.First, e.Count))
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return false, err
	}
	defer fs.Close()
	for _, name := range []string{path + note, path} {
		if found, err := fs.List(ctx, literal(name)); err != nil || len(found) == 0 {
			return false, err
		}
	}
	told, err := filesystem.Read(ctx, fs, path+note)
	if err != nil {
		return false, err
	}
	data, err := filesystem.Read(ctx, fs, path)
	return err == nil && bytes.Equal(told, noteOf(blockJob(job, e), data)), err
}
