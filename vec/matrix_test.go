package vec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func TestMatrixRow(t *testing.T) {
	a := vec.MatrixOf(2, 3, []float64{1, 2, 3, 4, 5, 6})
	equal(t, "row 0", a.Row(0), []float64{1, 2, 3})
	equal(t, "row 1", a.Row(1), []float64{4, 5, 6})
	a.Row(0)[1] = 7
	if a.Data[1] != 7 {
		t.Error("a row is a copy")
	}
	if row := a.Row(0); cap(row) != 3 {
		t.Errorf("a row has room for %d numbers: append would write into the next", cap(row))
	}
	demand(t, "Matrix.Row", func() { a.Row(2) }, "row 2 of a matrix with 2 rows")
	demand(t, "Matrix.Row", func() { a.Row(-1) }, "row -1 of a matrix with 2 rows")
	if row := vec.NewMatrix[float32](3, 0).Row(2); len(row) != 0 {
		t.Errorf("a row without columns: %v", row)
	}
}

func TestMatrixSlice(t *testing.T) {
	a := vec.NewMatrix[float32](5, 7)
	for i := range a.Data {
		a.Data[i] = float32(i)
	}
	for i := 0; i <= 5; i++ {
		for i2 := i; i2 <= 5; i2++ {
			for j := 0; j <= 7; j++ {
				for j2 := j; j2 <= 7; j2++ {
					b := a.Slice(i, i2, j, j2)
					if b.Rows != i2-i || b.Cols != j2-j || b.Validate() != nil {
						t.Fatalf("window [%d:%d, %d:%d]: %dx%d, %v", i, i2, j, j2, b.Rows, b.Cols, b.Validate())
					}
					for r := 0; r < b.Rows; r++ {
						equal(t, "row of a window", b.Row(r), a.Row(i + r)[j:j2])
					}
				}
			}
		}
	}
	b := a.Slice(1, 4, 2, 6).Slice(1, 3, 1, 3)
	equal(t, "window of a window", b.Row(1), []float32{24, 25})
	b.Row(0)[0] = -1
	if a.Data[2*7+3] != -1 {
		t.Error("a window is a copy")
	}
	if b := (vec.Matrix[float32]{Rows: 3, Stride: 2}).Slice(1, 3, 0, 0); b.Rows != 2 || b.Cols != 0 {
		t.Errorf("a window of no columns is %dx%d", b.Rows, b.Cols)
	}
	if b := a.Slice(1, 3, 2, 2); b.Data != nil {
		t.Errorf("a window without columns has %d numbers", len(b.Data))
	}
	for _, w := range [][4]int{{-1, 2, 0, 1}, {0, 6, 0, 1}, {2, 1, 0, 1}, {0, 1, -1, 1}, {0, 1, 0, 8}, {0, 1, 3, 2}} {
		demand(t, "Matrix.Slice", func() { a.Slice(w[0], w[1], w[2], w[3]) }, "of a 5x7 matrix")
	}
	demand(t, "Matrix.Slice", func() { a.Slice(3, 2, 1, 9) }, "[3:2, 1:9]")
}

func TestNewMatrix(t *testing.T) {
	a := vec.NewMatrix[float64](3, 4)
	if a.Rows != 3 || a.Cols != 4 || a.Stride != 4 || len(a.Data) != 12 || a.Validate() != nil {
		t.Errorf("%+v, %v", a, a.Validate())
	}
	demand(t, "NewMatrix", func() { vec.NewMatrix[float64](-3, 4) }, "-3 rows", "4 columns")
	demand(t, "NewMatrix", func() { vec.NewMatrix[float64](3, -4) }, "3 rows", "-4 columns")
	demand(t, "MatrixOf", func() { vec.MatrixOf(3, 4, make([]float64, 11)) }, "11 numbers", "3 rows", "4 columns")
	demand(t, "MatrixOf", func() { vec.MatrixOf(-1, -4, make([]float64, 4)) }, "-1 rows", "-4 columns")
}

// TestValidate counts with sizes whose product exceeds an int as well.
func TestValidate(t *testing.T) {
	data := make([]float32, 20)
	for _, c := range []struct {
		rows, cols, stride, size int
		want                     string // a part of the error, "" where there is none
	}{
		{0, 0, 0, 0, ""}, {0, 5, 0, 0, ""}, {5, 0, 0, 0, ""}, {math.MaxInt, 0, 1, 0, ""},
		{4, 5, 5, 20, ""}, {2, 5, 15, 20, ""}, {1, 20, 20, 20, ""}, {1, 5, math.MaxInt, 5, ""}, {20, 1, 1, 20, ""},
		{-1, 5, 5, 20, "-1 rows and 5 columns"},
		{4, -5, 5, 20, "4 rows and -5 columns"},
		{4, 5, 4, 20, "stride 4 is less than 5 columns"},
		{4, 5, 0, 20, "stride 0 is less than 5 columns"},
		{4, 5, -5, 20, "stride -5 is less than 5 columns"},
		{4, 5, 5, 19, "19 numbers are too few for 4 rows of 5 columns at stride 5"},
		{2, 5, 16, 20, "20 numbers are too few for 2 rows of 5 columns at stride 16"},
		{1, 5, 5, 4, "4 numbers are too few"},
		{1, 5, 9, 0, "0 numbers are too few"},
		{math.MaxInt, 2, math.MaxInt, 20, "too few"},
		{math.MaxInt/2 + 2, 2, 2, 20, "too few"},
		{2, 1, math.MaxInt, 20, "too few"},
	} {
		a := vec.Matrix[float32]{Rows: c.rows, Cols: c.cols, Stride: c.stride, Data: data[:c.size]}
		err := a.Validate()
		if (err == nil) != (c.want == "") {
			t.Errorf("%dx%d, stride %d, %d numbers: %v, want %q", c.rows, c.cols, c.stride, c.size, err, c.want)
		}
		if err != nil {
			if text := panicked(a.Check); text != err.Error() || !strings.Contains(text, c.want) ||
				!strings.HasPrefix(text, "vec: ") {
				t.Errorf("%+v: Check panics with %q, Validate returns %q, want %q", a, text, err, c.want)
			}
		} else if text := panicked(a.Check); text != "" {
			t.Errorf("%+v: Check panics: %s", a, text)
		}
	}
}
