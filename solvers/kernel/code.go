package kernel

import "fmt"

// A file has a kernel as integers, which kernels in which order, and float64 numbers, their parameters in that order: a
// sum is its number of terms, then for each its weight and kernel.
const (
	codeNone       = iota // precomputed
	codeLinear            //
	codePolynomial        // degree; Scale, Offset
	codeGaussian          // Gamma
	codeSum               // terms
	codeConstant          // Value
)

// deepest is how many sums may be in one another.
const deepest = 64

func encode(k Kernel) (codes []int, numbers []float64, err error) {
	if k == nil {
		return []int{codeNone}, nil, nil
	}
	err = encodeInto(&codes, &numbers, k, 0)
	return codes, numbers, err
}

func encodeInto(codes *[]int, numbers *[]float64, k Kernel, depth int) error {
	switch k := k.(type) {
	case Linear:
		*codes = append(*codes, codeLinear)
	case Polynomial:
		*codes, *numbers = append(*codes, codePolynomial, k.Degree), append(*numbers, k.Scale, k.Offset)
	case Gaussian:
		*codes, *numbers = append(*codes, codeGaussian), append(*numbers, k.Gamma)
	case Constant:
		*codes, *numbers = append(*codes, codeConstant), append(*numbers, k.Value)
	case Sum:
		if depth == deepest {
			return fmt.Errorf("kernel: more than %d sums in one another", deepest)
		}
		*codes = append(*codes, codeSum, len(k))
		for _, t := range k {
			*numbers = append(*numbers, t.Weight)
			if err := encodeInto(codes, numbers, t.Kernel, depth+1); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("kernel: unknown kernel %T", k)
	}
	return nil
}

// precomputed reports whether these are what encode gives for no kernel.
func precomputed(codes []int, numbers []float64) bool {
	return len(codes) == 1 && codes[0] == codeNone && len(numbers) == 0
}

// decode returns the kernel, nil for a precomputed one, or an error if these are not what encode gives for a sound one.
func decode(codes []int, numbers []float64) (Kernel, error) {
	if precomputed(codes, numbers) {
		return nil, nil
	}
	d := decoder{codes: codes, numbers: numbers}
	k := d.kernel(0)
	if d.short || len(d.codes) > 0 || len(d.numbers) > 0 {
		return nil, fmt.Errorf("no kernel in %d codes and %d parameters", len(codes), len(numbers))
	}
	return k, check(k)
}

// decoder is what is left to decode.
type decoder struct {
	codes   []int
	numbers []float64
	short   bool // there was too little of it, or an unknown code
}

func (d *decoder) code() (v int) {
	if len(d.codes) == 0 {
		d.short = true
		return 0
	}
	v, d.codes = d.codes[0], d.codes[1:]
	return v
}

func (d *decoder) number() (v float64) {
	if len(d.numbers) == 0 {
		d.short = true
		return 0
	}
	v, d.numbers = d.numbers[0], d.numbers[1:]
	return v
}

func (d *decoder) kernel(depth int) Kernel {
	switch d.code() {
	case codeLinear:
		return Linear{}
	case codePolynomial:
		return Polynomial{Degree: d.code(), Scale: d.number(), Offset: d.number()}
	case codeGaussian:
		return Gaussian{Gamma: d.number()}
	case codeConstant:
		return Constant{Value: d.number()}
	case codeSum:
		if depth == deepest {
			break
		}
		k, terms := Sum{}, d.code()
		for ; terms > 0 && !d.short; terms-- {
			k = append(k, Term{Weight: d.number(), Kernel: d.kernel(depth + 1)})
		}
		return k
	}
	d.short = true
	return nil
}

// EncodeAll is for package bundle: kernels one after the other, or the code of a given matrix if there are none.
func EncodeAll(kernels []Kernel) (codes []int, numbers []float64, err error) {
	if kernels == nil {
		return encode(nil)
	}
	for _, k := range kernels {
		if err := encodeInto(&codes, &numbers, k, 0); err != nil {
			return nil, nil, err
		}
	}
	return codes, numbers, nil
}

// DecodeAll is for package bundle: it returns what EncodeAll encoded, of which none may be a Sum.
func DecodeAll(codes []int, numbers []float64) (all []Kernel, err error) {
	if precomputed(codes, numbers) {
		return nil, nil
	}
	d := decoder{codes: codes, numbers: numbers}
	for len(d.codes) > 0 && !d.short {
		k := d.kernel(0)
		if _, sum := k.(Sum); sum || check(k) != nil {
			d.short = true
		}
		all = append(all, k)
	}
	if d.short || len(d.numbers) > 0 || len(all) == 0 {
		return nil, fmt.Errorf("no kernels in %d codes and %d parameters", len(codes), len(numbers))
	}
	return all, nil
}
