//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package dataset

import (
	"os"
	"syscall"
)

// mapFile maps the first size bytes of f, at least one, to be read.
func mapFile(f *os.File, size int) (*mapping, error) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return &mapping{bytes: b, unmap: func() error { return os.NewSyscallError("munmap", syscall.Munmap(b)) }}, nil
}
