package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"time"

	"github.com/dualgap/dualgap/bench/internal/cases"
)

// A Pair compares two of our own kernels, which do the same loads: what one costs more than the other is arithmetic.
type Pair struct {
	Over   Case      `json:"over"`
	Under  Case      `json:"under"`
	Ratios []float64 `json:"ratios"` // time of Over by time of Under, of each round
	Median float64   `json:"median"`
}

// pairs are measured for each type whose first kernel is wanted.
func pairs() (all []Pair) {
	for _, typ := range []string{"f32", "f64"} {
		all = append(all,
			Pair{Over: Case{cases.Case{Name: "SquaredDistance", N: 1024}, typ},
				Under: Case{cases.Case{Name: "Dot", N: 1024}, typ}},
			Pair{Over: Case{cases.Case{Name: "TopK", M: 10, N: 1000000}, typ},
				Under: Case{cases.Case{Name: "Sum", N: 1000000}, typ}},
			Pair{Over: Case{cases.Case{Name: "TopK", M: 100, N: 1000000}, typ},
				Under: Case{cases.Case{Name: "Sum", N: 1000000}, typ}})
	}
	return all
}

// addPairs measures the pairs that are wanted.
func (r *Report) addPairs(wanted *regexp.Regexp, window time.Duration) error {
	for _, p := range pairs() {
		if !wanted.MatchString(p.Over.String()) {
			continue
		}
		ns, err := alternate(func() ([]runner, error) {
			over, err := newTrial(p.Over, r.Misalign)
			if err != nil {
				return nil, err
			}
			under, err := newTrial(p.Under, r.Misalign)
			if err != nil {
				return nil, err
			}
			return []runner{over[0], under[0]}, nil
		}, r.Rounds, window)
		if err != nil {
			return err
		}
		p.Ratios = ratios(ns[0], ns[1])
		p.Median = median(p.Ratios)
		r.Pairs = append(r.Pairs, p)
	}
	return nil
}

func (r *Report) printPairs(w io.Writer) {
	if len(r.Pairs) > 0 {
		fmt.Fprintln(w, "\ntime of one of ours over another of ours")
	}
	for _, p := range r.Pairs {
		fmt.Fprintf(w, "%-36v over %-26v %6.2f (%.2f-%.2f)\n", p.Over, p.Under, p.Median, slices.Min(p.Ratios),
			slices.Max(p.Ratios))
	}
}
