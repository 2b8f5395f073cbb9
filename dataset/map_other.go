//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package dataset

import (
	"io"
	"os"
)

// mapFile reads the first size bytes of f.
func mapFile(f *os.File, size int) (*mapping, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), b); err != nil {
		return nil, err
	}
	return &mapping{bytes: b}, nil
}
