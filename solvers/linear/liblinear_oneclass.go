package linear

import (
	"bufio"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/internal/svmtext"
	"github.com/dualgap/dualgap/vec"
)

// WriteLIBLINEAROneClass writes one output of the model as LIBLINEAR's text of one class, for the liblinear-predict of
// version 2.40 and later: it predicts 1 where the score is above 0, -1 elsewhere. The text's rho is minus the offset.
// Numbers are as with [Model.WriteLIBLINEAR].
func (m *Model[T]) WriteLIBLINEAROneClass(w io.Writer, output int) error {
	if output < 0 || output >= m.w.Cols {
		return fmt.Errorf("linear: output %d of a model of %d outputs", output, m.w.Cols)
	}
	rho := 0.0
	if bias := m.Bias(); bias != nil {
		rho = 0 - float64(bias[output])
	}
	if rho-rho != 0 {
		return fmt.Errorf("linear: the offset of output %d is %v, want a finite number", output, 0-rho)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "solver_type %v\nnr_class 2\nnr_feature %d\nbias -1\nrho %s\nw\n", OneClassSVM, m.d,
		svmtext.AppendFloat(nil, rho))
	bare := &Model[T]{w: m.Weights(), d: m.d}
	return bare.writeWeights(out, 1, 1, func(row []T, _ int) float64 { return float64(row[output]) })
}

// ReadLIBLINEAROneClass reads a model of LIBLINEAR's ONECLASS_SVM, as WriteLIBLINEAROneClass or liblinear-train -s 21
// wrote it. It has one output, whose offset is minus rho, and with a bias, which liblinear-train refuses and
// liblinear-predict takes, that times its weight more. liblinear-predict predicts 1, inside, where the score is above
// 0, and -1 elsewhere. Errors and memory are as for [ReadLIBLINEAR].
func ReadLIBLINEAROneClass[T vec.Float](r io.Reader) (*Model[T], error) {
	l := newLIBLINEAR(r)
	l.one = true
	if err := l.header(); err != nil {
		return nil, err
	}
	data, rows, err := weights[T](l, 1)
	if err != nil {
		return nil, err
	}
	offset := 0 - l.rho
	if rows > l.features {
		offset += float64(l.bias * float64(data[l.features]))
	}
	if t := T(offset); t-t != 0 {
		return nil, fmt.Errorf("linear: LIBLINEAR model: the offset by rho %v and bias %v is beyond %T", l.rho, l.bias,
			t)
	}
	return New(vec.MatrixOf(l.features, 1, data[:l.features]), []T{T(offset)}, nil)
}
