package dataset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// setLabels takes the labels of sets as they come. It holds each spelling once, in names, whose labels are the classes.
type setLabels struct {
	names    *textLabels
	spelling map[string]int32 // its number in names
	all      []int32          // the spellings of all sets, one set after the other
	ends     []int            // of each set in all
}

func newSetLabels(classes []string) (*setLabels, error) {
	names, err := newTextLabels(classes)
	if err != nil {
		return nil, err
	}
	return &setLabels{names: names, spelling: map[string]int32{}}, nil
}

// add takes a label for the set at hand if it is one of the given classes, or none were given, and reports whether it
// did.
func (l *setLabels) add(s []byte) bool {
	k, known := l.spelling[string(s)]
	if !known {
		name := string(s)
		if !l.names.add(name) {
			return false
		}
		k = int32(len(l.names.y) - 1)
		l.spelling[name] = k
	}
	l.all = append(l.all, k)
	return true
}

// next ends the set at hand.
func (l *setLabels) next() { l.ends = append(l.ends, len(l.all)) }

// take returns the sets as classes.
func (l *setLabels) take() Labels {
	names := l.names.labels()
	classes := make([]int, len(l.all))
	for p, k := range l.all {
		classes[p] = names.Y[k]
	}
	sets, from := make([][]int, len(l.ends)), 0
	for i, to := range l.ends {
		set := classes[from:to:to]
		slices.Sort(set)
		sets[i] = slices.Clip(slices.Compact(set))
		from = to
	}
	return Labels{Classes: names.Classes, Sets: sets}
}

// labelSet takes the labels of a line, whose first word is the token, and returns what comes then.
func (p *libsvmParser[T]) labelSet() (kind, error) {
	defer p.sets.next()
	if bytes.IndexByte(p.token, ':') >= 0 {
		return word, nil // the first field: there is no label
	}
	for from := 0; from <= len(p.token); {
		to := len(p.token)
		if n := bytes.IndexByte(p.token[from:], ','); n >= 0 {
			to = from + n
		}
		switch label := p.token[from:to]; {
		case len(label) == 0:
			return word, p.expected("a label at each side of a comma", from)
		case p.sets.add(label):
		case p.o.DropUnseen:
			p.droppedSet++
		default:
			return word, p.expected("a label, "+oneOf(p.o.Classes), from)
		}
		from = to + 1
	}
	return p.next(), nil
}

// appendSet appends the names of example i's classes.
func (l *Labels) appendSet(b []byte, i int) []byte {
	for p, k := range l.Sets[i] {
		name := l.Classes[k]
		if i == 0 && p == 0 && (name[0] < '!' || name[0] > '~') {
			b = append(b, ' ') // a file must not begin like one of gzip, or with a byte order mark
		} else if p > 0 {
			b = append(b, ',')
		}
		b = append(b, name...)
	}
	return b
}

// checkSets returns an error unless the sets fit n examples and can be written and read back.
func (l *Labels) checkSets(n int) error {
	if len(l.Sets) != n || l.Y != nil || l.Values != nil {
		return fmt.Errorf("dataset: %d label sets, %d classes and %d label values for %d examples, want sets alone",
			len(l.Sets), len(l.Y), len(l.Values), n)
	}
	for k, name := range l.Classes {
		if name == "" || strings.ContainsAny(name, " \t\r\v\f\n#,:") {
			return fmt.Errorf("dataset: class %d, %q, would not be read back: empty, or a blank, a comma, a colon or #",
				k, name)
		}
	}
	for i, set := range l.Sets {
		last, size := -1, 0
		for _, k := range set {
			if k < 0 || k >= len(l.Classes) {
				return fmt.Errorf("dataset: class %d of example %d, want one in 0..%d", k, i, len(l.Classes)-1)
			}
			if k <= last {
				return fmt.Errorf("dataset: class %d of example %d after class %d, want ascending ones", k, i, last)
			}
			last, size = k, size+len(l.Classes[k])+1
		}
		if size >= window {
			return fmt.Errorf("dataset: the names of the classes of example %d take %d bytes, want less than %d",
				i, size, window)
		}
	}
	return nil
}
