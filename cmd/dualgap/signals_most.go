//go:build unix || windows

package main

import (
	"os"
	"syscall"
)

// endings are the signals that end a training, closed what a write to a closed pipe gives, reloads what a server reads
// its model anew for.
var (
	endings = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}
	closed  = []os.Signal{syscall.SIGPIPE}
	reloads = []os.Signal{syscall.SIGHUP}
)
