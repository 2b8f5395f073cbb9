package kernel

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/dualgap/dualgap/internal/svmtext"
	"github.com/dualgap/dualgap/vec"
)

// WriteLIBSVM writes one output of the model as LIBSVM's text of two classes, a c_svc model, for svm-predict and all
// that read its models: labels[0] is predicted where the score is above 0, labels[1] elsewhere. A model of several
// outputs becomes as many texts; LIBSVM's own of several classes are one against one.
//
// The support vectors are those whose coefficient for the output is not 0, the positive ones first; rho is minus what
// the offset, and a Constant in a Sum with one other kernel, add to each score. Numbers have the fewest digits, 17 at
// most, that give the same float64 back. LIBSVM's kernels are Linear, Polynomial, Gaussian and precomputed ones; others
// are an error. Of a precomputed kernel the text has the numbers of the training examples, from 1, and svm-predict
// takes for each example the values with all of them: 0:1 1:K(x, x_1) 2:K(x, x_2) ...
func (m *Expansion[T]) WriteLIBSVM(w io.Writer, output int, labels [2]int) error {
	if m.c.A.Cols == 0 {
		return errZero
	}
	if output < 0 || output >= m.c.A.Cols {
		return fmt.Errorf("kernel: output %d of a model of %d outputs", output, m.c.A.Cols)
	}
	if err := svmtext.CheckLabels(labels[:]); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	return m.writeLIBSVM(w, output, "c_svc", func(rho float64, above, below int) string {
		return fmt.Sprintf("total_sv %d\nrho %s\nlabel %d %d\nnr_sv %d %d\n", above+below,
			svmtext.AppendFloat(nil, rho), labels[0], labels[1], above, below)
	})
}

// WriteLIBSVMRegression writes one output of the model as LIBSVM's text of regression, an epsilon_svr model, for
// svm-predict and all that read its models: the number that is predicted is the score less rho. Support vectors and
// kernels are as for [Expansion.WriteLIBSVM]; what a Constant adds to each score is a part of the text's rho.
func (m *Expansion[T]) WriteLIBSVMRegression(w io.Writer, output int, rho float64) error {
	if m.c.A.Cols == 0 {
		return errZero
	}
	if output < 0 || output >= m.c.A.Cols {
		return fmt.Errorf("kernel: output %d of a model of %d outputs", output, m.c.A.Cols)
	}
	if rho-rho != 0 {
		return fmt.Errorf("kernel: rho = %v, want a finite number", rho)
	}
	return m.writeLIBSVM(w, output, "epsilon_svr", withoutLabels(rho))
}

// WriteLIBSVMOneClass writes one output of the model as LIBSVM's text of one class, a one_class model, for svm-predict
// and all that read its models: 1 is predicted where the score is above 0, -1 elsewhere. Support vectors, kernels and
// rho are as for [Expansion.WriteLIBSVM].
func (m *Expansion[T]) WriteLIBSVMOneClass(w io.Writer, output int) error {
	if m.c.A.Cols == 0 {
		return errZero
	}
	if output < 0 || output >= m.c.A.Cols {
		return fmt.Errorf("kernel: output %d of a model of %d outputs", output, m.c.A.Cols)
	}
	return m.writeLIBSVM(w, output, "one_class", withoutLabels(0))
}

// withoutLabels returns the end of the header of texts without labels, for a model whose score is less rho.
func withoutLabels(rho float64) func(own float64, above, below int) string {
	return func(own float64, above, below int) string {
		return fmt.Sprintf("total_sv %d\nrho %s\n", above+below, svmtext.AppendFloat(nil, own+rho))
	}
}

// writeLIBSVM writes the text of a kind of model. rest is what its header has behind nr_class, for its rho and its
// numbers of coefficients above and below 0.
func (m *Expansion[T]) writeLIBSVM(w io.Writer, output int, kind string, rest func(rho float64, above,
	below int) string) error {
	of, constant := apart(m.k)
	kernel, err := libsvmKernel(of)
	if err != nil {
		return err
	}
	var places [2][]int // of coefficients above 0, and below
	offset := 0.0
	if m.bias != nil {
		offset = float64(m.bias[output])
	}
	for p := range m.c.Support {
		offset += constant * float64(m.c.A.Row(p)[output])
		switch v := m.c.A.Row(p)[output]; {
		case v > 0:
			places[0] = append(places[0], p)
		case v < 0:
			places[1] = append(places[1], p)
		}
	}
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "svm_type %s\nkernel_type %snr_class 2\n%sSV\n", kind, kernel,
		rest(0-offset, len(places[0]), len(places[1])))
	var line []byte
	var row sparseRow[T]
	for _, p := range append(places[0], places[1]...) {
		line = append(svmtext.AppendFloat(line[:0], float64(m.c.A.Row(p)[output])), ' ')
		switch v := m.vectors.(type) {
		case nil:
			line = append(strconv.AppendInt(append(line, "0:"...), int64(m.c.Support[p])+1, 10), ' ')
		case denseVectors[T]:
			row.keep(v.x.Row(p))
			line = appendRow(line, row)
		case *sparseVectors[T]:
			line = appendRow(line, v.x.row(p))
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// appendRow appends the numbers of r that are not 0, with their columns, from 1.
func appendRow[T vec.Float](b []byte, r sparseRow[T]) []byte {
	for k, j := range r.columns {
		if v := r.values[k]; v != 0 {
			b = append(strconv.AppendInt(b, int64(j)+1, 10), ':')
			b = append(svmtext.AppendFloat(b, float64(v)), ' ')
		}
	}
	return b
}

// apart returns k, or the kernel that k is when a constant is taken from it, and that constant.
func apart(k Kernel) (Kernel, float64) {
	sum, ok := k.(Sum)
	if !ok || len(sum) != 2 || sum[0].Weight != 1 {
		return k, 0
	}
	constant, ok := sum[1].Kernel.(Constant)
	if !ok {
		return k, 0
	}
	return sum[0].Kernel, sum[1].Weight * constant.Value
}

// libsvmKernel returns LIBSVM's lines for k.
func libsvmKernel(k Kernel) (string, error) {
	number := func(v float64) string { return string(svmtext.AppendFloat(nil, v)) }
	switch k := k.(type) {
	case nil:
		return "precomputed\n", nil
	case Linear:
		return "linear\n", nil
	case Gaussian:
		return "rbf\ngamma " + number(k.Gamma) + "\n", nil
	case Polynomial:
		if int64(k.Degree) > math.MaxInt32 {
			return "", fmt.Errorf("kernel: polynomial of Degree %d, LIBSVM has degrees up to %d", k.Degree,
				math.MaxInt32)
		}
		return fmt.Sprintf("polynomial\ndegree %d\ngamma %s\ncoef0 %s\n", k.Degree, number(k.scale()),
			number(k.Offset)), nil
	}
	return "", fmt.Errorf("kernel: LIBSVM has no kernel %T; it has Linear, Polynomial, Gaussian and precomputed ones",
		k)
}
