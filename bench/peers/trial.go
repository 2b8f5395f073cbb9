package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/dualgap/dualgap/vec"
)

// A loop calls a kernel iters times on the same operands.
type loop[T vec.Float] func(p *operands[T], iters int)

// library is one implementation: its loop for each kernel that it has.
type library[T vec.Float] struct {
	name  string
	loops map[string]loop[T]
}

// The first is ours, the others are its rivals.
var (
	libraries32 = []library[float32]{{"dualgap", dualgap32}, {"openblas", openblas32}, {"gonum", gonum32}, gomath[float32]()}
	libraries64 = []library[float64]{{"dualgap", dualgap64}, {"openblas", openblas64}, {"gonum", gonum64}, gomath[float64]()}
)

// runner is a library's loop bound to the operands of a case.
type runner struct {
	impl string
	run  func(iters int)
}

func names(runners []runner) (impls []string) {
	for _, r := range runners {
		impls = append(impls, r.impl)
	}
	return impls
}

// newTrial returns the loops of all libraries that have c's kernel, ours first, over common operands that start shift
// elements after a 64-byte boundary. It fails when one of them computes something else than the plain loop.
func newTrial(c Case, shift int) ([]runner, error) {
	if c.Type == "f64" {
		return trialOf(c, shift, libraries64)
	}
	return trialOf(c, shift, libraries32)
}

func trialOf[T vec.Float](c Case, shift int, libraries []library[T]) (runners []runner, err error) {
	want := newOperands[T](c, shift)
	plain(c.Kernel, want)
	p := newOperands[T](c, shift)
	for _, lib := range libraries {
		f, ok := lib.loops[c.Kernel]
		if !ok {
			continue
		}
		p.fill()
		f(p, 1)
		if p.settle != nil {
			p.settle()
		}
		if err := p.compare(want); err != nil {
			return nil, fmt.Errorf("%v: %s: %w", c, lib.name, err)
		}
		runners = append(runners, runner{lib.name, func(iters int) { f(p, iters) }})
	}
	p.fill()
	return runners, nil
}

// compare returns an error unless p holds exactly what want holds: fill leaves no room for rounding. Elementary functions
// alone always round; of those two units in the last place are allowed.
func (p *operands[T]) compare(want *operands[T]) error {
	for _, v := range []struct {
		name      string
		got, want []T
	}{{"result", []T{p.out}, []T{want.out}}, {"x", p.x, want.x}, {"y", p.y, want.y}, {"a", p.a.Data, want.a.Data}, {"b", p.b.Data, want.b.Data}, {"c", p.c.Data, want.c.Data}} {
		for i, w := range v.want {
			if g := v.got[i]; !(math.Abs(float64(g-w)) <= p.slack*math.Abs(float64(w))) {
				return fmt.Errorf("%s[%d] is %v, want %v", v.name, i, g, w)
			}
		}
	}
	if !slices.Equal(p.idx, want.idx) {
		return fmt.Errorf("positions are %v, want %v", p.idx[:min(20, len(p.idx))], want.idx[:min(20, len(p.idx))])
	}
	return nil
}
