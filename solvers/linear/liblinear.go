package linear

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteLIBLINEAR writes the model as LIBLINEAR's text, of the solver type MCSVM_CS, for liblinear-predict and all that
// read its models. labels[c] is the label of class c in the file; nil: c itself. y are the classes of the training
// examples: columns go in the order in which these first appear, as LIBLINEAR has it, classes that do not appear last;
// nil: in the order of their numbers, so that equal scores are decided there as here.
//
// Numbers have the fewest digits, 17 at most, that give the same float64 back. A negative constant feature, which
// LIBLINEAR does not know, changes its sign together with its weights. A model of fewer than 2 outputs is an error, as
// LIBLINEAR has none such.
func (m *Model[T]) WriteLIBLINEAR(w io.Writer, labels, y []int) error {
	classes := m.w.Cols
	if classes < 2 {
		return fmt.Errorf("linear: a model of %d outputs, LIBLINEAR needs 2 at least", classes)
	}
	if labels == nil {
		for c := range classes {
			labels = append(labels, c)
		}
	}
	if len(labels) != classes {
		return fmt.Errorf("linear: %d labels for %d classes", len(labels), classes)
	}
	if err := checkLabels(labels); err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	order, err := firstAppearance(y, classes)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 1<<16)
	fmt.Fprintf(out, "solver_type MCSVM_CS\nnr_class %d\nlabel", classes)
	for _, c := range order {
		fmt.Fprintf(out, " %d", labels[c])
	}
	bias, sign := float64(m.constant), T(1)
	switch {
	case bias == 0:
		bias = -1 // none
	case bias < 0:
		bias, sign = -bias, -1
	}
	fmt.Fprintf(out, "\nnr_feature %d\nbias %s\nw\n", m.d, strconv.FormatFloat(bias, 'g', -1, 64))
	var line []byte
	for j := range m.w.Rows {
		line = line[:0]
		for _, c := range order {
			v := m.w.Row(j)[c]
			if j == m.d {
				v *= sign
			}
			line = append(strconv.AppendFloat(line, float64(v), 'g', -1, 64), ' ')
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// firstAppearance returns the classes in the order in which they first appear in y, then the others.
func firstAppearance(y []int, classes int) ([]int, error) {
	order, seen := make([]int, 0, classes), make([]bool, classes)
	for i, c := range y {
		if c < 0 || c >= classes {
			return nil, fmt.Errorf("linear: label %d of row %d, need one in 0..%d", c, i, classes-1)
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

// checkLabels returns an error if a label stands for two classes or is none of LIBLINEAR's, which has C's int.
func checkLabels(labels []int) error {
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
