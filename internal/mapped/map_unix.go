//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package mapped

import (
	"os"
	"syscall"
)

// open maps the first size bytes of f, at least one, to be read.
func open(f *os.File, size int) ([]byte, func() error, error) {
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return b, func() error { return os.NewSyscallError("munmap", syscall.Munmap(b)) }, nil
}
