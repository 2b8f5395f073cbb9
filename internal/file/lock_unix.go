//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package file

import (
	"errors"
	"os"
	"syscall"
)

// Sweeps says whether the system knows locks, without which what killed programs have left stays.
const Sweeps = true

// lock takes the lock of a file until that is closed or the program ends, or returns errBusy where another has it. The
// file is opened to write, since NFS locks no other.
func lock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errBusy
	}
	return nil, err
}
