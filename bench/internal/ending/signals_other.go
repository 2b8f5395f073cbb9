//go:build !unix && !windows

package ending

import (
	"os"
	"syscall"
)

// signals are the ones that ask a program to end.
var signals = []os.Signal{os.Interrupt, syscall.SIGTERM}
