package dataset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Labeled is a data set: examples, one per row of X, and their labels. X is a *Dense[T] or a *CSR[T].
type Labeled[X any] struct {
	X X
	Labels
	Groups       []int      // the group of each example (LIBSVM's qid, or a column of a CSV file), or nil
	Folds        []int      // the part of each example for cross-validation (a column of a CSV file), from 0, or nil
	FeatureNames []string   // the name of each column, from a CSV header, or nil
	CSV          CSVColumns // what else a CSV file has

	// What the option DropUnseen left out.
	DroppedRows     int // examples whose label is not in the option Classes
	DroppedLabels   int // labels of the other examples' sets that are not in the option Classes
	DroppedNonzeros int // nonzeros of the other examples, in columns beyond the option Cols
}

// Labels are the labels of n examples as m classes. Solvers train on Y. What they answer with are numbers 0..m-1, whose
// names are in Classes: every reader fills them.
type Labels struct {
	Y       []int     // the class of each example, in 0..m-1
	Classes []string  // the name of class 0, 1, ..., m-1: its label in the file
	Values  []float64 // the label of each example where all are numbers, else nil

	// Sets has the classes of each example, ascending, where examples have any number of them. Then Y and Values are
	// nil.
	Sets [][]int
}

// NumericLabels turns labels that are numbers into classes. If classes is nil, these are the distinct values in
// ascending order. Else they are the given ones, compared as numbers, and any other value is an error, as is NaN or an
// infinity. O(n log n).
func NumericLabels(values []float64, classes []string) (Labels, error) {
	l, err := newNumericLabels(classes)
	if err != nil {
		return Labels{}, err
	}
	for i, v := range values {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return Labels{}, fmt.Errorf("dataset: label %v of example %d, want a finite number", v, i)
		case !l.add(v):
			return Labels{}, fmt.Errorf("dataset: label %v of example %d, want %s", v, i, oneOf(classes))
		}
	}
	return l.labels(), nil
}

// TextLabels turns labels that are texts into classes. If classes is nil, these are the distinct texts in the order of
// their first appearance, or, where all texts are numbers, the classes of [NumericLabels]. Else they are the given
// ones, and any other text is an error. O(n).
func TextLabels(texts []string, classes []string) (Labels, error) {
	l, err := newTextLabels(classes)
	if err != nil {
		return Labels{}, err
	}
	for i, s := range texts {
		if !l.add(s) {
			return Labels{}, fmt.Errorf("dataset: label %q of example %d, want %s", s, i, oneOf(classes))
		}
	}
	return l.labels(), nil
}

// numericLabels takes numbers as they come.
type numericLabels struct {
	given   bool
	classes []string        // as given, or nil
	class   map[float64]int // of the given ones, or of those seen
	seen    []float64       // where none are given: the number of each class
	y       []int
	values  []float64
}

func newNumericLabels(classes []string) (*numericLabels, error) {
	l := &numericLabels{given: classes != nil, classes: classes, class: make(map[float64]int, len(classes))}
	for k, name := range classes {
		v, ok := parseNumber[float64](name)
		if ok != finite {
			return nil, fmt.Errorf("dataset: class %q is not a number, the labels are", name)
		}
		if first, twice := l.class[v]; twice {
			return nil, fmt.Errorf("dataset: classes %d and %d, %q and %q, are the same number",
				first, k, classes[first], name)
		}
		l.class[v] = k
	}
	return l, nil
}

// add takes v if it is one of the given classes, or none were given, and reports whether it did.
func (l *numericLabels) add(v float64) bool {
	k, known := l.class[v]
	if !known {
		if l.given {
			return false
		}
		k = len(l.seen)
		l.class[v] = k
		l.seen = append(l.seen, v+0)
	}
	l.y = append(l.y, k)
	l.values = append(l.values, v+0) // -0 and 0 are one class
	return true
}

func (l *numericLabels) labels() Labels {
	if l.given {
		return Labels{Y: l.y, Classes: slices.Clone(l.classes), Values: l.values}
	}
	order := make([]int, len(l.seen))
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(l.seen[a], l.seen[b]) })
	place, classes := make([]int, len(order)), []string(nil)
	for p, k := range order {
		place[k] = p
		classes = append(classes, string(appendLabel(nil, l.seen[k])))
	}
	for i, k := range l.y {
		l.y[i] = place[k]
	}
	return Labels{Y: l.y, Classes: classes, Values: l.values}
}

// appendLabel writes integers without an exponent, as files do.
func appendLabel(b []byte, v float64) []byte {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// textLabels takes texts as they come.
type textLabels struct {
	given   bool
	numbers *numericLabels // the given classes, where all are numbers
	class   map[string]int // of every spelling seen or given
	classes []string       // as given, or as seen
	y       []int
}

func newTextLabels(classes []string) (*textLabels, error) {
	l := &textLabels{given: classes != nil, class: make(map[string]int, len(classes)), classes: slices.Clone(classes)}
	for k, name := range classes {
		if first, twice := l.class[name]; twice {
			return nil, fmt.Errorf("dataset: classes %d and %d are both %q", first, k, name)
		}
		l.class[name] = k
	}
	if numbers, err := newNumericLabels(classes); err == nil && l.given {
		l.numbers = numbers
	}
	return l, nil
}

// add takes s if it is one of the given classes, or none were given, and reports whether it did.
func (l *textLabels) add(s string) bool {
	k, known := l.class[s]
	if !known {
		s = strings.Clone(s) // it may be a window of a whole line
		switch {
		case !l.given:
			k = len(l.classes)
			l.classes = append(l.classes, s)
		case l.numbers != nil:
			v, ok := parseNumber[float64](s)
			if k, known = l.numbers.class[v]; ok != finite || !known {
				return false
			}
		default:
			return false
		}
		l.class[s] = k
	}
	l.y = append(l.y, k)
	return true
}

// dropFirst takes back the first label, which no other one equals, where no classes are given.
func (l *textLabels) dropFirst() {
	l.y = l.y[1:]
	delete(l.class, l.classes[0])
	l.classes = l.classes[1:]
	for name := range l.class {
		l.class[name]--
	}
	for i := range l.y {
		l.y[i]--
	}
}

func (l *textLabels) labels() Labels {
	of := make([]float64, len(l.classes))
	for k, name := range l.classes {
		v, ok := parseNumber[float64](name)
		if ok != finite {
			return Labels{Y: l.y, Classes: l.classes}
		}
		of[k] = v
	}
	values := make([]float64, len(l.y))
	for i, k := range l.y {
		values[i] = of[k]
	}
	if l.given {
		return Labels{Y: l.y, Classes: l.classes, Values: values}
	}
	numeric := numericLabels{class: make(map[float64]int, len(of))}
	for _, v := range values {
		numeric.add(v)
	}
	return numeric.labels()
}

// oneOf lists classes for a message.
func oneOf(classes []string) string {
	const most = 10
	if len(classes) > most {
		return fmt.Sprintf("one of %q and %d more", classes[:most], len(classes)-most)
	}
	return fmt.Sprintf("one of %q", classes)
}
