//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package mapped

import (
	"io"
	"os"
)

// open reads the first size bytes of f.
func open(f *os.File, size int) ([]byte, func() error, error) {
	b := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), b)
	return b, nil, err
}
