package linear

import (
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// The text of every solver, for several classes, for two and for one output. Of two classes the model has the scores
// (x, 3x) and offsets (-2, 2) by a negative constant feature: class 1 where 2x + 4 > 0.
func TestWriteLIBLINEAR(t *testing.T) {
	two, err := WithConstant(vec.MatrixOf(2, 2, []float64{1, 3, 1, -1}), -2, nil)
	if err != nil {
		t.Fatal(err)
	}
	three, err := New(vec.MatrixOf(2, 3, []float32{1, -.5, .1, 1e-40, -3, 0}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := []SolverType{L2RL1LossSVCDual, L2RL2LossSVCDual}
	const head = "\nnr_class 2\nlabel 1 0\nnr_feature 1\nbias 2\nw\n"
	for _, c := range []struct {
		write   func(w io.Writer, s SolverType) error
		solvers []SolverType
		want    string
	}{
		{func(w io.Writer, s SolverType) error { return three.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: s}) },
			append(one, MCSVMCS),
			"\nnr_class 3\nlabel 0 1 2\nnr_feature 2\nbias -1\nw\n1 -0.5 0.10000000149011612 \n9.99994610111476e-41 " +
				"-3 0 \n"},
		{func(w io.Writer, s SolverType) error { return two.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: s}) }, one,
			head + "2 \n2 \n"},
		{func(w io.Writer, s SolverType) error { return two.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: s}) },
			[]SolverType{MCSVMCS},
			head + "1 -1 \n1 -1 \n"},
		{func(w io.Writer, s SolverType) error {
			return two.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: s, Labels: []int{1, 0}, Y: []int{1}})
		}, one, strings.Replace(head, "1 0", "0 1", 1) + "2 \n2 \n"},
		{func(w io.Writer, s SolverType) error {
			return two.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: s, Labels: []int{1, 0}, Y: []int{0, 1}})
		}, one, head + "-2 \n-2 \n"},
		{func(w io.Writer, s SolverType) error { // +1 goes first
			return two.WriteLIBLINEAR(w, LIBLINEAROptions{Solver: s, Labels: []int{-1, 1}, Y: []int{0, 1}})
		}, one, strings.Replace(head, "1 0", "1 -1", 1) + "2 \n2 \n"},
		{func(w io.Writer, s SolverType) error { return two.WriteLIBLINEAROutput(w, 0, [2]int{1, 0}, s) }, one,
			head + "1 \n-1 \n"},
		{func(w io.Writer, s SolverType) error { return three.WriteLIBLINEAROutput(w, 1, [2]int{1, 0}, s) }, one,
			"\nnr_class 2\nlabel 1 0\nnr_feature 2\nbias -1\nw\n-0.5 \n-3 \n"},
	} {
		for _, s := range c.solvers {
			var got strings.Builder
			if err := c.write(&got, s); err != nil {
				t.Fatal(err)
			}
			if want := "solver_type " + s.String() + c.want; got.String() != want {
				t.Errorf("%q, want %q", got.String(), want)
			}
		}
	}
}

// A model of two classes comes back as the differences of its weights, one of one output as that output.
func TestLIBLINEARTwoClasses(t *testing.T) {
	const big = math.MaxFloat64
	w := vec.MatrixOf(4, 2, []float64{3, 5, -big, big, 0x1p-1074, 0, -.25, .25})
	m, err := WithConstant(w, .5, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		write  func(io.Writer) error
		want   []float64
		labels []int
	}{
		{func(w io.Writer) error { return m.WriteLIBLINEAR(w, LIBLINEAROptions{Labels: []int{4, 9}}) },
			[]float64{-1, 1, -big, big, 0, 0, -.25, .25}, []int{4, 9}},
		{func(w io.Writer) error { return m.WriteLIBLINEAROutput(w, 0, [2]int{4, 9}, L2RL1LossSVCDual) },
			[]float64{0, 3, 0, -big, 0, 0x1p-1074, 0, -.25}, []int{9, 4}},
	} {
		var text strings.Builder
		if err := c.write(&text); err != nil {
			t.Fatal(err)
		}
		got, labels, err := ReadLIBLINEAR[float64](strings.NewReader(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.w.Data, c.want) || !slices.Equal(labels, c.labels) || got.constant != .5 {
			t.Errorf("%v, labels %v, want %v, %v", got.w.Data, labels, c.want, c.labels)
		}
	}
	err = m.WriteLIBLINEAR(io.Discard, LIBLINEAROptions{Solver: L2RL1LossSVCDual})
	if err == nil || !strings.Contains(err.Error(), "feature 1 for the two classes differ by more than float64 holds") {
		t.Error(err)
	}
}

func TestWriteLIBLINEARErrors(t *testing.T) {
	m, err := New(vec.NewMatrix[float64](2, 3), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	output := func(output int, labels [2]int, s SolverType) error {
		return m.WriteLIBLINEAROutput(io.Discard, output, labels, s)
	}
	whole := func(o LIBLINEAROptions) error { return m.WriteLIBLINEAR(io.Discard, o) }
	beyond := int64(1) << 40
	for want, err := range map[string]error{
		"linear: 2 labels for 3 classes": whole(LIBLINEAROptions{Labels: []int{1, 2}}),
		"linear: label 1 stands for the classes 0 and 2": whole(
			LIBLINEAROptions{Labels: []int{1, 2, 1}, Y: []int{2, 1}}),
		"linear: label 3 of row 1, want one in 0..2":               whole(LIBLINEAROptions{Y: []int{0, 3}}),
		"linear: unknown SolverType(12)":                           whole(LIBLINEAROptions{Solver: 12}),
		"linear: classes as ONECLASS_SVM, which is of one class":   whole(LIBLINEAROptions{Solver: OneClassSVM}),
		"linear: unknown SolverType(-1)":                           output(0, [2]int{1, 2}, -1),
		"linear: output 3 of a model of 3 outputs":                 output(3, [2]int{1, 2}, L2RL1LossSVCDual),
		"linear: output -1 of a model of 3 outputs":                output(-1, [2]int{1, 2}, L2RL1LossSVCDual),
		"linear: one output as MCSVM_CS, whose text has two colum": output(0, [2]int{1, 2}, MCSVMCS),
		"linear: label 7 stands for the classes 0 and 1":           output(0, [2]int{7, 7}, L2RL1LossSVCDual),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if int64(int(beyond)) == beyond {
		if err := output(0, [2]int{1, int(beyond)}, L2RL1LossSVCDual); err == nil ||
			!strings.Contains(err.Error(), "does not fit 32 bits") {
			t.Error(err)
		}
	}
}
