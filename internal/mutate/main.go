package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	n := flag.Int("n", 100, "mutants to test")
	seed := flag.Uint64("seed", 1, "chooses them")
	workers := flag.Int("j", 2, "mutants side by side")
	cpu := flag.Int("cpu", 120, "seconds of CPU time that a package's tests may use")
	not := flag.String("not", "^$", "regular expression of files that stay as they are")
	only := flag.String("only", "", "regular expression of the mutants among which it chooses, as they are printed")
	most := flag.Int("most", 6, "packages whose tests judge a mutant, its own counted")
	first := flag.String("first", "", "directory of a package whose tests run first, where it is among them")
	least := flag.Float64("least", 0, "share of mutants not excused that must be caught")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "mutate [FLAGS] DIRECTORY...: changes a token, runs the tests")
		flag.PrintDefaults()
	}
	flag.Parse()
	err := measure(*n, *seed, *workers, *cpu, choice{flag.Args(), *not, *only, *most, *first}, *least)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// measure surveys n of the mutants, chosen by the seed.
func measure(n int, seed uint64, workers, cpu int, c choice, least float64) error {
	found, err := c.candidates()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
	fmt.Printf("%d tokens\n", len(found))
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := survey{most: n, workers: workers, tests: newTests(dir, cpu), out: os.Stdout, excused: readExcuses(excusesText)}
	return s.run(found, least)
}

// A mutant is a site, the packages whose tests may see it, and what became of it.
type mutant struct {
	site
	id     int // 1 or more
	in     *pkg
	judges []*pkg
	by     string // the package and the test that failed; "" so far
}

// A choice says which mutants there are: of the files below the directories, and how many packages judge each.
type choice struct {
	dirs      []string
	not, only string
	most      int
	first     string // a directory, or ""
}

// candidates are the mutants that the choice leaves, but for tests and generated files.
func (c choice) candidates() ([]*mutant, error) {
	all, err := list()
	if err != nil {
		return nil, err
	}
	not, err := regexp.Compile(c.not)
	if err != nil {
		return nil, err
	}
	only, err := regexp.Compile(c.only)
	if err != nil {
		return nil, err
	}
	var found []*mutant
	for _, path := range slices.Sorted(keys(all)) {
		p := all[path]
		judges := judges(all, p)
		judges = judges[:min(c.most, len(judges))]
		slices.SortStableFunc(judges, func(a, b *pkg) int { return c.later(a) - c.later(b) })
		for _, name := range p.GoFiles {
			file, err := relative(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			if !c.below(file) || not.MatchString(file) {
				continue
			}
			at, err := sites(file)
			if err != nil {
				return nil, err
			}
			for _, s := range at {
				if only.MatchString(s.String()) {
					found = append(found, &mutant{site: s, id: len(found) + 1, in: p, judges: judges})
				}
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no mutants in Go files of this module below %q", c.dirs)
	}
	return found, nil
}

func (c choice) below(file string) bool {
	return slices.ContainsFunc(c.dirs, func(d string) bool { return strings.HasPrefix(file, filepath.Clean(d)+"/") })
}

// later is 0 for the package whose tests run first, 1 for others.
func (c choice) later(p *pkg) int {
	if here, err := relative(p.Dir); c.first != "" && err == nil && here == filepath.Clean(c.first) {
		return 0
	}
	return 1
}
