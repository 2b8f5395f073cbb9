package memory

import "golang.org/x/sys/unix"

// system returns how much memory the machine has.
func system() (Size, bool) {
	size, err := unix.SysctlUint64("hw.memsize")
	return Size(size), err == nil
}
