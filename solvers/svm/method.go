package svm

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/newton"
)

// Method says how to train on features. The zero value chooses by the sizes.
type Method int

// The methods.
const (
	Automatic Method = iota // Newton on few features of many examples, else Ascent
	Ascent                  // dual coordinate ascent, which is all that there is for a kernel
	Newton                  // Newton's method on the weights: a step costs O(n d²)
)

var methodNames = []string{"automatic", "dual coordinate ascent", "Newton"}

// String returns the name of the method in words.
func (m Method) String() string { return family.Name("Method", int(m), methodNames) }

// smooth reports whether the loss has a derivative everywhere.
func (l Loss) smooth() bool { return l != Hinge && l != Insensitive }

// choose returns c with its method in place of Automatic, or what is wrong with it.
func (p Problem[T]) choose(c Config, n, d int) (Config, error) {
	switch {
	case c.Method < Automatic || c.Method > Newton:
		return c, fmt.Errorf("Method = %d, want Automatic, 0, Ascent, 1, or Newton, 2", int(c.Method))
	case c.Method == Newton && p.Kernel != nil:
		return c, fmt.Errorf("Method = %v with a kernel, want Ascent, or features", c.Method)
	case c.Method == Newton && c.BlockSize > 0:
		return c, fmt.Errorf("BlockSize = %d with Method = %v, which has no blocks", c.BlockSize, c.Method)
	case c.Method == Newton && c.Offset:
		return c, fmt.Errorf("Method = %v with an offset that is not regularized, want Ascent", c.Method)
	case c.Method != Automatic:
	case p.Kernel == nil && c.BlockSize == 0 && !c.Offset && newton.Pays(n, d, family.Width(p.X), c.Loss.smooth()):
		c.Method = Newton
	default:
		c.Method = Ascent
	}
	return c, nil
}
