package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/vec"
)

// kernelsOf returns the kernels that the words name, with this gamma where they have none.
func kernelsOf(words []string, gamma float64) ([]kernel.Kernel, error) {
	var all []kernel.Kernel
	for _, word := range words {
		k, err := kernelOf(word, gamma)
		if err == nil {
			err = k.Validate()
		}
		if err != nil {
			return nil, usage("--kernels %s: %w", word, err)
		}
		all = append(all, k)
	}
	return all, nil
}

func kernelOf(word string, gamma float64) (kernel.Kernel, error) {
	parts := strings.Split(word, ":")
	values := []float64{0, gamma, 0} // degree, gamma, coef0
	most, first := 0, 0
	switch parts[0] {
	case "linear":
	case gaussians:
	case "gaussian", "rbf":
		most, first = 1, 1
	case "poly", "polynomial":
		most, values[0] = 3, 3
	default:
		return nil, fmt.Errorf("want gaussians, gaussian:GAMMA, linear or poly:DEGREE:GAMMA:COEF0")
	}
	if len(parts)-1 > most {
		return nil, fmt.Errorf("%d numbers, %s has %d at most", len(parts)-1, parts[0], most)
	}
	for i, part := range parts[1:] {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is no number", part)
		}
		values[first+i] = v
	}
	switch parts[0] {
	case "linear":
		return kernel.Linear{}, nil
	case gaussians, "gaussian", "rbf":
		return kernel.Gaussian{Gamma: values[1]}, nil
	}
	degree := int(values[0])
	if float64(degree) != values[0] {
		return nil, fmt.Errorf("degree %v, want an integer", values[0])
	}
	return kernel.Polynomial{Degree: degree, Scale: values[1], Offset: values[2]}, nil
}

// bundleOf returns the kernels of the groups of features and the given ones, and a name for each.
func bundleOf[T vec.Float](t *TrainMKL, x data.Storage[T]) (*bundle.Bundle[T], []string, error) {
	var groups []bundle.Group[T]
	var names []string
	if t.features || !t.Given.any() {
		var err error
		if groups, names, err = featureKernels(t, x); err != nil {
			return nil, nil, err
		}
	}
	n, _ := x.Dims()
	matrices, paths, err := givenKernels[T](&t.Given, n)
	if err != nil {
		return nil, nil, err
	}
	b, err := bundle.New(budget(t.Cache), append(groups, matrices...)...)
	return b, append(names, paths...), err
}

// featureKernels returns the kernels of the groups of features, and a name for each.
func featureKernels[T vec.Float](t *TrainMKL, x data.Storage[T]) (groups []bundle.Group[T], names []string, err error) {
	_, d := x.Dims()
	ends, err := groupEnds(t.Groups, d)
	if err != nil {
		return nil, nil, err
	}
	from := 0
	for _, to := range ends {
		part, err := columns(x, from, to)
		if err != nil {
			return nil, nil, err
		}
		words := spelled[T](t.Kernels, part)
		kernels, err := kernelsOf(words, gammaOf[T](part))
		if err != nil {
			return nil, nil, err
		}
		if !t.Plain {
			n, _ := part.Dims()
			norms := make([]T, n)
			part.SquaredNorms(norms)
			for i, k := range kernels {
				kernels[i] = normalized(k, norms)
			}
		}
		groups = append(groups, bundle.Group[T]{X: part, Kernels: kernels})
		for _, word := range words {
			if len(ends) > 1 {
				word += fmt.Sprintf(" of %d-%d", from+1, to)
			}
			names = append(names, word)
		}
		from = to
	}
	if v := t.Intercept.value(); v != 0 {
		last := &groups[len(groups)-1]
		last.Kernels, names = append(last.Kernels, kernel.Constant{Value: v * v}), append(names, "constant")
	}
	return groups, names, nil
}

// normalized returns k divided by the mean of k(x, x) over examples of these squared norms, or k where there is no such
// mean: kernels are added up, and one of large numbers would count for more than the others.
func normalized[T vec.Float](k kernel.Kernel, norms []T) kernel.Kernel {
	p, ok := k.(kernel.Polynomial)
	if _, linear := k.(kernel.Linear); linear {
		p, ok = kernel.Polynomial{Degree: 1, Scale: 1}, true
	}
	if !ok {
		return k // a Gaussian is 1 there
	}
	mean := 0.0
	for _, v := range norms {
		mean += math.Pow(p.Scale*float64(v)+p.Offset, float64(p.Degree)) / float64(len(norms))
	}
	root := math.Pow(mean, 1/float64(p.Degree))
	p.Scale, p.Offset = p.Scale/root, p.Offset/root
	if !(p.Scale > 0) || math.IsInf(p.Scale, 1) || math.IsInf(p.Offset, 1) {
		return k
	}
	return p
}

// groupEnds returns where each group of the features 1 to d ends.
func groupEnds(groups []string, d int) ([]int, error) {
	if groups == nil {
		return []int{d}, nil
	}
	var ends []int
	last := 0
	for _, g := range groups {
		from, to, ok := strings.Cut(g, "-")
		if !ok {
			to = from
		}
		a, errFrom := strconv.Atoi(from)
		b, errTo := strconv.Atoi(to)
		switch {
		case errFrom != nil || errTo != nil:
			return nil, usage("--groups %s: want FROM-TO, such as 1-10", g)
		case a != last+1 || b < a || b > d:
			return nil, usage("--groups %s: want a group that begins with feature %d, where the last one has "+
				"ended, and ends at %d at most: the data have %d features",
				g, last+1, d, d)
		}
		ends, last = append(ends, b), b
	}
	if last != d {
		return nil, usage("--groups end with feature %d, but the data have %d: add %d-%d", last, d, last+1, d)
	}
	return ends, nil
}

// columns returns the features from, ..., to-1 of x.
func columns[T vec.Float](x data.Storage[T], from, to int) (data.Storage[T], error) {
	if _, d := x.Dims(); from == 0 && to == d {
		return x, nil
	}
	if x, ok := x.(*dataset.Dense[T]); ok {
		return &dataset.Dense[T]{Matrix: x.Slice(0, x.Rows, from, to)}, nil
	}
	some := make([]int, to-from)
	for j := range some {
		some[j] = from + j
	}
	return x.(*dataset.CSR[T]).Columns(some)
}

// shares tells how large a part each kernel has.
func shares(names []string, share []float64) string {
	var b strings.Builder
	b.WriteString("shares of the kernels:")
	for k, name := range names {
		fmt.Fprintf(&b, "\n  %5.1f%%  %s", 100*share[k], name)
	}
	return b.String()
}
