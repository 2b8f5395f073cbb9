package linear

import (
	"bufio"
	"fmt"
	"io"
	"math"

	"github.com/dualgap/dualgap/internal/svmtext"
)

// LIBLINEAROptions says how to write LIBLINEAR's text.
type LIBLINEAROptions struct {
	Solver SolverType // default: MCSVMCS
	Labels []int      // the label of each class in the file; default: the class itself

	// Y has the classes of the training examples: columns go in the order in which these first appear, as LIBLINEAR has
	// it, +1 before -1 where these are the labels, and classes that do not appear last. The default is the order that
	// decides equal scores there as here: the order of their numbers, but of two classes 1 comes first.
	Y []int
}

// WriteLIBLINEAR writes the model, its outputs being classes, as LIBLINEAR's text for liblinear-predict and all that
// read its models.
//
// Between two classes liblinear-predict decides by the sign of one column. So of two outputs the text has the
// difference of their weights, its half in each of the two columns of MCSVMCS: the labels predicted are the same up to
// the rounding of that difference.
//
// Numbers have the fewest digits, 17 at most, that give the same float64 back. A negative constant feature, which
// LIBLINEAR does not know, changes its sign together with its weights. A model of fewer than 2 outputs is an error:
// [Model.WriteLIBLINEAROutput] writes one output as two classes.
func (m *Model[T]) WriteLIBLINEAR(w io.Writer, o LIBLINEAROptions) error {
	classes, labels := m.w.Cols, o.Labels
	if classes < 2 {
		return fmt.Errorf("linear: a model of %d outputs, LIBLINEAR needs 2 at least", classes)
	}
	if err := o.Solver.check(classification, "classes"); err != nil {
		return err
	}
	if labels == nil {
		for c := range classes {
			labels = append(labels, c)
		}
	}
	if len(labels) != classes {
		return fmt.Errorf("linear: %d labels for %d classes", len(labels), classes)
	}
	if err := svmtext.CheckLabels(labels); err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	order, err := firstAppearance(o.Y, classes)
	if err != nil {
		return err
	}
	first, second := order[0], order[1]
	if classes == 2 && (o.Y == nil || labels[first] == -1 && labels[second] == 1) {
		first, second = second, first
		order[0], order[1] = first, second
	}
	ordered := make([]int, classes)
	for p, c := range order {
		ordered[p] = labels[c]
	}
	switch {
	case classes > 2:
		return m.writeLIBLINEAR(w, o.Solver, ordered, classes,
			func(row []T, p int) float64 { return float64(row[order[p]]) })
	case o.Solver == MCSVMCS:
		return m.writeLIBLINEAR(w, o.Solver, ordered, 2, func(row []T, p int) float64 {
			return halfDifference(float64(row[order[p]]), float64(row[order[1-p]]))
		})
	}
	return m.writeLIBLINEAR(w, o.Solver, ordered, 1, func(row []T, _ int) float64 {
		return float64(row[first]) - float64(row[second])
	})
}

// WriteLIBLINEAROutput writes one output of the model as LIBLINEAR's text of two classes: labels[0] is predicted where
// its score is above 0, labels[1] elsewhere. So a model of several labels an example, whose outputs above 0 are the
// labels predicted, becomes as many texts, and the output of class 1 of two is the text that LIBLINEAR itself has. The
// solver is one whose text has one column, not MCSVMCS. Numbers are as with [Model.WriteLIBLINEAR].
func (m *Model[T]) WriteLIBLINEAROutput(w io.Writer, output int, labels [2]int, solver SolverType) error {
	if output < 0 || output >= m.w.Cols {
		return fmt.Errorf("linear: output %d of a model of %d outputs", output, m.w.Cols)
	}
	if solver == MCSVMCS {
		return fmt.Errorf("linear: one output as %v, whose text has two columns for two classes", solver)
	}
	if err := solver.check(classification, "two classes"); err != nil {
		return err
	}
	if err := svmtext.CheckLabels(labels[:]); err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	return m.writeLIBLINEAR(w, solver, labels[:], 1, func(row []T, _ int) float64 { return float64(row[output]) })
}

// WriteLIBLINEARRegression writes one output of the model as LIBLINEAR's text of regression, whose score is the number
// that is predicted. The solver is one of regression; liblinear-predict does the same with all of them. Numbers are as
// with [Model.WriteLIBLINEAR].
func (m *Model[T]) WriteLIBLINEARRegression(w io.Writer, output int, solver SolverType) error {
	if output < 0 || output >= m.w.Cols {
		return fmt.Errorf("linear: output %d of a model of %d outputs", output, m.w.Cols)
	}
	if err := solver.check(regression, "numbers"); err != nil {
		return err
	}
	return m.writeLIBLINEAR(w, solver, nil, 1, func(row []T, _ int) float64 { return float64(row[output]) })
}

// writeLIBLINEAR writes a header, without labels where there are none, and a number of columns of weights: weight gives
// the weight of column p from a row of W.
func (m *Model[T]) writeLIBLINEAR(w io.Writer, solver SolverType, labels []int, columns int,
	weight func(row []T, p int) float64) error {
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "solver_type %v\nnr_class %d", solver, max(2, len(labels)))
	for k, label := range labels {
		if k == 0 {
			out.WriteString("\nlabel")
		}
		fmt.Fprintf(out, " %d", label)
	}
	bias, sign := float64(m.constant), 1.
	switch {
	case bias == 0:
		bias = -1 // none
	case bias < 0:
		bias, sign = -bias, -1
	}
	fmt.Fprintf(out, "\nnr_feature %d\nbias %s\nw\n", m.d, svmtext.AppendFloat(nil, bias))
	return m.writeWeights(out, columns, sign, weight)
}

// writeWeights writes the rows of W, the one of the constant feature times the sign.
func (m *Model[T]) writeWeights(out *bufio.Writer, columns int, sign float64,
	weight func(row []T, p int) float64) error {
	var line []byte
	for j := range m.w.Rows {
		line = line[:0]
		for p := range columns {
			v := weight(m.w.Row(j), p)
			if v-v != 0 {
				return fmt.Errorf("linear: the weights of feature %d for the two classes differ by more than "+
					"float64 holds", j)
			}
			if j == m.d {
				v *= sign
			}
			line = append(svmtext.AppendFloat(line, v), ' ')
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// halfDifference returns (a - b)/2, which is finite.
func halfDifference(a, b float64) float64 {
	if d := a - b; !math.IsInf(d, 0) {
		return d / 2
	}
	return a/2 - b/2
}

// firstAppearance returns the classes in the order in which they first appear in y, then the others.
func firstAppearance(y []int, classes int) ([]int, error) {
	order, seen := make([]int, 0, classes), make([]bool, classes)
	for i, c := range y {
		if c < 0 || c >= classes {
			return nil, fmt.Errorf("linear: label %d of row %d, want one in 0..%d", c, i, classes-1)
		}
		if !seen[c] {
			order, seen[c] = append(order, c), true
		}
	}
	for c, seen := range seen {
		if !seen {
			order = append(order, c)
		}
	}
	return order, nil
}
