// Command liblinear races this library's top-k SVM, at k = 1, against LIBLINEAR's solver of the same problem (-s 4, the
// multiclass SVM of Crammer and Singer), m3l's logistic loss of one against all against its -s 7 and -s 0, by the dual
// and by Newton's method, and package l1 against its solvers with L1 regularization (-s 5 and -s 6, the problems whose
// names begin with l1), to the same value of the primal objective, one thread each.
//
//	go run ./liblinear [-run regexp] [-data DIR] [-eps 0.1,0.001] [-rounds 3]
//
// LIBLINEAR trains to each eps; then the library trains to ever smaller gaps until its objective, computed in float64
// from its weights as LIBLINEAR's is from its own, is at most as large. From then on they take turns. Times are CPU
// seconds, each the least of all rounds. Ours count everything: the copy to sparse rows, the final certificate. What
// LIBLINEAR needs to lay out its examples does not count.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/bench/peers/race"
)

func main() {
	pattern := flag.String("run", "", "race on the problems whose name matches this `regexp`")
	data := flag.String("data", os.Getenv("DUALGAP_DATA"),
		"`folder` of larger sets; without it there are small ones and made ones")
	list := flag.String("eps", "", "LIBLINEAR's stopping `tolerances`; by default its own, and smaller ones")
	rounds := flag.Int("rounds", 3, "how often each trains")
	flag.Parse()
	if err := run(*pattern, *data, *list, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "liblinear:", err)
		os.Exit(1)
	}
}

func run(pattern, data, list string, rounds int) error {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	var tolerances []float64
	for s := range strings.SplitSeq(list, ",") {
		if list == "" {
			break
		}
		eps, err := strconv.ParseFloat(s, 64)
		if err != nil || !(eps > 0) {
			return fmt.Errorf("-eps %s: %q is not a positive number", list, s)
		}
		tolerances = append(tolerances, eps)
	}
	if rounds < 1 {
		return fmt.Errorf("-rounds %d: want at least 1", rounds)
	}
	runtime.GOMAXPROCS(1)
	race.PrintHead("LIBLINEAR")
	for _, s := range races() {
		if !wanted.MatchString(s.name) {
			continue
		}
		p, err := s.open(data)
		if errors.Is(err, os.ErrNotExist) {
			fmt.Printf("%-40s not in %q\n", s.name, data)
			continue
		}
		if err != nil {
			return err
		}
		p.name, p.solver, p.c = s.name, s.solver, s.c
		at := tolerances
		if at == nil {
			at = defaults[s.solver]
		}
		if err := p.race(at, rounds); err != nil {
			return err
		}
	}
	return runSparse(wanted, data, tolerances, rounds)
}

// runSparse races on the problems with L1 regularization.
func runSparse(wanted *regexp.Regexp, data string, tolerances []float64, rounds int) error {
	if tolerances == nil {
		tolerances = defaultsL1
	}
	for _, s := range sparseSets {
		name := fmt.Sprintf("l1 %s/C=%v", s.name, s.c)
		if !wanted.MatchString(name) {
			continue
		}
		p, err := s.open(data)
		if errors.Is(err, os.ErrNotExist) {
			fmt.Printf("%-40s not in %q\n", name, data)
			continue
		}
		if err != nil {
			return err
		}
		if err := p.race(name, s.c, tolerances, rounds); err != nil {
			return err
		}
	}
	return nil
}
