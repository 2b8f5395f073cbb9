package main

import (
	"math"
	"strconv"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Kernels are the flags of families that train on features or on a kernel. The names are LIBSVM's.
type Kernels struct {
	Kernel string  `group:"kernel" short:"t" default:"none" placeholder:"KERNEL" help:"none trains weights of the features; linear, poly (gamma <x,z> + coef0)^degree and gaussian e^(-gamma |x-z|^2) train on a kernel. LIBSVM's 0, 1, 2 are linear, poly, gaussian."`
	Gamma  float64 `group:"kernel" short:"g" placeholder:"GAMMA" help:"By default 1 over the mean of |x - mean|^2, which is 1/(number of features) where these have variance 1."`
	Degree int     `group:"kernel" short:"d" default:"3" help:"Of poly."`
	Coef0  float64 `group:"kernel" name:"coef0" short:"r" default:"0" help:"Of poly."`
	Cache  float64 `group:"kernel" short:"m" default:"1000" placeholder:"MB" help:"Memory for rows of the kernel matrix, in megabytes."`
}

// validate returns an error unless the flags fit together.
func (k *Kernels) validate(g given) error {
	of, err := k.of(1)
	if err != nil {
		return err
	}
	_, poly := of.(kernel.Polynomial)
	_, gaussian := of.(kernel.Gaussian)
	return first(
		g.above0("gamma"),
		g.need(poly || gaussian, "-t gaussian or -t poly, which have a gamma", "gamma", "grid-g"),
		g.need(poly, "-t poly, which has it", "degree", "coef0"),
		g.need(of != nil, "-t: it is the memory for a kernel, and none is asked for", "cache"),
		g.apart(rule{"gamma", "grid-g", "-cv tries the values of --grid-g; leave out -g"}),
		k.check(),
	)
}

// check returns an error unless the values mean something.
func (k *Kernels) check() error {
	_, err := k.of(1)
	switch {
	case err != nil:
		return err
	case !(k.Cache >= 0 && k.Cache < 1e12):
		return usage("-m %v: want a number of megabytes of at least 0", k.Cache)
	}
	return nil
}

// of returns the kernel, with this gamma where the flags have none; nil for none.
func (k *Kernels) of(gamma float64) (of kernel.Kernel, err error) {
	if k.Gamma != 0 {
		gamma = k.Gamma
	}
	switch k.Kernel {
	case "none":
		return nil, nil
	case "linear", "0":
		of = kernel.Linear{}
	case "poly", "polynomial", "1":
		of = kernel.Polynomial{Degree: k.Degree, Scale: gamma, Offset: k.Coef0}
	case "gaussian", "rbf", "2":
		of = kernel.Gaussian{Gamma: gamma}
	default:
		return nil, usage("-t %s: want none, linear, poly or gaussian", k.Kernel)
	}
	if err := of.Validate(); err != nil {
		return nil, usage("-t %s: %w", k.Kernel, err)
	}
	return of, nil
}

// matrix returns what a family trains on: x and the value of its constant feature, or the kernel matrix of its
// examples, with the square of that value in all of them.
func matrix[T vec.Float](k *Kernels, b Intercept, x design.Matrix[T]) (design.Matrix[T], *kernel.Matrix[T],
	float64, error) {
	gamma := 1.0
	if k.Kernel != "none" && k.Gamma == 0 {
		gamma = gammaOf(x)
	}
	of, err := k.of(gamma)
	v := b.value()
	if of == nil || err != nil {
		return x, nil, v, err
	}
	if v != 0 {
		of = kernel.Sum{{Weight: 1, Kernel: of}, {Weight: 1, Kernel: kernel.Constant{Value: v * v}}}
	}
	m, err := kernel.New(x, of, budget(k.Cache))
	return nil, m, 0, err
}

// budget returns the number of bytes of a number of megabytes.
func budget(megabytes float64) int64 { return int64(megabytes * 1e6) }

// number returns a float64 as short as can be, for names.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// gammaOf returns the gamma of a Gaussian kernel that fits the sizes of the examples: 1/(d v), v the mean of the
// features' variances, for which the mean of gamma |x - z|² over pairs of examples is 2.
func gammaOf[T vec.Float](x design.Matrix[T]) float64 {
	_, d := x.Dims()
	s := spread(x)
	return 1 / (float64(max(1, d)) * s * s)
}

// spread returns the root of the mean of the features' variances, 1 where all are 0: how large a feature is about its
// mean. O(n d).
func spread[T vec.Float](x design.Matrix[T]) float64 {
	n, d := x.Dims()
	wide := design.Float64(x)
	shares, mean, norms := vec.NewMatrix[float64](n, 1), vec.NewMatrix[float64](d, 1), make([]float64, n)
	for i := range shares.Data {
		shares.Data[i] = 1 / float64(n)
	}
	design.AccumulateAll(mean, shares, wide, 1) // the same bits for any number of cores
	wide.SquaredNorms(norms)
	if v := (vec.Dot(norms, shares.Data) - vec.SquaredNorm(mean.Data)) / float64(d); v > 0 && !math.IsInf(v, 1) {
		return math.Sqrt(v)
	}
	return 1
}
