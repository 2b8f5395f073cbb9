package dataset

import "fmt"

// Positive tells which examples are positive where the named classes are: digit 7 against the rest, say, by
// Positive("7"). With Sets an example is positive that has one of them. Names that are numbers are compared as numbers.
// A name that is none of l.Classes is an error, as is no name. It is what the measures of package metrics take. O(n).
func (l *Labels) Positive(classes ...string) ([]bool, error) {
	if len(classes) == 0 {
		return nil, fmt.Errorf("dataset: no class is named as positive, want %s", oneOf(l.Classes))
	}
	names, err := newTextLabels(append([]string{}, l.Classes...))
	if err != nil {
		return nil, err
	}
	for _, name := range classes {
		if !names.add(name) {
			return nil, fmt.Errorf("dataset: class %q named as positive, want %s", name, oneOf(l.Classes))
		}
	}
	is := make([]bool, len(l.Classes))
	for _, k := range names.y {
		is[k] = true
	}
	n := len(l.Y)
	if l.Sets != nil {
		n = len(l.Sets)
	}
	positive := make([]bool, n)
	for i := range positive {
		var of []int
		if l.Sets != nil {
			of = l.Sets[i]
		} else {
			of = l.Y[i : i+1]
		}
		for _, k := range of {
			if k < 0 || k >= len(is) {
				return nil, fmt.Errorf("dataset: class %d of example %d, want one in 0..%d", k, i, len(is)-1)
			}
			positive[i] = positive[i] || is[k]
		}
	}
	return positive, nil
}

// Binary returns [Labels.Positive] as labels of two classes: Y is 1 and Values are +1 for positive examples, 0 and -1
// for the others. Classes are -1 and 1.
func (l *Labels) Binary(classes ...string) (Labels, error) {
	positive, err := l.Positive(classes...)
	if err != nil {
		return Labels{}, err
	}
	b := Labels{Y: make([]int, len(positive)), Classes: []string{"-1", "1"}, Values: make([]float64, len(positive))}
	for i, is := range positive {
		b.Values[i] = -1
		if is {
			b.Y[i], b.Values[i] = 1, 1
		}
	}
	return b, nil
}
