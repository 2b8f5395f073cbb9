// Command svm races this library's machines with one score against LIBLINEAR's solvers of the same problems, two
// classes (-s 0, 1, 3, 7), regression (-s 11, 12, 13) and one class (-s 21), and on a Gaussian kernel against LIBSVM's
// regression (-s 3) and one class (-s 2), to the same value of the primal objective, one thread each.
//
//	go run ./svm [-run regexp] [-data DIR] [-rounds 3] [-nu .1]
//
// One class came with LIBLINEAR 2.40. A build of that is named by CGO_CFLAGS="-O2 -I DIR" and
// CGO_LDFLAGS="-L DIR -Wl,-rpath,DIR", where DIR has linear.h and liblinear.so.
//
// The rival trains to its default eps; then the library trains to ever smaller gaps until its objective, computed in
// float64 from its weights as the rival's is from its own, is at most as large. Where there is an offset it is the best
// for the weights, of both. From then on they take turns. Times are CPU seconds, each the least of all rounds. Ours
// count everything: the copy to sparse rows, the kernel's layout, the final certificate. What the rival needs to lay
// out its examples does not count.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

func main() {
	pattern := flag.String("run", "", "race on the problems whose name matches this `regexp`")
	data := flag.String("data", os.Getenv("DUALGAP_DATA"), "`folder` of larger sets; without it there are made ones")
	rounds := flag.Int("rounds", 3, "how often each trains")
	scale := flag.Float64("eps", 1, "the rivals' stopping tolerances, in units of their defaults")
	nu := flag.Float64("nu", .1, "the part of the examples that may be outside, of one class")
	flag.Parse()
	if err := run(*pattern, *data, *rounds, *scale, *nu); err != nil {
		fmt.Fprintln(os.Stderr, "svm:", err)
		os.Exit(1)
	}
}

// solvers are LIBLINEAR's, with its default tolerances.
var solvers = []struct {
	number  int
	eps     float64
	loss    svm.Loss
	targets bool
}{
	{race.SquaredHinge, .1, svm.SquaredHinge, false},
	{race.Hinge, .1, svm.Hinge, false},
	{race.LogisticNewton, .01, svm.Logistic, false},
	{race.Logistic, .1, svm.Logistic, false},
	{race.OneClass, .01, svm.Default, false},
	{race.SquaredInsensitivePrimal, 1e-4, svm.SquaredInsensitive, true},
	{race.SquaredInsensitive, .1, svm.SquaredInsensitive, true},
	{race.Insensitive, .1, svm.Insensitive, true},
}

func run(pattern, data string, rounds int, scale, nu float64) error {
	wanted, err := regexp.Compile(pattern)
	if err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	race.PrintHead("LIBLINEAR")
	for _, s := range sets {
		var p *problem
		for _, by := range solvers {
			name := fmt.Sprintf("%s/s=%d", s.name, by.number)
			if by.targets != s.targets || s.one && by.number != race.OneClass || !wanted.MatchString(name) {
				continue
			}
			if p == nil {
				p, err = s.open(data)
			}
			if errors.Is(err, os.ErrNotExist) {
				fmt.Printf("%-40s not in %q\n", name, data)
				break
			}
			if err != nil {
				return err
			}
			p.name, p.c, p.nu, p.loss, p.solver = name, s.c, nu, by.loss, by.number
			if err := p.race(by.eps*scale, rounds); err != nil {
				return err
			}
		}
	}
	race.PrintHead("LIBSVM")
	return kernels(wanted, data, rounds, scale, nu)
}

// problem is min 1/2 |w|² + C sum_i loss_i.
type problem struct {
	name    string
	c       float64
	epsilon float64
	nu      float64 // of one class
	gamma   float64 // of the kernel
	loss    svm.Loss
	solver  int
	x       *dataset.CSR[float64]
	y       []int     // 0 and 1, or
	targets []float64 //
}

// race prints one line.
func (p *problem) race(eps float64, rounds int) error {
	narrow, err := dataset.ConvertCSR[float32](p.x)
	if err != nil {
		return err
	}
	examples := race.NewExamples(p.x)
	defer examples.Free()
	if p.solver == race.OneClass {
		return p.raceOneClass(examples, narrow, eps, rounds)
	}
	labels := p.targets
	if labels == nil {
		for _, y := range p.y {
			labels = append(labels, float64(2*y-1))
		}
	}
	liblinear := func(eps float64) (vec.Matrix[float64], float64, error) {
		seconds, w := examples.LIBLINEARTargets(p.solver, p.c, eps, p.epsilon, labels)
		return w, seconds, nil // of two classes positive scores speak for 1, of the labels 1 and -1
	}
	l := race.Linear{Name: p.name, X: p.x, C: p.c, Loss: func(i int, s []float64) float64 {
		if p.loss == svm.Logistic {
			z := -labels[i] * s[0]
			return max(0, z) + math.Log1p(math.Exp(-math.Abs(z)))
		}
		v := max(0, math.Abs(s[0]-labels[i])-p.epsilon)
		if p.targets == nil {
			v = max(0, 1-labels[i]*s[0])
		}
		if p.loss == svm.SquaredHinge || p.loss == svm.SquaredInsensitive {
			v *= v
		}
		return v
	}}
	return l.Print(eps, rounds, liblinear, train[float32](p, narrow), train[float64](p, p.x))
}

// raceOneClass prints one line of machines of one class.
func (p *problem) raceOneClass(examples *race.Examples, narrow *dataset.CSR[float32], eps float64, rounds int) error {
	if err := race.NoOneClass(); err != nil {
		fmt.Printf("%-40s %v\n", p.name, err)
		return nil
	}
	l := race.Linear{Name: p.name, X: p.x, C: 1, Least: 1e-11,
		Losses: func(scores []float64) float64 { return race.OneClassLosses(p.nu, scores) }}
	return l.Print(eps, rounds, func(eps float64) (vec.Matrix[float64], float64, error) {
		seconds, w, err := examples.LIBLINEAROneClass(p.nu, eps)
		return w, seconds, err
	}, train[float32](p, narrow), train[float64](p, p.x))
}

// train returns the training of ours.
func train[T vec.Float](p *problem, x *dataset.CSR[T]) race.Train {
	var as design.Matrix[T] = x
	if float64(len(x.Val)) > .5*float64(x.Rows)*float64(x.Cols) {
		dense, err := x.Dense()
		if err != nil {
			panic(err)
		}
		as = dense
	}
	return func(gap float64) (vec.Matrix[float64], float64, error) {
		c := svm.Config{C: p.c, Loss: p.loss, Epsilon: p.epsilon, Tol: gap, Epochs: 1 << 20, Workers: 1}
		of := svm.Problem[T]{X: as, Y: p.y, Targets: p.targets}
		if p.solver == race.OneClass {
			c.C, c.Epsilon, c.Nu, of = 0, 0, p.nu, svm.Problem[T]{X: as, OneClass: true}
		}
		start := race.CPUSeconds()
		r, err := of.Fit(context.Background(), c)
		seconds := race.CPUSeconds() - start
		if err != nil {
			return vec.Matrix[float64]{}, 0, err
		}
		return race.Weights(r.Linear), seconds, nil
	}
}
