package pages

import "syscall"

// advise needs no answer: see Huge.
func advise(memory []byte) { _ = syscall.Madvise(memory, syscall.MADV_HUGEPAGE) }
