package linear

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/internal/svmtext"
	"github.com/dualgap/dualgap/vec"
)

// ReadLIBLINEAR reads a model of LIBLINEAR's classifiers or of its regression, and the label of each class;
// [ReadLIBLINEAROneClass] reads the others. A model of regression has one output, the number, and nil labels.
// Otherwise classes go as the file's columns do. Of two classes the first label is class 1's, since LIBLINEAR decides
// by the first column alone, and takes the second label where its score is 0: the other, class 0, is a column of zeros,
// and of MCSVM_CS, which has two columns, the first one with other signs. So the model predicts what liblinear-predict
// does. Its note NoteSolver has the name of the solver. Whatever is not such a model is an error, which names the line
// and what stands there. Memory is taken as numbers come, not as the header promises.
func ReadLIBLINEAR[T vec.Float](r io.Reader) (*Model[T], []int, error) {
	l := newLIBLINEAR(r)
	if err := l.header(); err != nil {
		return nil, nil, err
	}
	columns := l.classes
	if l.solver.task() == regression {
		l.classes = 1
	}
	if columns == 2 && l.solver != MCSVMCS {
		columns = 1
	}
	data, rows, err := weights[T](l, columns)
	if err != nil {
		return nil, nil, err
	}
	if l.classes == 2 {
		both := make([]T, 2*rows)
		for j := range rows {
			v := data[j*columns]
			both[2*j+1] = v
			if columns == 2 {
				both[2*j] = -v
			}
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
	if err != nil {
		return nil, nil, err
	}
	return m.WithNotes(map[string]string{NoteSolver: l.solver.String()}), l.labels, nil
}

// liblinear is a model's text as far as it has been read.
type liblinear struct {
	*svmtext.Reader
	one bool // a model of one class is wanted

	named             bool // a solver
	solver            SolverType
	classes, features int
	bias, rho         float64 // rho is NaN where there is none
	labels            []int
}

func newLIBLINEAR(r io.Reader) *liblinear {
	return &liblinear{Reader: svmtext.NewReader(r, "linear: LIBLINEAR model"), bias: -1, rho: math.NaN()}
}

// header reads up to the line "w".
func (l *liblinear) header() error {
	for {
		key, err := l.Need("a line of the header")
		if err != nil {
			return err
		}
		switch key {
		case "solver_type":
			err = l.readSolver()
		case "nr_class":
			l.classes, err = l.Int(key, 2)
		case "nr_feature":
			l.features, err = l.Int(key, 1)
		case "bias":
			l.bias, err = l.Float(key)
		case "rho":
			l.rho, err = l.Float(key)
		case "label":
			if l.classes == 0 || l.labels != nil {
				return l.Errorf("label, want it once, and after nr_class")
			}
			l.labels, err = l.Labels(l.classes)
		case "w":
			return l.complete()
		default:
			err = l.Errorf("%q, want solver_type, nr_class, label, nr_feature, bias or w", key)
		}
		if err != nil {
			return err
		}
	}
}

// readSolver reads the name of a solver whose models are wanted.
func (l *liblinear) readSolver() error {
	name, err := l.Need("a solver")
	if err != nil {
		return err
	}
	solver, known := ParseSolver(name)
	switch {
	case l.one && solver != OneClassSVM:
		return l.Errorf("solver_type %q, want %v", name, OneClassSVM)
	case !l.one && (!known || solver == OneClassSVM):
		return l.Errorf("solver_type %q, want a classifier such as MCSVM_CS, or regression", name)
	}
	l.solver, l.named = solver, true
	return nil
}

// complete returns an error unless the header says all that the weights need, and can be.
func (l *liblinear) complete() error {
	switch {
	case !l.named:
		return l.Errorf("weights before solver_type")
	case l.solver.task() != classification && (l.classes != 2 || l.labels != nil):
		return l.Errorf("weights of %s with nr_class %d and %d labels, want 2 and none", l.solver.task(), l.classes,
			len(l.labels))
	case l.one == math.IsNaN(l.rho):
		return l.Errorf("weights of %s with rho %v, which is for %v alone", l.solver.task(), l.rho, OneClassSVM)
	case l.solver.task() == classification && (len(l.labels) == 0 || len(l.labels) != l.classes):
		return l.Errorf("weights with nr_class %d and %d labels", l.classes, len(l.labels))
	case l.features == 0:
		return l.Errorf("weights before nr_feature")
	case l.classes > (math.MaxInt/16)/(l.features+1):
		return l.Errorf("%d classes of %d features are beyond this machine's memory", l.classes, l.features)
	}
	return nil
}

// weights reads the rows of the features, and of a constant one where there is a bias, and the end of the text.
func weights[T vec.Float](l *liblinear, columns int) (data []T, rows int, err error) {
	rows = l.features
	if l.bias >= 0 {
		rows++
	}
	data = make([]T, 0, min(rows*columns, 1<<12))
	for range rows * columns {
		v, err := l.Float("weight")
		if err != nil {
			return nil, 0, err
		}
		if t := T(v); t-t != 0 {
			return nil, 0, l.Errorf("weight %v is beyond %T", v, t)
		}
		data = append(data, T(v))
	}
	if word, err := l.Word(); err == nil {
		return nil, 0, l.Errorf("%q after the last of %d-by-%d weights", word, rows, columns)
	} else if !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	return data, rows, nil
}
