package svm

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/newton"
)

// Algorithm says how to train on features. The zero value chooses by the sizes.
type Algorithm int

// The algorithms.
const (
	Automatic Algorithm = iota // Newton on few features of many examples, else Ascent
	Ascent                     // dual coordinate ascent, which is all that there is for a kernel
	Newton                     // Newton's method on the weights: a step costs O(n d²)
)

var algorithmNames = []string{"automatic", "dual coordinate ascent", "Newton"}

// String returns the name of the algorithm in words.
func (a Algorithm) String() string { return family.Name("Algorithm", int(a), algorithmNames) }

// smooth reports whether the loss has a derivative everywhere.
func (l Loss) smooth() bool { return l != Hinge && l != Insensitive }

// choose returns c with its algorithm in place of Automatic, or what is wrong with it.
func (p Problem[T]) choose(c Config, n, d int) (Config, error) {
	switch {
	case c.Algorithm < Automatic || c.Algorithm > Newton:
		return c, fmt.Errorf("Algorithm = %d, want Automatic, 0, Ascent, 1, or Newton, 2", int(c.Algorithm))
	case c.Algorithm == Newton && p.Kernel != nil:
		return c, fmt.Errorf("Algorithm = %v with a kernel, want Ascent, or features", c.Algorithm)
	case c.Algorithm == Newton && c.BlockSize > 0:
		return c, fmt.Errorf("BlockSize = %d with Algorithm = %v, which has no blocks", c.BlockSize, c.Algorithm)
	case c.Algorithm == Newton && p.OneClass:
		return c, fmt.Errorf("Algorithm = %v with OneClass, want Ascent", c.Algorithm)
	case c.Algorithm != Automatic:
	case p.Kernel == nil && c.BlockSize == 0 && !p.OneClass &&
		newton.Pays(n, d, family.Width(p.X), c.Loss.smooth(), c.Offset):
		c.Algorithm = Newton
	default:
		c.Algorithm = Ascent
	}
	if c.Algorithm != Newton {
		return c, nil
	}
	if err := newton.CheckSize(d); err != nil {
		return c, fmt.Errorf("Algorithm = %v: %w; want Ascent", c.Algorithm, err)
	}
	return c, nil
}
