package mkl

import (
	"fmt"
	"unsafe"

	"github.com/dualgap/dualgap/internal/shape"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/active"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
)

// Memory estimates from above what Fit takes besides the Bundle's examples, or returns the error of the Problem or the
// Config. From 4096 examples on half of them are taken to be active at a time: the support vectors are not known
// before. Where the Config has a Checkpoint that saves, a state held in memory counts as well. O(n).
//
// Its leading terms are, in numbers of T, n² for K, 1/4 of it from 4096 examples on, 16 n m for variables and scores; 5
// n m + 256 n Workers of float64 for certificates; and what the Bundle keeps. It is at most a quarter more than what is
// alive at a time, but for the examples that are thought to be active.
func (p Problem[T]) Memory(c Config) (solvers.Memory, error) {
	return family.Memory(name, p.prepare, c, c.options())
}

// Memory: see family.Memory.
func (t *prepared[T]) Memory() solvers.Memory {
	b := t.p.Bundle
	n, m, number, state := b.Len(), t.c.Classes, int(unsafe.Sizeof(T(0))), 0.0
	some, room := n, 1.0
	if n >= active.Many.From {
		some, room = shape.Pieces(n, 2), 1.125
	}
	if t.o.Checkpoint.Save != nil {
		state = 1
	}
	wide := shape.Padded(m, 16)
	memory := solvers.Memory{
		family.Numbers("K of the active examples", room, number, some, "examples", some, "examples"),
		family.Numbers("dual variables, coefficients and scores", 8+2*family.Copies+8*state, number, n, "examples",
			wide, "classes"),
		family.Numbers("certificates", 5, 8, n, "examples", wide, "classes"),
		family.Numbers("rows of certificates", float64(4*t.o.Workers), 8, bundle.StripeRows, "rows", n, "examples"),
		family.Numbers("what is known of the examples", 1, 200, n, "examples", 1, ""),
		family.Numbers("sums for each kernel", 2, 8, b.Kernels()*wide, "kernels and classes", 256, "examples"),
		{What: "products that are kept", Formula: "the budget of the Bundle", Bytes: b.Room()},
	}
	for g, group := range b.Groups() {
		if group.X == nil {
			memory = append(memory, family.Numbers("a given matrix in float64", 1, 8, n, "examples", n, "examples"))
			continue
		}
		memory = append(memory, family.Numbers(fmt.Sprintf("support vectors and copies of examples, group %d", g+1), 2,
			8, n, "examples", family.Width(group.X), "numbers"))
	}
	return memory
}
