package beam

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// temporary stands in the name of every file that is not whole yet.
const temporary = ".tmp-"

// readFile returns the bytes of a file.
func readFile(ctx context.Context, path string) (b []byte, err error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return filesystem.Read(ctx, fs, path)
}

// readRange fills buf with the bytes of a file from an offset. A file system whose files have neither ReadAt nor Seek
// reads the bytes before them too. A file that ends before is an error.
func readRange(ctx context.Context, buf []byte, path string, offset int64) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	f, err := fs.OpenRead(ctx, path)
	if err != nil {
		return err
	}
	defer f.Close()
	if at, ok := f.(io.ReaderAt); ok {
		_, err = io.ReadFull(io.NewSectionReader(at, offset, int64(len(buf))), buf)
	} else if err = skip(f, offset); err == nil {
		_, err = io.ReadFull(f, buf)
	}
	if err != nil {
		return fmt.Errorf("beam: %s, %d bytes from byte %d: %w", path, len(buf), offset, err)
	}
	return nil
}

// fileSize returns the number of bytes of a file.
func fileSize(ctx context.Context, path string) (int64, error) {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return 0, err
	}
	defer fs.Close()
	return fs.Size(ctx, path)
}

// skip goes to an offset of a file that has just been opened.
func skip(f io.Reader, offset int64) error {
	if s, ok := f.(io.Seeker); ok {
		_, err := s.Seek(offset, io.SeekStart)
		return err
	}
	_, err := io.CopyN(io.Discard, f, offset)
	return err
}

// writeFile makes a file of the given bytes: it writes another name and renames it, so that the file is whole or not
// there. What it leaves behind when it fails it removes.
func writeFile(ctx context.Context, path string, data []byte) (err error) {
	halted.RLock()
	defer halted.RUnlock()
	if err := refused(path); err != nil {
		return err
	}
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	name := path + temporary + random()
	done := false
	defer func() {
		if !done { // a panic too
			err = errors.Join(err, remove(context.WithoutCancel(ctx), fs, name))
		}
	}()
	if err := filesystem.Write(ctx, fs, name, data); err != nil {
		return fmt.Errorf("beam: writing %s: %w", path, err)
	}
	if err := filesystem.Rename(ctx, fs, name, path); err != nil {
		return fmt.Errorf("beam: renaming %s to %s: %w", name, path, err)
	}
	done = true
	return nil
}

// WriteFile makes a file of any file system, whole or not at all.
func WriteFile(ctx context.Context, path string, data []byte) error {
	return writeFile(ctx, path, data)
}

// Writable returns why WriteFile would fail, by a file beside the one at path that it writes and removes: a training
// finds out before it begins. It makes the folder if there is none.
func Writable(ctx context.Context, path string) error {
	folder, err := exists(ctx, join(path, "."))
	if err == nil && folder {
		err = errors.New("it is a folder")
	}
	if err != nil {
		return fmt.Errorf("beam: writing %s: %w", path, err)
	}
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	name := path + temporary + random()
	err = errors.Join(filesystem.Write(ctx, fs, name, nil), remove(context.WithoutCancel(ctx), fs, name))
	if err != nil {
		return fmt.Errorf("beam: writing %s: %w", path, err)
	}
	return nil
}

// exists reports whether there is a file, or a local folder where the name ends with /.
func exists(ctx context.Context, path string) (bool, error) {
	found, err := list(ctx, literal(path))
	return len(found) > 0, err
}

// literal returns the pattern that a path alone matches. No \ stands before a character, since Windows has no such
// patterns.
func literal(path string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c == '*' || c == '?' || c == '[':
			b.Write([]byte{'[', c, ']'})
		case c == '\\' && os.PathSeparator != '\\':
			b.WriteString(`[\\]`)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// remove removes a file if it is there.
func remove(ctx context.Context, fs filesystem.Interface, path string) error {
	r, ok := fs.(filesystem.Remover)
	if !ok {
		return nil
	}
	found, err := fs.List(ctx, literal(path))
	if err != nil || len(found) == 0 {
		return err
	}
	return r.Remove(ctx, path)
}

// removeFiles removes the files of a folder whose names match a pattern, which begins behind the last / of path.
func removeFiles(ctx context.Context, path string) error {
	fs, err := filesystem.New(ctx, path)
	if err != nil {
		return err
	}
	defer fs.Close()
	name := strings.LastIndexByte(path, '/') + 1
	found, err := fs.List(ctx, literal(path[:name])+path[name:])
	for _, path := range found {
		err = errors.Join(err, remove(ctx, fs, path))
	}
	return err
}

// list returns the files that a pattern matches.
func list(ctx context.Context, pattern string) ([]string, error) {
	fs, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	return fs.List(ctx, pattern)
}

// join returns the path of a file in a folder; "" is the current one.
func join(dir, name string) string {
	if dir == "" {
		return name
	}
	return strings.TrimSuffix(dir, "/") + "/" + name
}

// random returns a name that no other attempt has.
func random() string {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
