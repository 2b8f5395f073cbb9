package dataset

import (
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// TestUnsound: what is nil, and matrices whose fields make no sense, are errors of whatever reads or scales them.
func TestUnsound(t *testing.T) {
	x, err := NewDense(vec.MatrixOf(2, 2, []float64{1, 2, 3, 4}))
	if err != nil {
		t.Fatal(err)
	}
	sparse := func() *CSR[float64] {
		return &CSR[float64]{Rows: 2, Cols: 2, Ptr: []int{0, 1, 2}, Idx: []int32{0, 1}, Val: []float64{1, 2}}
	}
	beyond, cut, wrong := sparse(), sparse(), sparse()
	beyond.Idx[1], cut.Ptr, wrong.Val[0] = 2, cut.Ptr[:1], math.NaN()
	short := &Dense[float64]{vec.Matrix[float64]{Rows: 3, Cols: 2, Stride: 2, Data: []float64{1}}}
	var (
		noDense *Dense[float64]
		noCSR   *CSR[float64]
		none    *Scaling
		unit    = &Scaling{UnitRows: true}
	)
	for name, of := range map[string]func() error{
		"nil: Dense.Scaled of none":  func() error { _, err := x.Scaled(nil); return err },
		"nil: CSR.Scaled of none":    func() error { _, err := sparse().Scaled(none); return err },
		"nil: ScaleRow":              func() error { return ScaleRow(make([]float64, 1), nil, []float64{1}, nil) },
		"nil: RawWeights":            func() error { _, _, err := RawWeights(nil, x.Matrix, nil); return err },
		"nil: no Dense.Scaled":       func() error { _, err := noDense.Scaled(unit); return err },
		"nil: no CSR.Scaled":         func() error { _, err := noCSR.Scaled(unit); return err },
		"nil: Standardize":           func() error { _, err := Standardize(nil); return err },
		"nil: MinMax":                func() error { _, err := MinMax(nil); return err },
		"nil: Standardize, no Dense": func() error { _, err := Standardize(noDense); return err },
		"nil: MinMax, no CSR":        func() error { _, err := MinMax(noCSR); return err },
		"row 1: Standardize":         func() error { _, err := Standardize(beyond); return err },
		"row 1: MinMax":              func() error { _, err := MinMax(beyond); return err },
		"row 1: Scaled":              func() error { _, err := beyond.Scaled(unit); return err },
		"NaN: Standardize":           func() error { _, err := Standardize(wrong); return err },
		"1 row pointers: MinMax":     func() error { _, err := MinMax(cut); return err },
		"1 row pointers: Scaled":     func() error { _, err := cut.Scaled(unit); return err },
		"dataset: Standardize":       func() error { _, err := Standardize(short); return err },
		"dataset: Scaled":            func() error { _, err := short.Scaled(unit); return err },

		"nil: ReadLIBSVM":    func() error { _, err := ReadLIBSVM[float64](nil, "x", LIBSVMOptions{}); return err },
		"nil: ReadCSV":       func() error { _, err := ReadCSV[float64](nil, "x", CSVOptions{}); return err },
		"nil: ReadNPY":       func() error { _, err := ReadNPY[float64](nil, "x", NPYOptions{}); return err },
		"nil: ReadNPYLabels": func() error { _, err := ReadNPYLabels(nil, "x", NPYOptions{}); return err },
		"nil: ReadIDX":       func() error { _, err := ReadIDX[float64](nil, "x", IDXOptions{}); return err },
		"nil: ReadIDXLabels": func() error { _, err := ReadIDXLabels(nil, "x", IDXOptions{}); return err },
		"nil: ReadLIBSVMBlocks": func() error {
			use := func(*Labeled[*CSR[float64]]) error { return nil }
			return ReadLIBSVMBlocks(nil, "x", LIBSVMOptions{Cols: 1}, 1, use)
		},
	} {
		part, _, _ := strings.Cut(name, ":")
		if err := of(); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
