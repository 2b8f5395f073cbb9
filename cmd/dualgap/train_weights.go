package main

import (
	"math"
	"strconv"
	"strings"
)

// ClassWeights is the flag -w.
type ClassWeights struct {
	Weight []string `group:"model" short:"w" sep:"none" placeholder:"CLASS=WEIGHT" help:"Multiply the losses of a class's examples, and so its cost; -w1 2 for class 1 as well. May be given several times."`
}

// of returns the weight of each class, nil where no flag names one.
func (w *ClassWeights) of(classes []string) ([]float64, error) {
	if len(w.Weight) == 0 {
		return nil, nil
	}
	weights, named := make([]float64, len(classes)), make([]bool, len(classes))
	for c := range weights {
		weights[c] = 1
	}
	for _, flag := range w.Weight {
		at := strings.LastIndexByte(flag, '=')
		if at < 0 {
			return nil, usage("-w %s: expected CLASS=WEIGHT", flag)
		}
		class, v := flag[:at], flag[at+1:]
		weight, err := strconv.ParseFloat(v, 64)
		if err != nil || !(weight >= 0) || math.IsInf(weight, 1) {
			return nil, usage("-w %s: weight %q, need a finite number of at least 0", flag, v)
		}
		c := place(classes, class)
		switch {
		case c < 0:
			return nil, usage("-w %s: no class %q in the data, there are %s", flag, class, list(classes))
		case named[c]:
			return nil, usage("-w %s: class %q has a weight already", flag, class)
		}
		weights[c], named[c] = weight, true
	}
	return weights, nil
}

// ofExamples returns the weight of each example by its class, nil where no flag names one.
func (w *ClassWeights) ofExamples(classes []string, y []int) ([]float64, error) {
	weights, err := w.of(classes)
	if weights == nil || err != nil {
		return nil, err
	}
	each := make([]float64, len(y))
	for i, c := range y {
		each[i] = weights[c]
	}
	return each, nil
}

// place returns the number of a class, -1 for none. Names that are equal as numbers are one: 1, +1, 1.0.
func place(classes []string, name string) int {
	for c, class := range classes {
		if class == name {
			return c
		}
	}
	v, err := strconv.ParseFloat(name, 64)
	if err != nil {
		return -1
	}
	for c, class := range classes {
		if u, err := strconv.ParseFloat(class, 64); err == nil && u == v {
			return c
		}
	}
	return -1
}

// list names some classes, and says how many there are besides.
func list(classes []string) string {
	const most = 12
	if len(classes) <= most {
		return strings.Join(classes, ", ")
	}
	return strings.Join(classes[:most], ", ") + " and " + strconv.Itoa(len(classes)-most) + " more"
}
