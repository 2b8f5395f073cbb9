package linear

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/dualgap/dualgap/vec"
)

// ReadLIBLINEAR reads a model of LIBLINEAR's classifiers, trained by whatever solver, and the label of each class;
// classes go as the file's columns do. Where it has one column for two classes, the first of them class 1, the other is
// a column of zeros, class 0: so the model predicts what liblinear-predict does. Regression has no classes and is an
// error, as is whatever is not such a model; errors name the line and what stands there. Memory is taken as numbers
// come, not as the header promises.
func ReadLIBLINEAR[T vec.Float](r io.Reader) (*Model[T], []int, error) {
	l := liblinear{in: bufio.NewReaderSize(r, 1<<16), line: 1, bias: -1}
	if err := l.header(); err != nil {
		return nil, nil, err
	}
	columns, rows := l.classes, l.features
	if l.classes == 2 && l.solver != "MCSVM_CS" {
		columns = 1
	}
	if l.bias >= 0 {
		rows++
	}
	data, err := weights[T](&l, rows, columns)
	if err != nil {
		return nil, nil, err
	}
	if token, err := l.token(); err == nil {
		return nil, nil, l.errorf("%q after the last of %d-by-%d weights", token, rows, columns)
	} else if !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if columns == 1 {
		both := make([]T, 2*len(data))
		for i, v := range data {
			both[2*i+1] = v
		}
		data, l.labels[0], l.labels[1] = both, l.labels[1], l.labels[0]
	}
	bias := T(max(l.bias, 0))
	if float64(bias) != max(l.bias, 0) && (bias == 0 || math.IsInf(float64(bias), 0)) {
		return nil, nil, fmt.Errorf("linear: LIBLINEAR model: bias %v is beyond %T", l.bias, bias)
	}
	if l.bias == 0 { // a feature that is always 0
		rows--
		data = data[:rows*l.classes]
	}
	m, err := WithConstant(vec.MatrixOf(rows, l.classes, data), bias, nil)
	return m, l.labels, err
}

// liblinear is a model's text as far as it has been read.
type liblinear struct {
	in   *bufio.Reader
	line int // from 1, of the last token
	next int // line ends after that
	last []byte

	solver            string
	classes, features int
	bias              float64
	labels            []int
}

func (l *liblinear) errorf(format string, args ...any) error {
	return fmt.Errorf("linear: LIBLINEAR model, line %d: %w", l.line, fmt.Errorf(format, args...))
}

// solvers of LIBLINEAR that tell classes apart.
var liblinearSolvers = map[string]bool{
	"L2R_LR": true, "L2R_L2LOSS_SVC_DUAL": true, "L2R_L2LOSS_SVC": true, "L2R_L1LOSS_SVC_DUAL": true, "MCSVM_CS": true,
	"L1R_L2LOSS_SVC": true, "L1R_LR": true, "L2R_LR_DUAL": true,
}

// header reads up to the line "w".
func (l *liblinear) header() error {
	for {
		key, err := l.need("a line of the header")
		if err != nil {
			return err
		}
		switch key {
		case "solver_type":
			if l.solver, err = l.need("a solver"); err == nil && !liblinearSolvers[l.solver] {
				err = l.errorf("solver_type %q, need a classifier such as MCSVM_CS", l.solver)
			}
		case "nr_class":
			l.classes, err = l.integer(key, 2)
		case "nr_feature":
			l.features, err = l.integer(key, 1)
		case "bias":
			l.bias, err = l.number(key)
		case "label":
			err = l.readLabels()
		case "w":
			return l.complete()
		default:
			err = l.errorf("%q, need solver_type, nr_class, label, nr_feature, bias or w", key)
		}
		if err != nil {
			return err
		}
	}
}

func (l *liblinear) readLabels() error {
	if l.classes == 0 || l.labels != nil {
		return l.errorf("label, need it once, and after nr_class")
	}
	for range l.classes {
		token, err := l.need("a label")
		if err != nil {
			return err
		}
		v, err := strconv.ParseInt(token, 10, 32)
		if err != nil {
			return l.errorf("label %q, need an integer of 32 bits", token)
		}
		l.labels = append(l.labels, int(v))
	}
	if err := checkLabels(l.labels); err != nil {
		return l.errorf("%w", err)
	}
	return nil
}

// complete returns an error unless the header says all that the weights need, and can be.
func (l *liblinear) complete() error {
	switch {
	case l.solver == "":
		return l.errorf("weights before solver_type")
	case len(l.labels) == 0 || len(l.labels) != l.classes:
		return l.errorf("weights with nr_class %d and %d labels", l.classes, len(l.labels))
	case l.features == 0:
		return l.errorf("weights before nr_feature")
	case l.classes > (math.MaxInt/16)/(l.features+1):
		return l.errorf("%d classes of %d features are beyond this machine's memory", l.classes, l.features)
	}
	return nil
}

func (l *liblinear) integer(name string, least int) (int, error) {
	token, err := l.need(name)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseInt(token, 10, 32)
	if err != nil || v < int64(least) || v == math.MaxInt32 {
		return 0, l.errorf("%s %q, need an integer from %d to %d", name, token, least, math.MaxInt32-1)
	}
	return int(v), nil
}

func (l *liblinear) number(name string) (float64, error) {
	token, err := l.need(name)
	if err != nil {
		return 0, err
	}
	v, err := strconv.ParseFloat(token, 64)
	if err != nil || v-v != 0 {
		return 0, l.errorf("%s %q, need a finite number", name, token)
	}
	return v, nil
}

// weights reads rows-by-columns numbers.
func weights[T vec.Float](l *liblinear, rows, columns int) ([]T, error) {
	data := make([]T, 0, min(rows*columns, 1<<12))
	for range rows * columns {
		v, err := l.number("weight")
		if err != nil {
			return nil, err
		}
		if t := T(v); t-t != 0 {
			return nil, l.errorf("weight %v is beyond %T", v, t)
		}
		data = append(data, T(v))
	}
	return data, nil
}

// need is token where the text may not end.
func (l *liblinear) need(what string) (string, error) {
	token, err := l.token()
	if errors.Is(err, io.EOF) {
		return "", l.errorf("the text ends, need %s", what)
	}
	return token, err
}

// token returns what stands before the next blank. No token of a model is longer than most.
func (l *liblinear) token() (string, error) {
	const most = 400 // digits of the longest float64 written out
	l.line, l.next, l.last = l.line+l.next, 0, l.last[:0]
	for {
		b, err := l.in.ReadByte()
		switch {
		case errors.Is(err, io.EOF) && len(l.last) > 0:
			return string(l.last), nil
		case err != nil:
			return "", fmt.Errorf("linear: LIBLINEAR model, line %d: %w", l.line, err)
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			if b == '\n' {
				l.next++
			}
			if len(l.last) > 0 {
				return string(l.last), nil
			}
			l.line, l.next = l.line+l.next, 0
		case len(l.last) == most:
			return "", l.errorf("%q... goes on for more than %d characters", l.last[:40], most)
		default:
			l.last = append(l.last, b)
		}
	}
}
