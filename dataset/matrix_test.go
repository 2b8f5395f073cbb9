package dataset

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

var nan = math.NaN()

func TestNewDense(t *testing.T) {
	m := vec.MatrixOf(2, 3, []float64{1, 2, 3, 4, 5, 6})
	if a, err := NewDense(m.Slice(0, 2, 1, 3)); err != nil || !slices.Equal(a.Row(1), []float64{5, 6}) {
		t.Errorf("window: %v, %v", a, err)
	}
	if a, err := NewDense(vec.Matrix[float64]{}); err != nil || a.Rows != 0 {
		t.Errorf("empty: %v, %v", a, err)
	}
	if a, err := NewDense(m.Slice(0, 2, 1, 1)); err != nil || len(a.Row(1)) != 0 {
		t.Errorf("window without columns: %v, %v", a, err)
	}
	for _, c := range []struct {
		m    vec.Matrix[float64]
		want []string
	}{
		{vec.MatrixOf(2, 2, []float64{1, 2, 3, nan}), []string{"row 1", "column 1", "NaN"}},
		{vec.MatrixOf(2, 2, []float64{1, math.Inf(-1), 3, 4}), []string{"row 0", "column 1", "-Inf"}},
		{vec.Matrix[float64]{Rows: 2, Cols: 2, Stride: 2, Data: make([]float64, 3)}, []string{"3 numbers", "2 rows"}},
	} {
		_, err := NewDense(c.m)
		checkMessage(t, err, c.want)
	}
	// What lies between the rows is not the matrix's.
	if _, err := NewDense(vec.Matrix[float64]{Rows: 2, Cols: 1, Stride: 2, Data: []float64{1, nan, 2}}); err != nil {
		t.Errorf("NaN between the rows: %v", err)
	}
}

// A literal can hold anything: Validate finds it before a solver does.
func TestDenseValidate(t *testing.T) {
	inf := math.Inf(1)
	const n, d = 90, 101 // more numbers than are summed at a time
	for _, stride := range []int{d, d + 3} {
		m := vec.Matrix[float32]{Rows: n, Cols: d, Stride: stride, Data: make([]float32, (n-1)*stride+d)}
		for i := range n {
			for j := range d {
				m.Row(i)[j] = math.MaxFloat32 // finite, though no sum of them is
			}
		}
		a := &Dense[float32]{m}
		if err := a.Validate(); err != nil {
			t.Errorf("stride %d: %v", stride, err)
		}
		for _, at := range [][2]int{{0, 0}, {0, d - 1}, {40, 56}, {n - 1, 0}, {n - 1, d - 1}} {
			for _, v := range []float64{nan, inf, -inf} {
				a.Row(at[0])[at[1]] = float32(v)
				checkMessage(t, a.Validate(), []string{fmt.Sprintf(
					"dataset: row %d, column %d: value %v, want a finite number", at[0], at[1], v)})
				a.Row(at[0])[at[1]] = 1
			}
		}
		a.Row(3)[7], a.Row(2)[9] = float32(inf), float32(-inf)
		checkMessage(t, a.Validate(), []string{"row 2, column 9"})
	}
	for _, c := range []struct {
		a    *Dense[float64]
		want string
	}{
		{nil, "nil"},
		{&Dense[float64]{vec.Matrix[float64]{Rows: 2, Cols: 3, Stride: 3, Data: make([]float64, 5)}},
			"5 numbers are too few for 2 rows of 3 columns"},
		{&Dense[float64]{vec.Matrix[float64]{Rows: 2, Cols: 3, Data: make([]float64, 6)}},
			"stride 0 is less than 3 columns"},
		{&Dense[float64]{vec.Matrix[float64]{Rows: -1, Cols: 3, Stride: 3}}, "-1 rows"},
		{&Dense[float64]{vec.Matrix[float64]{Rows: math.MaxInt, Cols: 3, Stride: 3, Data: make([]float64, 6)}},
			"too few"},
	} {
		checkMessage(t, c.a.Validate(), []string{"dataset: ", c.want})
	}
	if err := (&Dense[float64]{}).Validate(); err != nil {
		t.Errorf("no examples: %v", err)
	}
	checkMessage(t, (*CSR[float64])(nil).Validate(), []string{"dataset: ", "nil"})
}

