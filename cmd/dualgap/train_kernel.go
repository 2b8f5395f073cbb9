package main

import (
	"strconv"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Kernels are the flags of families that train on features or on a kernel. The names are LIBSVM's.
type Kernels struct {
	Kernel string  `group:"kernel" short:"t" default:"none" placeholder:"KERNEL" help:"none trains weights of the features; linear, poly (gamma <x,z> + coef0)^degree and gaussian e^(-gamma |x-z|^2) train on a kernel. LIBSVM's 0, 1, 2 are linear, poly, gaussian."`
	Gamma  float64 `group:"kernel" short:"g" placeholder:"GAMMA" help:"By default 1/(number of features)."`
	Degree int     `group:"kernel" short:"d" default:"3" help:"Of poly."`
	Coef0  float64 `group:"kernel" name:"coef0" short:"r" default:"0" help:"Of poly."`
	Cache  float64 `group:"kernel" short:"m" default:"1000" placeholder:"MB" help:"Memory for rows of the kernel matrix, in megabytes."`
}

// check returns an error unless the flags fit together.
func (k *Kernels) check() error {
	_, err := k.of(1)
	switch {
	case err != nil:
		return err
	case k.Kernel == "none" && k.Gamma != 0:
		return usage("-g %v without a kernel: add -t gaussian or -t poly", k.Gamma)
	case !(k.Cache >= 0 && k.Cache < 1e12):
		return usage("-m %v: need a number of megabytes of at least 0", k.Cache)
	}
	return nil
}

// of returns the kernel for examples of d features, nil for none.
func (k *Kernels) of(d int) (of kernel.Kernel, err error) {
	gamma := k.Gamma
	if gamma == 0 {
		gamma = 1 / float64(d)
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
		return nil, usage("-t %s: expected none, linear, poly or gaussian", k.Kernel)
	}
	if err := of.Validate(); err != nil {
		return nil, usage("-t %s: %w", k.Kernel, err)
	}
	return of, nil
}

// matrix returns what a family trains on: x, or the kernel matrix of its examples.
func matrix[T vec.Float](k *Kernels, x solvers.Features[T]) (solvers.Features[T], *kernel.Matrix[T], error) {
	_, d := x.Dims()
	of, err := k.of(max(1, d))
	if of == nil || err != nil {
		return x, nil, err
	}
	m, err := kernel.New(x, of, budget(k.Cache))
	return nil, m, err
}

// budget returns how many bytes so many megabytes are, as far as numbers go.
func budget(megabytes float64) int64 { return int64(megabytes * 1e6) }

// number returns a float64 as short as can be, for names.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
