package kernel

import (
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/internal/svmtext"
	"github.com/dualgap/dualgap/vec"
)

// ReadLIBSVM reads a model of LIBSVM's c_svc of two classes, as WriteLIBSVM or svm-train wrote it, or of nu_svc.
// svm-predict predicts labels[0] where the score of the model, which has one output, is above rho, and labels[1]
// elsewhere. features is the number of features, of a precomputed kernel the number of training examples; 0: the
// largest that the text names.
//
// The text does not say which of the training examples the support vectors are: they are the only ones, in its order.
// Of a precomputed kernel it does. Other models, more classes, and kernels that are none here, the sigmoid among them,
// are errors, which name the line and what stands there. Memory is taken as numbers come, not as the header promises.
func ReadLIBSVM[T vec.Float](r io.Reader, features int) (m *Expansion[T], labels [2]int, rho float64, err error) {
	if features < 0 {
		return nil, labels, 0, fmt.Errorf("kernel: a LIBSVM model of %d features, want at least 0", features)
	}
	l := libsvm[T]{kind: "c_svc"}
	if m, err = l.read(r, features); err != nil {
		return nil, labels, 0, err
	}
	return m, [2]int(l.labels), l.rho, nil
}

// ReadLIBSVMRegression reads a model of LIBSVM's epsilon_svr, as WriteLIBSVMRegression or svm-train wrote it, or of
// nu_svr. svm-predict predicts the score of the model, which has one output, less rho. All else is as for [ReadLIBSVM].
func ReadLIBSVMRegression[T vec.Float](r io.Reader, features int) (m *Expansion[T], rho float64, err error) {
	return readWithoutLabels[T](r, features, "epsilon_svr")
}

// ReadLIBSVMOneClass reads a model of LIBSVM's one_class, as WriteLIBSVMOneClass or svm-train wrote it. svm-predict
// predicts 1, inside, where the score of the model, which has one output, is above rho, and -1 elsewhere. All else is
// as for [ReadLIBSVM].
func ReadLIBSVMOneClass[T vec.Float](r io.Reader, features int) (m *Expansion[T], rho float64, err error) {
	return readWithoutLabels[T](r, features, "one_class")
}

// readWithoutLabels reads a model of a kind whose text has no labels.
func readWithoutLabels[T vec.Float](r io.Reader, features int, kind string) (m *Expansion[T], rho float64,
	err error) {
	if features < 0 {
		return nil, 0, fmt.Errorf("kernel: a LIBSVM model of %d features, want at least 0", features)
	}
	l := libsvm[T]{kind: kind}
	if m, err = l.read(r, features); err != nil {
		return nil, 0, err
	}
	return m, l.rho, nil
}

// read reads a model of the kind of l.
func (l *libsvm[T]) read(r io.Reader, features int) (m *Expansion[T], err error) {
	l.Reader, l.total, l.counts, l.rho = svmtext.NewReader(r, "kernel: LIBSVM model"), -1, -1, math.NaN()
	l.features = features
	if err := l.header(); err != nil {
		return nil, err
	}
	k, err := l.kernel()
	if err == nil {
		err = l.supportVectors(k == nil)
	}
	if err != nil {
		return nil, err
	}
	return l.expansion(k)
}

// unlabeled reports whether the text has no labels and counts: of regression and of one class.
func (l *libsvm[T]) unlabeled() bool { return l.kind != "c_svc" }

// byNu are the kinds of models that differ in the parameter of their training alone.
var byNu = map[string]string{"c_svc": "nu_svc", "epsilon_svr": "nu_svr"}

// marks is the number of the scores by which newer versions of LIBSVM have probabilities of one class.
const marks = 10

// libsvm is a model's text as far as it has been read.
type libsvm[T vec.Float] struct {
	*svmtext.Reader
	kind     string // c_svc, epsilon_svr or one_class
	features int    // as asked for

	svm, form     string
	degree        int
	gamma, offset float64
	classes       int
	total, counts int // total_sv, and the sum of nr_sv
	rho           float64
	labels        []int

	a       []T // coefficients
	x       sparseRows[T]
	support []int // of a precomputed kernel
	largest int   // number of a feature, or of a training example, from 1
	last    int   // number of a feature of the support vector at hand
}

// header reads up to the line "SV".
func (l *libsvm[T]) header() error {
	for {
		key, err := l.Need("a line of the header")
		if err != nil {
			return err
		}
		switch key {
		case "svm_type":
			if l.svm, err = l.Need(key); err == nil && l.svm != l.kind && l.svm != byNu[l.kind] {
				err = l.Errorf("svm_type %q, want %s", l.svm, l.kind)
			}
		case "kernel_type":
			l.form, err = l.Need(key)
		case "degree":
			l.degree, err = l.Int(key, 1)
		case "gamma":
			l.gamma, err = l.Float(key)
		case "coef0":
			l.offset, err = l.Float(key)
		case "nr_class":
			if l.classes, err = l.Int(key, 1); err == nil && l.classes != 2 {
				err = l.Errorf("nr_class %d, want 2: models of more are one against one", l.classes)
			}
		case "total_sv":
			l.total, err = l.Int(key, 0)
		case "rho":
			l.rho, err = l.Float(key)
		case "probA", "probB": // of probabilities, which do not change the labels
			_, err = l.Float(key)
		case "prob_density_marks": // of probabilities, too
			for k := 0; k < marks && err == nil; k++ {
				_, err = l.Float(key)
			}
		case "label":
			l.labels, err = l.Labels(2)
		case "nr_sv":
			var above, below int
			if above, err = l.Int(key, 0); err == nil {
				below, err = l.Int(key, 0)
			}
			if err == nil && above > math.MaxInt32-1-below {
				err = l.Errorf("nr_sv %d and %d, want %d at most", above, below, math.MaxInt32-1)
			}
			l.counts = above + below
		case "SV":
			return l.complete()
		default:
			err = l.Errorf("%q, want a line of a %s model's header, such as total_sv, or SV", key, l.kind)
		}
		if err != nil {
			return err
		}
	}
}

// complete returns an error unless the header says all that is needed.
func (l *libsvm[T]) complete() error {
	switch {
	case l.svm == "" || l.form == "" || l.classes == 0 || math.IsNaN(l.rho) ||
		l.labels == nil && !l.unlabeled():
		return l.Errorf("SV before svm_type, kernel_type, nr_class, label or rho")
	case l.unlabeled() && (l.labels != nil || l.counts >= 0):
		return l.Errorf("SV of %s with label or nr_sv", l.svm)
	case l.unlabeled():
		l.counts = l.total
	}
	switch {
	case l.total < 0 || l.counts != l.total:
		return l.Errorf("SV with total_sv %d and nr_sv of %d in all", l.total, l.counts)
	}
	return nil
}

// kernel returns the kernel of the header, nil for a precomputed one.
func (l *libsvm[T]) kernel() (k Kernel, err error) {
	switch l.form {
	case "precomputed":
		return nil, nil
	case "linear":
		return Linear{}, nil
	case "polynomial":
		if l.gamma <= 0 {
			return nil, l.Errorf("gamma %v of a polynomial, want a number above 0", l.gamma)
		}
		k = Polynomial{Degree: l.degree, Scale: l.gamma, Offset: l.offset}
	case "rbf":
		k = Gaussian{Gamma: l.gamma}
	default:
		return nil, l.Errorf("kernel_type %q, want linear, polynomial, rbf or precomputed", l.form)
	}
	if err := k.Validate(); err != nil {
		return nil, l.Errorf("%w", err)
	}
	return k, nil
}