func TestNewCSR(t *testing.T) {
	a, err := NewCSR(4, []int{0, 2, 2, 3}, []int32{0, 3, 1}, []float32{1, 2, 3})
	if err != nil || a.Rows != 3 || a.Cols != 4 {
		t.Fatalf("%v, %v", a, err)
	}
	if idx, val := a.Row(1); len(idx) != 0 || len(val) != 0 {
		t.Errorf("row 1 is %v %v", idx, val)
	}
	for _, c := range []struct {
		cols int
		ptr  []int
		idx  []int32
		val  []float64
		want []string
	}{
		{3, nil, nil, nil, []string{"-1 rows"}},
		{-1, []int{0}, nil, nil, []string{"-1 columns"}},
		{3, []int{0, 1}, []int32{0}, nil, []string{"1 column ind", "0 values"}},
		{3, []int{0, 1}, []int32{0, 1}, []float64{1, 2}, []string{"from 0 to 1", "2"}},
		{3, []int{1, 2}, []int32{0, 1}, []float64{1, 2}, []string{"from 1 to 2"}},
		{3, []int{0, 2, 1, 2}, []int32{0, 1}, []float64{1, 2}, []string{"row 1", "from 2 to 1"}},
		{3, []int{0, 5, 2}, []int32{0, 1}, []float64{1, 2}, []string{"row 0", "from 0 to 5"}},
		{3, []int{0, -1, 2}, []int32{0, 1}, []float64{1, 2}, []string{"row 0", "from 0 to -1"}},
		{3, []int{0, 0, 2}, []int32{1, 3}, []float64{1, 2.5}, []string{"row 1", "column 3", "2.5", "0..2"}},
		{3, []int{0, 2}, []int32{-1, 2}, []float64{1, 2}, []string{"row 0", "column -1"}},
		{3, []int{0, 2}, []int32{1, 1}, []float64{1, 2}, []string{"row 0", "column 1", "ascending"}},
		{3, []int{0, 2}, []int32{2, 1}, []float64{1, 7}, []string{"row 0", "column 1", "value 7", "after column 2"}},
		{3, []int{0, 2}, []int32{0, 2}, []float64{1, nan}, []string{"row 0", "column 2", "NaN"}},
		{3, []int{0, 2}, []int32{0, 2}, []float64{math.Inf(1), 0}, []string{"row 0", "column 0", "+Inf"}},
	} {
		_, err := NewCSR(c.cols, c.ptr, c.idx, c.val)
		checkMessage(t, err, c.want)
	}
	checkMessage(t, (&CSR[float32]{}).Validate(), []string{"0 row pointers for 0 rows"})
}

func checkMessage(t *testing.T, err error, parts []string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}

func testDense(t *testing.T) *Dense[float64] {
	a, err := NewDense(vec.MatrixOf(3, 4, []float64{1, 0, 2, 0, 0, 0, 0, 0, 3, 4, math.Copysign(0, -1), 5}))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestDenseToCSRAndBack(t *testing.T) {
	a := testDense(t)
	s, err := a.CSR()
	if err != nil || s.Validate() != nil || !slices.Equal(s.Val, []float64{1, 2, 3, 4, 5}) ||
		!slices.Equal(s.Ptr, []int{0, 2, 2, 5}) {
		t.Fatalf("%v, %v", s, err)
	}
	b, err := s.Dense()
	if err != nil || b.Rows != 3 || b.Cols != 4 || !slices.Equal(a.Data, b.Data) {
		t.Errorf("%v, %v", b, err)
	}
}

func TestCSRDenseRefusesWhatNoMemoryHolds(t *testing.T) {
	a := &CSR[float64]{Rows: math.MaxInt32 - 1, Cols: math.MaxInt32}
	_, err := a.Dense()
	checkMessage(t, err, []string{"2147483646 rows", "2147483647 columns"})
}

func TestColumns(t *testing.T) {
	a := testDense(t)
	s, err := a.CSR()
	if err != nil {
		t.Fatal(err)
	}
	for _, cols := range [][]int{{0, 1, 2, 3}, {3, 0}, {2}, {}, {1, 3, 2, 0}} {
		d, err := a.Columns(cols)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Rows {
			for k, j := range cols {
				if d.Row(i)[k] != a.Row(i)[j] {
					t.Errorf("dense %v: row %d is %v", cols, i, d.Row(i))
				}
			}
		}
		c, err := s.Columns(cols)
		if err != nil || c.Validate() != nil {
			t.Fatal(err, c.Validate())
		}
		if e, err := c.Dense(); err != nil || !slices.Equal(e.Data, d.Data) {
			t.Errorf("sparse %v: %v, %v", cols, e, err)
		}
	}
	for _, c := range []struct {
		cols []int
		want []string
	}{{[]int{0, 4}, []string{"column 4", "place 1", "0..3"}}, {[]int{-1}, []string{"column -1"}},
		{[]int{2, 1, 2}, []string{"column 2", "0 and 2"}}} {
		_, err := a.Columns(c.cols)
		checkMessage(t, err, c.want)
		_, err = s.Columns(c.cols)
		checkMessage(t, err, c.want)
	}
}

func TestConvert(t *testing.T) {
	a := testDense(t)
	f, err := ConvertDense[float32](a)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := ConvertDense[float64](f); err != nil || !slices.Equal(a.Data, b.Data) {
		t.Errorf("%v, %v", b, err)
	}
	s, _ := NewCSR(9, []int{0, 0, 2}, []int32{3, 8}, []float64{0.1, 1e39})
	_, err = ConvertCSR[float32](s)
	checkMessage(t, err, []string{"row 1", "column 8", "1e+39"})
	s.Val[1] = 7
	if c, err := ConvertCSR[float32](s); err != nil || !slices.Equal(c.Val, []float32{0.1, 7}) || c.Validate() != nil {
		t.Errorf("%v, %v", c, err)
	}
	a.Data[5] = -1e300
	_, err = ConvertDense[float32](a)
	checkMessage(t, err, []string{"row 1", "column 1", "-1e+300"})
}
