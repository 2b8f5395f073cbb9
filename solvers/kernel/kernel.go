package kernel

import (
	"fmt"
	"math"

	"github.com/dualgap/dualgap/vec"
)

// Kernel is a function k(x, z) of two examples for which every matrix K_ij = k(x_i, x_j) is positive semi-definite: an
// inner product in some space. The kernels are the ones of this package.
type Kernel interface {
	// Validate returns an error that names the parameter that makes this no Mercer kernel.
	Validate() error

	// of returns k(x, x) for |x|² = norm.
	of(norm float64) float64
}

// Linear is k(x, z) = <x, z>.
type Linear struct{}

// Polynomial is k(x, z) = (Scale <x, z> + Offset)^Degree.
type Polynomial struct {
	Degree int     // at least 1
	Scale  float64 // > 0; default: 1
	Offset float64 // >= 0
}

// Gaussian is k(x, z) = e^(-Gamma |x - z|²), Gamma > 0.
type Gaussian struct{ Gamma float64 }

// Constant is k(x, z) = Value >= 0: beside another kernel in a Sum or a bundle it is what a constant feature of the
// value √Value is beside others, the intercept of a model, regularized as the rest.
type Constant struct{ Value float64 }

// Sum is the sum of Weight Kernel over its terms.
type Sum []Term

// Term is a part of a Sum, of a weight of at least 0.
type Term struct {
	Weight float64
	Kernel Kernel
}

// Validate returns nil: a linear kernel has no parameters.
func (Linear) Validate() error { return nil }

// Validate returns an error unless Degree is at least 1, and Scale and Offset are finite and not negative.
func (k Polynomial) Validate() error {
	switch {
	case k.Degree < 1:
		return fmt.Errorf("kernel: polynomial of Degree %d, want at least 1", k.Degree)
	case !(k.Scale >= 0) || math.IsInf(k.Scale, 1):
		return fmt.Errorf("kernel: polynomial of Scale %v, want a finite number above 0", k.Scale)
	case !(k.Offset >= 0) || math.IsInf(k.Offset, 1):
		return fmt.Errorf("kernel: polynomial of Offset %v, want a finite number of at least 0", k.Offset)
	}
	return nil
}

// Validate returns an error unless Gamma is finite and above 0.
func (k Gaussian) Validate() error {
	if !(k.Gamma > 0) || math.IsInf(k.Gamma, 1) {
		return fmt.Errorf("kernel: Gaussian of Gamma %v, want a finite number above 0", k.Gamma)
	}
	return nil
}

// Validate returns an error unless Value is finite and at least 0.
func (k Constant) Validate() error {
	if !(k.Value >= 0) || math.IsInf(k.Value, 1) {
		return fmt.Errorf("kernel: constant of Value %v, want a finite number of at least 0", k.Value)
	}
	return nil
}

// Validate returns an error where there is no term, a Weight is negative or not finite, or a Kernel is not valid.
func (k Sum) Validate() error {
	if len(k) == 0 {
		return fmt.Errorf("kernel: a sum of no kernels")
	}
	for i, term := range k {
		if !(term.Weight >= 0) || math.IsInf(term.Weight, 1) {
			return fmt.Errorf("kernel: weight %v of term %d, want a finite number of at least 0", term.Weight, i)
		}
		if term.Kernel == nil {
			return fmt.Errorf("kernel: term %d has no kernel", i)
		}
		if err := check(term.Kernel); err != nil {
			return err
		}
	}
	return nil
}

// check is k.Validate for any k: a pointer to a kernel is none.
func check(k Kernel) error {
	switch k := k.(type) {
	case nil:
		return fmt.Errorf("kernel: no kernel")
	case Linear, Polynomial, Gaussian, Constant, Sum, centred:
		return k.Validate()
	}
	return fmt.Errorf("kernel: unknown kernel %T", k)
}

func (Linear) of(norm float64) float64   { return norm }
func (Gaussian) of(norm float64) float64 { return 1 }
func (k Constant) of(float64) float64    { return k.Value }
func (k Polynomial) of(norm float64) float64 {
	return power(k.scale()*norm+k.Offset, k.Degree)
}

func (k Sum) of(norm float64) (sum float64) {
	for _, term := range k {
		sum += term.Weight * term.Kernel.of(norm)
	}
	return sum
}

func (k Polynomial) scale() float64 {
	if k.Scale == 0 {
		return 1
	}
	return k.Scale
}

// power returns v^degree by squaring.
func power[T vec.Float](v T, degree int) T {
	p := T(1)
	for ; degree > 1; degree /= 2 {
		if degree%2 == 1 {
			p *= v
		}
		v *= v
	}
	return p * v
}
