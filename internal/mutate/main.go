package main

import (
	"bufio"
	_ "embed"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed excuses.txt
var excuses string

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
		fmt.Fprint(flag.CommandLine.Output(), "mutate [FLAGS] DIRECTORY...: changes one token at a time and runs the tests\n")
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
			err = survey(found, *n, *workers, &tests{cpu: *cpu, skip: *skip}, *least, os.Stdout)
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
			below := slices.ContainsFunc(dirs, func(d string) bool { return strings.HasPrefix(file, filepath.Clean(d)+"/") })
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

// survey tests n of the mutants in order, leaving out those that do not compile, and says what became of each.
func survey(found []mutant, n, workers int, t *tests, least float64, out io.Writer) error {
	excused := map[string]string{}
	for lines := bufio.NewScanner(strings.NewReader(excuses)); lines.Scan(); {
		if key, why, ok := strings.Cut(lines.Text(), " // "); ok {
			excused[key] = why
		}
	}
	var mu sync.Mutex
	next, caught, survived, forgiven := 0, 0, 0, 0
	take := func() (mutant, bool) {
		mu.Lock()
		defer mu.Unlock()
		if caught+survived+forgiven >= n || next == len(found) {
			return mutant{}, false
		}
		next++
		return found[next-1], true
	}
	tell := func(m mutant, v verdict) {
		mu.Lock()
		defer mu.Unlock()
		if !v.compiled || caught+survived+forgiven >= n {
			return
		}
		word := "SURVIVED"
		switch why, ok := excused[m.key()]; {
		case v.by != "":
			caught, word = caught+1, "caught by "+v.by
		case ok:
			forgiven, word = forgiven+1, "excused: "+why
		default:
			survived++
		}
		fmt.Fprintf(out, "%3d %s\n    %s\n", caught+survived+forgiven, m.site, word)
	}
	failed := make(chan error, workers)
	for range workers {
		go func() {
			for {
				m, ok := take()
				if !ok {
					failed <- nil
					return
				}
				v, err := t.run(m)
				if err != nil {
					failed <- fmt.Errorf("%s: %w", m.site, err)
					return
				}
				tell(m, v)
			}
		}()
	}
	var err error
	for range workers {
		if e := <-failed; e != nil {
			err = e
		}
	}
	share := float64(caught) / float64(max(caught+survived, 1))
	fmt.Fprintf(out, "%d caught, %d survived, %d excused: %.1f%%\n", caught, survived, forgiven, 100*share)
	if err == nil && share < least {
		err = fmt.Errorf("%.1f%% are caught, want %.1f%%", 100*share, 100*least)
	}
	return err
}
