//go:build !(darwin || linux)

package guard

import "errors"

// Supported tells whether this system has guard pages.
const Supported = false

func newArena(int) (*Arena, error)  { return nil, errors.ErrUnsupported }
func (a *Arena) protect(bool) error { return errors.ErrUnsupported }
func (a *Arena) unmap() error       { return errors.ErrUnsupported }
