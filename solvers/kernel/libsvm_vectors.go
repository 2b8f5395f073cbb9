package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/solvers/kernel/internal/core"
	"github.com/dualgap/dualgap/vec"
)

// supportVectors reads a line for each: its coefficient, then index:value, or 0:number of a precomputed kernel.
func (l *libsvm[T]) supportVectors(precomputed bool) error {
	line := l.Line()
	l.x.ptr = append(l.x.ptr, 0)
	for {
		word, err := l.Word()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		index, value, pair := strings.Cut(word, ":")
		switch fresh := l.Line() != line; {
		case fresh && pair:
			return l.Errorf("%q, want a coefficient", word)
		case !fresh && !pair:
			return l.Errorf("%q, want index:value", word)
		case fresh:
			line = l.Line()
			err = l.coefficient(word)
		case precomputed:
			err = l.example(index, value)
		default:
			err = l.feature(index, value)
		}
		if err != nil {
			return err
		}
		l.x.ptr[len(l.a)] = len(l.x.values)
	}
	if len(l.a) != l.total {
		return l.Errorf("the text ends after %d of %d support vectors", len(l.a), l.total)
	}
	if precomputed && len(l.support) != len(l.a) {
		return l.Errorf("the text ends after support vector %d, want 0:number", len(l.a)-1)
	}
	return nil
}

func (l *libsvm[T]) coefficient(word string) error {
	if len(l.a) == l.total {
		return l.Errorf("%q after the last of %d support vectors", word, l.total)
	}
	a, err := l.number("coefficient", word)
	l.last = 0
	l.a, l.x.ptr = append(l.a, a), append(l.x.ptr, len(l.x.values))
	return err
}

// example takes the number of a training example, from 1.
func (l *libsvm[T]) example(index, value string) error {
	number, err := l.place("number of an example", value)
	if err != nil {
		return err
	}
	if index != "0" || len(l.support) != len(l.a)-1 {
		return l.Errorf("\"%s:%s\" of support vector %d, want 0:number, once", index, value, len(l.a)-1)
	}
	l.support = append(l.support, number-1)
	return nil
}

func (l *libsvm[T]) feature(index, value string) error {
	j, err := l.place("index", index)
	if err != nil {
		return err
	}
	v, err := l.number("value", value)
	if err != nil {
		return err
	}
	if j <= l.last {
		return l.Errorf("index %d after %d", j, l.last)
	}
	l.last = j
	if v != 0 {
		l.x.columns, l.x.values = append(l.x.columns, int32(j-1)), append(l.x.values, v)
	}
	return nil
}

// place is an integer from 1.
func (l *libsvm[T]) place(name, word string) (int, error) {
	largest := math.MaxInt32 - 1
	if l.features > 0 {
		largest = min(largest, l.features)
	}
	v, err := strconv.ParseInt(word, 10, 32)
	if err != nil || v < 1 || v > int64(largest) {
		return 0, l.Errorf("%s %q, want an integer from 1 to %d", name, word, largest)
	}
	l.largest = max(l.largest, int(v))
	return int(v), nil
}

func (l *libsvm[T]) number(name, word string) (T, error) {
	v, err := l.Number(name, word)
	if t := T(v); err == nil && t-t != 0 {
		return 0, l.Errorf("%s %v is beyond %T", name, v, t)
	}
	return T(v), err
}

// expansion returns the model of what has been read.
func (l *libsvm[T]) expansion(k Kernel) (*Expansion[T], error) {
	s, d := len(l.a), max(1, l.features, l.largest)
	m := &Expansion[T]{k: k, d: d, c: core.Coefficients[T]{N: max(1, s), Support: l.support, A: vec.NewMatrix[T](s, 1)}}
	if k == nil {
		return m, l.precomputed(m)
	}
	copy(m.c.A.Data, l.a)
	norms := make([]T, s)
	for p := range norms {
		norms[p] = vec.SquaredNorm(l.x.row(p).values)
	}
	m.c.Support = core.Some(nil, 0, s)
	if err := checkValues(k, norms); err != nil {
		return nil, err
	}
	if int64(len(l.x.values)) <= int64(s)*int64(d)/16 || s > math.MaxInt/8/d { // see thin
		v, err := newSparseVectors(&l.x, d)
		m.vectors = v
		return m, err
	}
	x := vec.NewMatrix[T](s, d)
	for p := range s {
		r := l.x.row(p)
		for q, j := range r.columns {
			x.Row(p)[j] = r.values[q]
		}
	}
	m.vectors = newDenseVectors(k, x)
	return m, nil
}

// precomputed puts the support vectors of m into the order of the training examples.
func (l *libsvm[T]) precomputed(m *Expansion[T]) error {
	m.c.N = m.d
	order := core.Some(nil, 0, len(l.a))
	slices.SortFunc(order, func(p, q int) int { return cmp.Compare(l.support[p], l.support[q]) })
	m.c.Support = make([]int, len(order))
	for to, p := range order {
		m.c.Support[to], m.c.A.Row(to)[0] = l.support[p], l.a[p]
		if to > 0 && m.c.Support[to] == m.c.Support[to-1] {
			return fmt.Errorf("kernel: LIBSVM model: example %d is a support vector twice", m.c.Support[to]+1)
		}
	}
	return nil
}
