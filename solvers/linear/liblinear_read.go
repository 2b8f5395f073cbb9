package linear

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/internal/svmtext"
	"github.com/dualgap/dualgap/vec"
)

// ReadLIBLINEAR reads a model of LIBLINEAR's classifiers or of its regression, trained by whatever solver but the one
// of one class, and the label of each class. A model of regression has one output, the number, and nil labels.
// Otherwise classes go as the file's columns do. Of two classes the first label is class 1's, since LIBLINEAR decides
// by the first column alone, and takes the second label where its score is 0: the other, class 0, is a column of zeros,
// and of MCSVM_CS, which has two columns, the first one with other signs. So the model predicts what liblinear-predict
// does. Whatever is not such a model is an error, which names the line and what stands there. Memory is taken as
// numbers come, not as the header promises.
func ReadLIBLINEAR[T vec.Float](r io.Reader) (*Model[T], []int, error) {
	l := liblinear{Reader: svmtext.NewReader(r, "linear: LIBLINEAR model"), bias: -1}
	if err := l.header(); err != nil {
		return nil, nil, err
	}
	columns, rows := l.classes, l.features
	if l.regression() {
		l.classes = 1
	}
	if columns == 2 && l.solver != MCSVMCS.String() {
		columns = 1
	}
	if l.bias >= 0 {
		rows++
	}
	data, err := weights[T](&l, rows, columns)
	if err != nil {
		return nil, nil, err
	}
	if word, err := l.Word(); err == nil {
		return nil, nil, l.Errorf("%q after the last of %d-by-%d weights", word, rows, columns)
	} else if !errors.Is(err, io.EOF) {
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
	return m, l.labels, err
}

// liblinear is a model's text as far as it has been read.
type liblinear struct {
	*svmtext.Reader

	solver            string
	classes, features int
	bias              float64
	labels            []int
}

// solvers of LIBLINEAR that tell classes apart.
var liblinearSolvers = map[string]bool{
	"L2R_LR": true, "L2R_L2LOSS_SVC_DUAL": true, "L2R_L2LOSS_SVC": true, "L2R_L1LOSS_SVC_DUAL": true, "MCSVM_CS": true,
	"L1R_L2LOSS_SVC": true, "L1R_LR": true, "L2R_LR_DUAL": true,
}

// solvers of LIBLINEAR that predict numbers.
var liblinearRegression = map[string]bool{
	L2RL2LossSVR.String(): true, L2RL2LossSVRDual.String(): true, L2RL1LossSVRDual.String(): true,
}

// regression reports whether the model predicts numbers.
func (l *liblinear) regression() bool { return liblinearRegression[l.solver] }

// header reads up to the line "w".
func (l *liblinear) header() error {
	for {
		key, err := l.Need("a line of the header")
		if err != nil {
			return err
		}
		switch key {
		case "solver_type":
			if l.solver, err = l.Need("a solver"); err == nil && !liblinearSolvers[l.solver] && !l.regression() {
				err = l.Errorf("solver_type %q, want a classifier such as MCSVM_CS, or regression", l.solver)
			}
		case "nr_class":
			l.classes, err = l.Int(key, 2)
		case "nr_feature":
			l.features, err = l.Int(key, 1)
		case "bias":
			l.bias, err = l.Float(key)
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

// complete returns an error unless the header says all that the weights need, and can be.
func (l *liblinear) complete() error {
	switch {
	case l.solver == "":
		return l.Errorf("weights before solver_type")
	case l.regression() && (l.classes != 2 || l.labels != nil):
		return l.Errorf("weights of regression with nr_class %d and %d labels, want 2 and none", l.classes,
			len(l.labels))
	case !l.regression() && (len(l.labels) == 0 || len(l.labels) != l.classes):
		return l.Errorf("weights with nr_class %d and %d labels", l.classes, len(l.labels))
	case l.features == 0:
		return l.Errorf("weights before nr_feature")
	case l.classes > (math.MaxInt/16)/(l.features+1):
		return l.Errorf("%d classes of %d features are beyond this machine's memory", l.classes, l.features)
	}
	return nil
}

// weights reads rows-by-columns numbers.
func weights[T vec.Float](l *liblinear, rows, columns int) ([]T, error) {
	data := make([]T, 0, min(rows*columns, 1<<12))
	for range rows * columns {
		v, err := l.Float("weight")
		if err != nil {
			return nil, err
		}
		if t := T(v); t-t != 0 {
			return nil, l.Errorf("weight %v is beyond %T", v, t)
		}
		data = append(data, T(v))
	}
	return data, nil
}
