package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/internal/parallel"
)

// Part is a table or figure of a paper, which a command prints; C is the command's flags.
type Part[C any] struct {
	Name   string
	Run    func(c C, ctx context.Context) error
	Hidden bool // not told of where the parts are listed
}

// Parts are the tables and figures of a paper, in the order of printing.
type Parts[C any] []Part[C]

// String returns the names with a separator between them, as a flag takes them.
func (p Parts[C]) String() string { return p.list(",") }

func (p Parts[C]) list(between string) string {
	var names []string
	for _, part := range p {
		if !part.Hidden {
			names = append(names, part.Name)
		}
	}
	return strings.Join(names, between)
}

// Without returns the parts but for some.
func (p Parts[C]) Without(names ...string) Parts[C] {
	return slices.DeleteFunc(slices.Clone(p), func(part Part[C]) bool { return slices.Contains(names, part.Name) })
}

// Has tells whether a part is among them.
func (p Parts[C]) Has(name string) bool {
	return slices.ContainsFunc(p, func(part Part[C]) bool { return part.Name == name })
}

// Only returns the parts in a list such as table1,table2, which the flag of that name gives.
func (p Parts[C]) Only(list string) (chosen Parts[C], err error) {
	names := strings.Split(list, ",")
	for _, name := range names {
		if !p.Has(name) {
			return nil, fmt.Errorf("-only %s: %q is none of %s", list, name, p.list(", "))
		}
	}
	return slices.DeleteFunc(slices.Clone(p), func(part Part[C]) bool { return !slices.Contains(names, part.Name) }),
		nil
}

// Print prints all of them.
func (p Parts[C]) Print(ctx context.Context, c C) error {
	for _, part := range p {
		if err := part.Run(c, ctx); err != nil {
			return fmt.Errorf("%s: %w", part.Name, err)
		}
	}
	return nil
}

// Whole returns the positive whole numbers of a list such as 5000,10000, ascending; name is the flag's, what says of
// what they are numbers.
func Whole(name, list, what string) (numbers []int, err error) {
	all, err := Positive(name, list)
	if err != nil {
		return nil, err
	}
	for _, n := range all {
		if n != math.Trunc(n) || n > math.MaxInt32 {
			return nil, fmt.Errorf("-%s %s: %v is no number of %s", name, list, n, what)
		}
		numbers = append(numbers, int(n))
	}
	return numbers, nil
}

// Workers replaces 0 by the number of cores, in what the flag -workers gave.
func Workers(n *int) (err error) {
	if *n, err = parallel.Cores(*n, math.MaxInt32); err != nil {
		return fmt.Errorf("-workers: %w", err)
	}
	return nil
}
