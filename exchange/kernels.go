package exchange

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers/kernel"
)

// deepest is how many sums may be in one another.
const deepest = 64

// kernelText is k in words: "gaussian 0.5", and "sum 2" before two weights with their kernels; nil is precomputed.
func kernelText(k kernel.Kernel) (string, error) {
	switch k := k.(type) {
	case nil:
		return "precomputed", nil
	case kernel.Linear:
		return "linear", nil
	case kernel.Gaussian:
		return "gaussian " + numberText(k.Gamma), nil
	case kernel.Polynomial:
		return fmt.Sprintf("polynomial %d %s %s", k.Degree, numberText(k.Scale), numberText(k.Offset)), nil
	case kernel.Constant:
		return "constant " + numberText(k.Value), nil
	case kernel.Sum:
		text := fmt.Sprintf("sum %d", len(k))
		for _, term := range k {
			part, err := kernelText(term.Kernel)
			if err != nil {
				return "", err
			}
			text += " " + numberText(term.Weight) + " " + part
		}
		return text, nil
	}
	return "", fmt.Errorf("exchange: the kernel %T has no words", k)
}

// parseKernel reads what kernelText wrote.
func parseKernel(text string) (kernel.Kernel, error) {
	if text == "precomputed" {
		return nil, nil
	}
	w := words{left: strings.Fields(text)}
	k := w.kernel(0)
	if w.wrong || len(w.left) > 0 {
		return nil, fmt.Errorf("the kernel %q in the metadata is none", text)
	}
	return k, k.Validate()
}

// words are what is left of a kernel's text.
type words struct {
	left  []string
	wrong bool
}

func (w *words) next() (word string) {
	if len(w.left) == 0 {
		w.wrong = true
		return ""
	}
	word, w.left = w.left[0], w.left[1:]
	return word
}

func (w *words) number() float64 {
	v, err := strconv.ParseFloat(w.next(), 64)
	if err != nil {
		w.wrong = true
	}
	return v
}

func (w *words) int() int {
	v, err := strconv.ParseInt(w.next(), 10, 32)
	if err != nil {
		w.wrong = true
	}
	return int(v)
}

func (w *words) kernel(depth int) kernel.Kernel {
	switch w.next() {
	case "linear":
		return kernel.Linear{}
	case "gaussian":
		return kernel.Gaussian{Gamma: w.number()}
	case "polynomial":
		return kernel.Polynomial{Degree: w.int(), Scale: w.number(), Offset: w.number()}
	case "constant":
		return kernel.Constant{Value: w.number()}
	case "sum":
		k := kernel.Sum{}
		for n := w.int(); n > 0 && depth < deepest && !w.wrong; n-- {
			k = append(k, kernel.Term{Weight: w.number(), Kernel: w.kernel(depth + 1)})
		}
		return k
	}
	w.wrong = true
	return kernel.Linear{}
}

// apart returns k, or the kernel that k is when a constant is taken from it, and that constant.
func apart(k kernel.Kernel) (kernel.Kernel, float64) {
	sum, ok := k.(kernel.Sum)
	if !ok || len(sum) != 2 || sum[0].Weight != 1 {
		return k, 0
	}
	constant, ok := sum[1].Kernel.(kernel.Constant)
	if !ok {
		return k, 0
	}
	return sum[0].Kernel, sum[1].Weight * constant.Value
}
