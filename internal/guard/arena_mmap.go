//go:build darwin || linux

package guard

import "syscall"

// Supported tells whether this system has guard pages.
const Supported = true

func newArena(size int) (*Arena, error) {
	page := syscall.Getpagesize()
	n := (max(size, 1) + page - 1) / page * page
	mem, err := syscall.Mmap(-1, 0, n+2*page, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	a := &Arena{mem: mem, data: mem[page : page+n : page+n]}
	return a, a.protect(false)
}

func (a *Arena) protect(readOnly bool) error {
	if readOnly {
		return syscall.Mprotect(a.data, syscall.PROT_READ)
	}
	return syscall.Mprotect(a.data, syscall.PROT_READ|syscall.PROT_WRITE)
}

func (a *Arena) unmap() error { return syscall.Munmap(a.mem) }
