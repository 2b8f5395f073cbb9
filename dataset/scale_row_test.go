package dataset

import (
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec"
)

// TestScaleRow: one example becomes what it is among all, dense or sparse, also in place, and nothing is allocated.
func TestScaleRow(t *testing.T) {
	x := &Dense[float32]{vec.MatrixOf(2, 3, []float32{1, 0, -4, 0, 0, 0})}
	csr, err := x.CSR()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*Scaling{
		{}, {Factor: []float64{2, 3, .1}}, {UnitRows: true},
		{Shift: []float64{1, 2, 3}, Factor: []float64{.5, 1e-300, 7}, UnitRows: true},
	} {
		all, err := x.Scaled(s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range x.Rows {
			row := append([]float32(nil), x.Row(i)...)
			if err := ScaleRow(row, s, row, nil); err != nil {
				t.Fatal(err)
			}
			for j, v := range row {
				if v != all.Row(i)[j] {
					t.Errorf("%+v: row %d, column %d is %v, want %v", s, i, j, v, all.Row(i)[j])
				}
			}
		}
		if s.Shift != nil {
			continue
		}
		idx, val := csr.Row(0)
		row := make([]float32, len(val))
		if n := prove.Allocs(10, func() { ScaleRow(row, s, val, idx) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
		for k, j := range idx {
			if row[k] != all.Row(0)[j] {
				t.Errorf("%+v: sparse, column %d is %v, want %v", s, j, row[k], all.Row(0)[j])
			}
		}
	}
}

func TestScaleRowErrors(t *testing.T) {
	s := &Scaling{Factor: []float64{1, 1e39}}
	for want, row := range map[string][]float32{"column 1": {1, 1}, "scaling of 2 columns": {1, 1, 1}} {
		if err := ScaleRow(row, s, row, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: error %v, without %q", row, err, want)
		}
	}
	if err := ScaleRow([]float64{0}, s, []float64{math.Inf(1)}, []int32{1}); err == nil ||
		!strings.Contains(err.Error(), "column 1") {
		t.Errorf("error %v", err)
	}
	if err := ScaleRow([]float64{0}, s, []float64{1}, []int32{2}); err == nil ||
		!strings.Contains(err.Error(), "column 2") {
		t.Errorf("error %v", err)
	}
}
