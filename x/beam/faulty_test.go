package beam

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
)

func init() {
	filesystem.Register("faulty", func(ctx context.Context) filesystem.Interface { return &faulty{local.New(ctx)} })
}

// faulty is the local file system under names that begin with faulty://. Its files have no ReadAt and no Seek, as
// objects of a store. An operation fails when failing says so.
type faulty struct{ filesystem.Interface }

// failing is asked before each operation: open, write or rename, with the name of the file.
var failing atomic.Pointer[func(operation, name string) error]

// failWith has operations fail until the end of the test.
func failWith(t *testing.T, f func(operation, name string) error) {
	failing.Store(&f)
	t.Cleanup(func() { failing.Store(nil) })
}

// once returns a function that reports true once: at the call with this number, from 1.
func once(number int32) func() bool {
	var calls atomic.Int32
	return func() bool { return calls.Add(1) == number }
}

var errOnce = errors.New("fails once")

func fail(operation, name string) error {
	if f := failing.Load(); f != nil {
		return (*f)(operation, name)
	}
	return nil
}

const scheme = "faulty://"

func bare(name string) string { return strings.TrimPrefix(name, scheme) }

func (f *faulty) List(ctx context.Context, glob string) ([]string, error) {
	found, err := f.Interface.List(ctx, bare(glob))
	for i, name := range found {
		found[i] = scheme + name
	}
	return found, err
}

func (f *faulty) OpenRead(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := fail("open", name); err != nil {
		return nil, err
	}
	r, err := f.Interface.OpenRead(ctx, bare(name))
	return struct{ io.ReadCloser }{r}, err
}

// OpenWrite writes half of the bytes when it fails.
func (f *faulty) OpenWrite(ctx context.Context, name string) (io.WriteCloser, error) {
	w, err := f.Interface.OpenWrite(ctx, bare(name))
	if err != nil {
		return nil, err
	}
	return &faultyFile{w, fail("write", name)}, nil
}

type faultyFile struct {
	io.WriteCloser
	err error
}

func (w *faultyFile) Write(b []byte) (int, error) {
	if w.err == nil {
		return w.WriteCloser.Write(b)
	}
	n, _ := w.WriteCloser.Write(b[:len(b)/2])
	return n, errors.Join(w.err, w.Close())
}

func (f *faulty) Size(ctx context.Context, name string) (int64, error) {
	return f.Interface.Size(ctx, bare(name))
}

func (f *faulty) Remove(ctx context.Context, name string) error {
	return f.Interface.(filesystem.Remover).Remove(ctx, bare(name))
}

func (f *faulty) Rename(ctx context.Context, from, to string) error {
	if err := fail("rename", to); err != nil {
		return err
	}
	return f.Interface.(filesystem.Renamer).Rename(ctx, bare(from), bare(to))
}
