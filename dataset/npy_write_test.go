package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

// What is written is numpy's file to the bit, and reads back.
func TestWriteNPY(t *testing.T) {
	for _, name := range []string{"u1", "f4", "f8"} {
		file := testdata(t, name+".npy")
		x, err := ReadNPY[float64](bytes.NewReader(file), "f", NPYOptions{})
		if err != nil {
			t.Fatal(err)
		}
		wide := vec.NewMatrix[float64](3, 9).Slice(0, 3, 2, 6)
		for i := range 3 {
			copy(wide.Row(i), x.Row(i))
		}
		for _, x := range []*Dense[float64]{x, {wide}} {
			var got bytes.Buffer
			if err := WriteNPY(&got, x, NPYOptions{Type: name}); err != nil || !bytes.Equal(got.Bytes(), file) {
				t.Errorf("%s: wrote %q, %v, want %q", name, got.Bytes(), err, file)
			}
		}
		narrow, err := ConvertDense[float32](x)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := WriteNPY(&got, narrow, NPYOptions{}); err != nil {
			t.Fatal(err)
		}
		if again, err := ReadNPY[float32](&got, "f", NPYOptions{}); err != nil || !sameDense(narrow, again) {
			t.Errorf("%s: %v, %v", name, again, err)
		}
	}
	x := &Dense[float64]{vec.MatrixOf(1, 6, []float64{-1, -.5, -.25, 0, .5, 1})}
	for _, kind := range strings.Fields(npyWritten) {
		o := NPYOptions{Type: kind, Scale: 1. / 64, Offset: -1}
		var file bytes.Buffer
		if err := WriteNPY(&file, x, o); err != nil {
			if kind != "i1" { // 128
				t.Errorf("%s: %v", kind, err)
			}
			continue
		}
		if again, err := ReadNPY[float64](&file, "f", o); err != nil || !sameDense(x, again) {
			t.Errorf("%s: %v, %v", kind, again, err)
		}
	}
	var file bytes.Buffer
	halves := &Dense[float64]{vec.MatrixOf(1, 6, []float64{-1.5, -.5, .4, .6, 1.5, 2.5})}
	if err := WriteNPY(&file, halves, NPYOptions{Type: "i1"}); err != nil {
		t.Fatal(err)
	}
	if x, err := ReadNPY[float64](&file, "f", NPYOptions{}); err != nil ||
		!slices.Equal(x.Data, []float64{-2, 0, 0, 1, 2, 2}) {
		t.Errorf("rounded to %v, %v", x, err)
	}
	nan := &Dense[float64]{vec.MatrixOf(1, 1, []float64{math.NaN()})}
	for want, call := range map[string]func() error{
		"dataset: row 0, column 5: value 1, less -1 and divided by 0.015625, is beyond type i1": func() error {
			return WriteNPY(io.Discard, x, NPYOptions{Type: "i1", Scale: 1. / 64, Offset: -1})
		},
		"dataset: row 0, column 0: value -1, less 0 and divided by 1, is beyond type u4": func() error {
			return WriteNPY(io.Discard, x, NPYOptions{Type: "u4"})
		},
		"dataset: row 0, column 0: value -1, less 0 and divided by 1e-39, is beyond type f4": func() error {
			return WriteNPY(io.Discard, x, NPYOptions{Type: "f4", Scale: 1e-39})
		},
		"dataset: row 0, column 0: value NaN, less 0 and divided by 1, is beyond type i2": func() error {
			return WriteNPY(io.Discard, nan, NPYOptions{Type: "i2"})
		},
		`dataset: option Type is "i8", want one of i1 u1 i2 u2 i4 u4 f2 f4 f8`: func() error {
			return WriteNPY(io.Discard, x, NPYOptions{Type: "i8"})
		},
		`dataset: option Type is "<f4", want one of i1 u1 i2 u2 i4 u4 f2 f4 f8`: func() error {
			return WriteNPY(io.Discard, x, NPYOptions{Type: "<f4"})
		},
		"dataset: an array of 0 by 3 numbers, NPY is written from 1 by 1 on": func() error {
			return WriteNPY(io.Discard, &Dense[float32]{vec.NewMatrix[float32](0, 3)}, NPYOptions{})
		},
		"dataset: the dense matrix is nil": func() error { return WriteNPY[float32](io.Discard, nil, NPYOptions{}) },
		"full":                             func() error { return WriteNPY(fullDisk{}, x, NPYOptions{}) },
	} {
		if err := call(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, fmt.Errorf("full") }
