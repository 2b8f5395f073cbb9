package design_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// rowsAsTold is a storage of somebody else, whose sparse rows may be anything.
type rowsAsTold struct {
	*dataset.CSR[float64]
	columns []int32
	values  []float64
}

func (x rowsAsTold) Validate(none struct{}) {} // not the method that solvers look for

func (x rowsAsTold) Row(i int) ([]int32, []float64) {
	if i == 1 {
		return x.columns, x.values
	}
	return x.CSR.Row(i)
}

// denseAsTold is the same with dense rows.
type denseAsTold struct {
	*dataset.Dense[float64]
	row []float64
}

func (x denseAsTold) Validate(none struct{}) {}

func (x denseAsTold) Row(i int) []float64 { return x.row }

// TestValidate: examples that do not hold what Matrix promises are an error that names the place, whatever wraps
// them, and those that do are none.
func TestValidate(t *testing.T) {
	sound := &dataset.CSR[float64]{Rows: 3, Cols: 4, Ptr: []int{0, 2, 3, 3}, Idx: []int32{0, 3, 2},
		Val: []float64{1, 2, 3}}
	csr := func(change func(x *dataset.CSR[float64])) *dataset.CSR[float64] {
		x := &dataset.CSR[float64]{Rows: 3, Cols: 4, Ptr: []int{0, 2, 3, 3}, Idx: []int32{0, 3, 2},
			Val: []float64{1, 2, 3}}
		change(x)
		return x
	}
	dense := &dataset.Dense[float64]{Matrix: vec.MatrixOf(3, 4, []float64{1, 2, 3, 4, 5, 6, 7, math.Inf(1), 9, 10, 11,
		12})}
	for _, c := range []struct {
		want, subset string // of the rows 0, 1, 0; "": no error
		x            design.Matrix[float64]
	}{
		{"", "", sound},
		{"", "", rowsAsTold{sound, []int32{1, 3}, []float64{1, 2}}},
		{"row 1, column 3: value +Inf", "", dense}, // which shows in the norms of a subset
		{"row 0 has column 4, value 2: want a column in 0..3", "row 0, value 2: column 4, want one in 1..3",
			csr(func(x *dataset.CSR[float64]) { x.Idx[1] = 4 })},
		{"row 1 has column -1, value 3", "row 1, value 3: column -1, want one in 0..3",
			csr(func(x *dataset.CSR[float64]) { x.Idx[2] = -1 })},
		{"row 0 has column 0, value 2, after column 0", "row 0, value 2: column 0, want one in 1..3",
			csr(func(x *dataset.CSR[float64]) { x.Idx[1] = 0 })},
		{"row 1, value 2: column 4, want one in 2..3", "row 1, value 2: column 4",
			rowsAsTold{sound, []int32{1, 4}, []float64{1, 2}}},
		{"row 1, value 1: column -5, want one in 0..3", "row 1, value 1: column -5",
			rowsAsTold{sound, []int32{-5, 4}, []float64{1, 2}}},
		{"row 1, value 2: column 1, want one in 2..3", "row 1, value 2: column 1",
			rowsAsTold{sound, []int32{1, 1}, []float64{1, 2}}},
		{"row 1 has 1 columns for 2 values", "row 1 has 1 columns", rowsAsTold{sound, []int32{1}, []float64{1, 2}}},
		{"row 0 has 3 numbers for 4 features", "row 0 has 3 numbers", denseAsTold{dense, []float64{1, 2, 3}}},
	} {
		check := func(name string, x design.Matrix[float64], want string) {
			t.Helper()
			n, d, err := design.Validate(x)
			if n2, d2 := x.Dims(); want == "" && (err != nil || n != n2 || d != d2) {
				t.Errorf("%s: %d by %d, %v", name, n, d, err)
			}
			if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
		check("as it is", c.x, c.want)
		check("bias", design.WithBias(c.x, 1), c.want)
		check("scaled", design.Scaled(c.x, []float64{1, 2, 3, 4}), c.want)
		check("centered", design.Centered(c.x, []float64{1, 2, 3, 4}), c.want)
		check("parts", design.Concat(design.Matrix[float64](sound), c.x), c.want)
		check("subset of bias", design.Subset(design.WithBias(c.x, 1), []int{0, 1, 0}), c.want)
		check("bias of a subset", design.WithBias(design.Subset(c.x, []int{0, 1, 0}), 1), c.subset)
	}
	if _, _, err := design.Validate[float64]((*dataset.CSR[float64])(nil)); err == nil {
		t.Error("nil is no error")
	}
	// The row that is broken is not in the subset.
	x := rowsAsTold{sound, []int32{9}, []float64{1}}
	if _, _, err := design.Validate(design.Subset[float64](x, []int{0, 2})); err != nil {
		t.Error(err)
	}
	narrow := &dataset.CSR[float32]{Rows: 1, Cols: 2, Ptr: []int{0, 1}, Idx: []int32{7}, Val: []float32{1}}
	if _, _, err := design.Validate(design.Float64(design.Scaled[float32](narrow, []float32{1, 2}))); err == nil {
		t.Error("a column out of range of examples in float64 is no error")
	}
}
