package main

import (
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/cases"
	"github.com/dualgap/dualgap/vec"
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
	layout := cases.Layout{Shift: shift, Many: true}
	want := cases.Expect(c.Case, layout, cases.Find[T](c.Name).Plain)
	p := cases.NewOperands[T](c.Case, layout)
	for _, lib := range libraries {
		f, ok := lib.loops[c.Name]
		if !ok {
			continue
		}
		if err := p.Try(f, want); err != nil {
			return nil, fmt.Errorf("%v: %s: %w", c, lib.name, err)
		}
		runners = append(runners, runner{lib.name, func(iters int) { f(p, iters) }})
	}
	p.Fill()
	return runners, nil
}
