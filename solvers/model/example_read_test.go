package model_test

import (
	"bytes"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// A file of any kind of model.
func ExampleRead() {
	w, err := linear.New(vec.MatrixOf(1, 2, []float64{1, -1}), nil, []string{"up", "down"})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer // or a file
	if _, err := (&model.Model[float64]{Linear: w}).WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	m, err := model.Read[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Linear != nil, m.Names())
	// Output: true [up down]
}

// A file that may have numbers of 32 bits or of 64.
func ExampleReadAny() {
	w, err := linear.New(vec.MatrixOf(1, 2, []float32{1, -1}), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := (&model.Model[float32]{Linear: w}).WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	m32, m64, err := model.ReadAny(bytes.NewReader(file.Bytes()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m32 != nil, m64 != nil)
	// Output: true false
}
