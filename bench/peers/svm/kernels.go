package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/vec"
)

// cache is the memory for rows of the kernel matrix on each side, in MB: svm-train's default.
const cache = 100

// kernelSets are the problems on a Gaussian kernel of width gamma.
var kernelSets = []struct {
	name     string
	c, gamma float64
	kind     int
	open     func(data string) (*problem, error)
}{
	{"spambase/n=4601/d=57", 1, .5, race.OneClassKernel, spambase},
	{"winequality/n=4898/d=12", 1, .5, race.OneClassKernel, wine},
	{"digits/n=1797/d=64", 1, .05, race.OneClassKernel, digits},
	{"winequality/n=4898/d=12", 1, .5, race.Regression, wine},
}

// kernels races on all of them. LIBSVM's default eps is .001.
func kernels(wanted *regexp.Regexp, data string, rounds int, scale, nu float64) error {
	for _, s := range kernelSets {
		name := fmt.Sprintf("libsvm/%s/s=%d", s.name, s.kind)
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
		p.name, p.c, p.nu, p.gamma, p.solver = name, s.c, nu, s.gamma, s.kind
		if err := p.raceKernel(1e-3*scale, rounds); err != nil {
			return err
		}
	}
	return nil
}

// raceKernel prints one line.
func (p *problem) raceKernel(eps float64, rounds int) error {
	narrow, err := dataset.ConvertCSR[float32](p.x)
	if err != nil {
		return err
	}
	examples := race.NewExamples(p.x)
	defer examples.Free()
	exact, err := kernel.New(design.Matrix[float64](p.x), kernel.Gaussian{Gamma: p.gamma}, 1<<30)
	if err != nil {
		return err
	}
	targets := p.targets
	if p.solver == race.OneClassKernel {
		targets = nil
	}
	libsvm := func(eps float64) (float64, float64, error) {
		seconds, a := examples.LIBSVMTargets(p.solver, p.gamma, p.c, p.epsilon, p.nu, eps, cache, targets)
		objective, err := p.objective(exact, a)
		return objective, seconds, err
	}
	return race.Print(p.name, eps, 1e-11, rounds, libsvm, trainKernel[float32](p, narrow), trainKernel[float64](p, p.x))
}

// objective returns 1/2 <a, K a> and the losses, with the best offset.
func (p *problem) objective(k *kernel.Matrix[float64], a []float64) (float64, error) {
	m, err := kernel.NewExpansion(k, vec.MatrixOf(len(a), 1, a), nil)
	if err != nil {
		return 0, err
	}
	scores := vec.NewMatrix[float64](len(a), 1)
	if err := m.Scores(scores, p.x, nil); err != nil {
		return 0, err
	}
	penalty := vec.Dot(a, scores.Data) / 2
	if p.solver == race.OneClassKernel {
		return penalty + race.OneClassLosses(p.nu, scores.Data), nil
	}
	return penalty + p.c*p.insensitive(scores.Data), nil
}

// insensitive returns the least sum of losses over the offset: it is where one of them begins, since between these the
// sum is linear.
func (p *problem) insensitive(scores []float64) float64 {
	var kinks []float64
	for i, s := range scores {
		kinks = append(kinks, p.targets[i]-p.epsilon-s, p.targets[i]+p.epsilon-s)
	}
	slices.Sort(kinks)
	sum := func(b float64) (all float64) {
		for i, s := range scores {
			all += max(0, math.Abs(s+b-p.targets[i])-p.epsilon)
		}
		return all
	}
	low, high := 0, len(kinks)-1 // the sum is convex
	for low < high {
		middle := (low + high) / 2
		if sum(kinks[middle]) <= sum(kinks[middle+1]) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return sum(kinks[low])
}

// trainKernel returns the training of ours, whose objective is the one that its certificate has.
func trainKernel[T vec.Float](p *problem, x *dataset.CSR[T]) race.Run {
	return func(gap float64) (objective, seconds float64, err error) {
		start := race.CPUSeconds()
		k, err := kernel.New(design.Matrix[T](x), kernel.Gaussian{Gamma: p.gamma}, cache<<20)
		if err != nil {
			return 0, 0, err
		}
		c := svm.Config{C: p.c, Epsilon: p.epsilon, Offset: true, Tol: gap, Epochs: 1 << 20, Workers: 1}
		of := svm.Problem[T]{Kernel: k, Targets: p.targets}
		if p.solver == race.OneClassKernel {
			c = svm.Config{Nu: p.nu, Tol: gap, Epochs: 1 << 20, Workers: 1}
			of = svm.Problem[T]{Kernel: k, OneClass: true}
		}
		r, err := of.Fit(context.Background(), c)
		if err != nil {
			return 0, 0, err
		}
		return r.Certificate.Primal, race.CPUSeconds() - start, nil
	}
}
