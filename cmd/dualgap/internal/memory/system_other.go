//go:build !linux && !darwin

package memory

func system() (Size, bool) { return 0, false }
