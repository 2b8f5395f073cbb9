package beam

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/dualgap/dualgap/pq"
)

func init() { register.DoFn3x1[context.Context, Rows, func(Block), error](&encodeFn{}) }

// EncodeOptions says how rows are encoded.
type EncodeOptions struct {
	Workers int // goroutines of a step; default: all cores
}

// Encode returns a [Block] of codes for each element, as pq.Quantizer.Encode gives them. The book is a file that
// pq.Quantizer.WriteTo has written. Rows are dense.
func Encode(s beam.Scope, book Asset, o EncodeOptions, rows beam.PCollection) beam.PCollection {
	return beam.ParDo(s.Scope("dualgap.Encode"), &encodeFn{Book: book, Options: o, Job: encodeJob(book)}, rows)
}

func encodeJob(book Asset) string { return jobOf("encode", book) }

// encodeFn encodes the rows of an element.
type encodeFn struct {
	Book    Asset
	Options EncodeOptions
	Job     string

	quantizer *pq.Quantizer
	reader    reader[float32]
}

// Setup loads the book.
func (f *encodeFn) Setup(ctx context.Context) (err error) {
	f.quantizer, err = load(ctx, f.Book, parseBook)
	return err
}

func parseBook(b []byte) (*pq.Quantizer, error) { return pq.ReadQuantizer(bytes.NewReader(b)) }

// ProcessElement emits the block of an element.
func (f *encodeFn) ProcessElement(ctx context.Context, e Rows, emit func(Block)) error {
	b, err := f.reader.read(ctx, e)
	if err != nil {
		return err
	}
	if b.dense == nil {
		return fmt.Errorf("beam: %v: sparse rows, want dense ones to encode", e)
	}
	data := make([]byte, e.Count*f.quantizer.CodeSize())
	if err := f.quantizer.Encode(data, b.dense.Matrix, cores(f.Options.Workers)); err != nil {
		return fmt.Errorf("beam: %v: %w", e, err)
	}
	computed.Add(1)
	emit(Block{First: e.First, Count: e.Count, Job: blockJob(f.Job, e), Data: data})
	return nil
}
