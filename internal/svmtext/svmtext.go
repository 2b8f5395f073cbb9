// Package svmtext reads the words of LIBSVM's and LIBLINEAR's models, which are texts of lines such as "nr_class 2":
// what the readers of both have in common.
package svmtext

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Reader reads a text word by word.
type Reader struct {
	in   *bufio.Reader
	name string
	line int // from 1, of the last word
	next int // line ends after that
	last []byte
}

// NewReader returns a Reader whose errors begin with the name, such as "linear: LIBLINEAR model".
func NewReader(r io.Reader, name string) *Reader {
	if r == nil {
		r = none{}
	}
	return &Reader{in: bufio.NewReaderSize(r, 1<<16), name: name, line: 1}
}

// none is what a nil reader is read as.
type none struct{}

func (none) Read([]byte) (int, error) { return 0, errors.New("the reader is nil") }

// Line is the number of the line of the last word, from 1.
func (r *Reader) Line() int { return r.line }

// Errorf is an error that names the line of the last word.
func (r *Reader) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %w", r.name, r.line, fmt.Errorf(format, args...))
}

// Word returns what stands before the next blank, io.EOF at the end of the text. No word of a model is longer than
// most.
func (r *Reader) Word() (string, error) {
	const most = 400 // digits of the longest float64 written out, and an index
	r.line, r.next, r.last = r.line+r.next, 0, r.last[:0]
	for {
		b, err := r.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && len(r.last) > 0:
			return string(r.last), nil
		case errors.Is(err, io.EOF):
			return "", io.EOF
		case err != nil:
			return "", r.Errorf("%w", err)
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			if b == '\n' {
				r.next++
			}
			if len(r.last) > 0 {
				return string(r.last), nil
			}
			r.line, r.next = r.line+r.next, 0
		case len(r.last) == most:
			return "", r.Errorf("%q... goes on for more than %d characters", r.last[:40], most)
		default:
			r.last = append(r.last, b)
		}
	}
}

// Need is Word where the text may not end.
func (r *Reader) Need(what string) (string, error) {
	word, err := r.Word()
	if err == io.EOF {
		return "", r.Errorf("the text ends, want %s", what)
	}
	return word, err
}

// Int reads an integer of at least least and below 2^31-1.
func (r *Reader) Int(name string, least int) (int, error) {
	word, err := r.Need(name)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseInt(word, 10, 32)
	if err != nil || v < int64(least) || v == math.MaxInt32 {
		return 0, r.Errorf("%s %q, want an integer from %d to %d", name, word, least, math.MaxInt32-1)
	}
	return int(v), nil
}

// Float reads a finite number.
func (r *Reader) Float(name string) (float64, error) {
	word, err := r.Need(name)
	if err != nil {
		return 0, err
	}
	return r.Number(name, word)
}

// Number is the finite number that the word, or a part of it, stands for.
func (r *Reader) Number(name, word string) (float64, error) {
	v, err := strconv.ParseFloat(word, 64)
	if err != nil || v-v != 0 {
		return 0, r.Errorf("%s %q, want a finite number", name, word)
	}
	return v, nil
}

// Labels reads the labels of a number of classes.
func (r *Reader) Labels(classes int) (labels []int, err error) {
	for range classes {
		word, err := r.Need("a label")
		if err != nil {
			return nil, err
		}
		v, err := strconv.ParseInt(word, 10, 32)
		if err != nil {
			return nil, r.Errorf("label %q, want an integer of 32 bits", word)
		}
		labels = append(labels, int(v))
	}
	if err := CheckLabels(labels); err != nil {
		return nil, r.Errorf("%w", err)
	}
	return labels, nil
}

// CheckLabels returns an error if a label stands for two classes or does not fit C's int.
func CheckLabels(labels []int) error {
	class := make(map[int]int, len(labels))
	for c, label := range labels {
		if int64(label) != int64(int32(label)) {
			return fmt.Errorf("label %d of class %d does not fit 32 bits", label, c)
		}
		if first, twice := class[label]; twice {
			return fmt.Errorf("label %d stands for the classes %d and %d", label, first, c)
		}
		class[label] = c
	}
	return nil
}

// AppendFloat appends the fewest digits, 17 at most, that give the same float64 back.
func AppendFloat(b []byte, v float64) []byte { return strconv.AppendFloat(b, v, 'g', -1, 64) }
