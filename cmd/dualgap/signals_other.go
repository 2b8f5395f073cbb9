//go:build !unix && !windows

package main

import (
	"os"
	"syscall"
)

var (
	endings = []os.Signal{os.Interrupt, syscall.SIGTERM}
	closed  []os.Signal
	reloads []os.Signal
)
