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
	skip := flag.String("skip", "^$", "regular expression of tests that do not run")
	most := flag.Int("most", 6, "packages whose tests judge a mutant, its own counted")
	least := flag.Float64("least", 0, "share of mutants not excused that must be caught")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "mutate [FLAGS] DIRECTORY...: changes a token, runs the tests")
		flag.PrintDefaults()
	}
	flag.Parse()
	but, err := regexp.Compile(*not)
	if err == nil {
		var found []mutant
		if found, err = candidates(flag.Args(), but, *most); err == nil {
			random := rand.New(rand.NewPCG(*seed, 0))
			random.Shuffle(len(found), func(i, j int) { found[i], found[j] = found[j], found[i] })
			fmt.Printf("%d tokens\n", len(found))
			s := newSurvey(found, *n, &tests{cpu: *cpu, skip: *skip}, os.Stdout)
			err = s.run(*workers, *least)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// A mutant is a site and the packages whose tests may see it.
type mutant struct {
	site
	judges []*pkg
}

// candidates are the mutants of all files below the directories, but for tests, generated files and those that match.
func candidates(dirs []string, but *regexp.Regexp, most int) ([]mutant, error) {
	all, err := list()
	if err != nil {
		return nil, err
	}
	var found []mutant
	for _, path := range slices.Sorted(keys(all)) {
		p := all[path]
		judges := judges(all, p)
		judges = judges[:min(most, len(judges))]
		for _, name := range p.GoFiles {
			file, err := relative(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			below := slices.ContainsFunc(dirs, func(d string) bool {
				return strings.HasPrefix(file, filepath.Clean(d)+"/")
			})
			if !below || but.MatchString(file) {
				continue
			}
			at, err := sites(file)
			if err != nil {
				return nil, err
			}
			for _, s := range at {
				found = append(found, mutant{s, judges})
			}
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no Go files of this module below %q", dirs)
	}
	return found, nil
}
