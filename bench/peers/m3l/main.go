// Command m3l races this library's multi-label SVMs against LIBSVM and LIBLINEAR run label by label, one thread each.
//
//	go run ./m3l -data DIR [-run regexp] [-rounds 3]
//
// On a Gaussian kernel both train at the same cost, LIBSVM to its eps of .001, ours to a certified relative gap of
// .001, each with 400 MB for rows of the kernel matrix. The fraction of wrong decisions (Hamming loss) on examples that
// were not trained on stands beside the times. LIBSVM has an offset for each label, which ours has not.
//
// Linear models, of the hinge (LIBLINEAR's -s 3), the squared hinge (-s 1) and the logistic loss (-s 7 and -s 0),
// without a bias, race to the same objective, summed over the labels.
//
// They take turns. Times are CPU seconds, each the least of all rounds, from examples in memory in the layout of each
// to the model; ours include the certificate. LIBSVM takes minutes a round.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"time"

	"github.com/dualgap/dualgap/bench/peers/race"
)

// cost is the cost of the hinge: svm-train's -c, and twice the C of M3L's own loss.
const cost = 2

func main() {
	data := flag.String("data", os.Getenv("DUALGAP_DATA"), "`folder` of the data")
	pattern := flag.String("run", "", "only the races whose name matches this `regexp`")
	rounds := flag.Int("rounds", 3, "how often they take turns")
	flag.Parse()
	if err := run(*data, *pattern, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, "m3l:", err)
		os.Exit(1)
	}
}

// races are LIBSVM's, with the width of the kernel, and LIBLINEAR's, with its solver.
var races = []struct {
	name   string
	open   func(data string, n int) (*problem, error)
	n      int
	gamma  float64
	solver int
}{
	{"libsvm/tmc2007/n=2000/d=500/l=22", tmc2007, 2000, .05, 0},
	{"libsvm/tmc2007/n=10000/d=500/l=22", tmc2007, 10000, .05, 0},
	{"libsvm/rcv1/n=4000/d=47236/l=101", rcv1, 4000, 1, 0},
	{"liblinear/rcv1/n=4000/d=47236/l=101/s=3", rcv1, 4000, 0, race.Hinge},
	{"liblinear/tmc2007/n=21519/d=500/l=22/s=3", tmc2007, 21519, 0, race.Hinge},
	{"liblinear/rcv1/n=4000/d=47236/l=101/s=1", rcv1, 4000, 0, race.SquaredHinge},
	{"liblinear/tmc2007/n=21519/d=500/l=22/s=1", tmc2007, 21519, 0, race.SquaredHinge},
	{"liblinear/rcv1/n=4000/d=47236/l=101/s=7", rcv1, 4000, 0, race.Logistic},
	{"liblinear/tmc2007/n=21519/d=500/l=22/s=7", tmc2007, 21519, 0, race.Logistic},
	{"liblinear/rcv1/n=4000/d=47236/l=101/s=0", rcv1, 4000, 0, race.LogisticNewton},
	{"liblinear/tmc2007/n=21519/d=500/l=22/s=0", tmc2007, 21519, 0, race.LogisticNewton},
}

func run(data, pattern string, rounds int) error {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	if rounds < 1 {
		return fmt.Errorf("-rounds %d: want at least 1", rounds)
	}
	runtime.GOMAXPROCS(1)
	kernels, linears := false, false // whether the head is printed
	for _, r := range races {
		if !wanted.MatchString(r.name) {
			continue
		}
		p, err := r.open(data, r.n)
		if errors.Is(err, os.ErrNotExist) {
			fmt.Printf("%-40s not in %q\n", r.name, data)
			continue
		}
		if err != nil {
			return err
		}
		p.name = r.name
		switch {
		case r.gamma > 0:
			if !kernels {
				kernelHead()
			}
			kernels = true
			err = p.kernelRace(r.gamma, rounds)
		default:
			if !linears {
				race.PrintHead("LIBLINEAR")
			}
			linears = true
			err = p.linearRace(r.solver, rounds)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

// drawn is when progress was shown last.
var drawn time.Time

// progress overwrites a line, once a second: label by label a rival takes minutes.
func progress(name string, done, labels int, seconds float64) {
	if done < labels && time.Since(drawn) > time.Second {
		fmt.Fprintf(os.Stderr, "\r%s: label %d of %d, %.1f s ", name, done, labels, seconds)
		drawn = time.Now()
	}
	if done == labels {
		fmt.Fprintf(os.Stderr, "\r%40s\r", "")
	}
}
