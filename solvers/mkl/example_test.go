package mkl_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/vec"
)

// flowers describes 90 flowers of three kinds in two ways: by colour, which tells one kind from the others, and by
// shape, which tells another one; and by the weather, which tells nothing.
func flowers() (colour, shape, weather *dataset.Dense[float64], kinds []int) {
	colour, shape = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](90, 2)},
		&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](90, 2)}
	weather = &dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](90, 2)}
	for i := range 90 {
		kind := i % 3
		kinds = append(kinds, kind)
		for j := range 2 {
			colour.Row(i)[j] = math.Sin(float64(7*i+3*j)) / 2
			shape.Row(i)[j] = math.Sin(float64(11*i+5*j)) / 2
			weather.Row(i)[j] = math.Sin(float64(13*i+2*j)) / 2
		}
		if kind == 1 {
			colour.Row(i)[0]++
		}
		if kind == 2 {
			shape.Row(i)[1]++
		}
	}
	return colour, shape, weather, kinds
}

// gaussians has a Gaussian kernel on each description.
func gaussians() (*bundle.Bundle[float64], []int) {
	colour, shape, weather, kinds := flowers()
	gaussian := []kernel.Kernel{kernel.Gaussian{Gamma: 2}}
	b, err := bundle.New(1<<20,
		bundle.Group[float64]{X: colour, Kernels: gaussian},
		bundle.Group[float64]{X: shape, Kernels: gaussian},
		bundle.Group[float64]{X: weather, Kernels: gaussian})
	if err != nil {
		log.Fatal(err)
	}
	return b, kinds
}

func ExampleFit() {
	b, kinds := gaussians()
	r, err := mkl.Fit(context.Background(), b, kinds, mkl.Config{P: 1.1, C: 10})
	if err != nil {
		log.Fatal(err)
	}
	colour, shape, weather, _ := flowers()
	guesses, err := solvers.Predict(r, design.Concat[float64](colour, shape, weather), 0)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, c := range guesses {
		if c == kinds[i] {
			right++
		}
	}
	fmt.Printf("%v, gap at most %v: %v; %d of 90 right\n", r.Status, r.Tol, r.Certificate.RelativeGap() <= r.Tol, right)
	fmt.Println("the weather has less than a tenth:", r.Shares[2] < .1*(r.Shares[0]+r.Shares[1]))
	// Output:
	// converged, gap at most 0.001: true; 90 of 90 right
	// the weather has less than a tenth: true
}

// Kernels can be given as matrices: of distances, for example. An example to predict then has its values with all
// training examples in place of features.
func ExampleProblem_Fit() {
	colour, _, _, kinds := flowers()
	d := vec.NewMatrix[float64](90, 90)
	for i := range 90 {
		for j := range 90 {
			d.Row(i)[j] = vec.SquaredDistance(colour.Row(i), colour.Row(j))
		}
	}
	narrow, err := kernel.FromDistances(d, 8)
	if err != nil {
		log.Fatal(err)
	}
	wide, err := kernel.FromDistances(d, .5)
	if err != nil {
		log.Fatal(err)
	}
	b, err := bundle.New(0, bundle.Group[float64]{Matrix: narrow}, bundle.Group[float64]{Matrix: wide})
	if err != nil {
		log.Fatal(err)
	}
	p := mkl.Problem[float64]{Bundle: b, Y: kinds, Names: []string{"rose", "tulip", "iris"}}
	r, err := p.Fit(context.Background(), mkl.Config{P: 1.05, C: 1, K: 2}) // two guesses count
	if err != nil {
		log.Fatal(err)
	}
	features, outputs := r.Dims()
	fmt.Println(r.Status, features, "features,", outputs, "classes", r.Names())
	// Output: converged 180 features, 3 classes [rose tulip iris]
}

// Choose P and C by cross-validation.
func ExampleProblem_Path() {
	b, kinds := gaussians()
	points, err := mkl.Problem[float64]{Bundle: b, Y: kinds}.Path(context.Background(), mkl.Config{Seed: 1},
		mkl.PathConfig{Ps: []float64{1.05, 2}, Cs: []float64{.001, 10},
			CrossValidation: solvers.CrossValidation{Folds: 3}})
	if err != nil {
		log.Fatal(err)
	}
	for _, q := range points {
		fmt.Println("P =", q.P, "and C =", q.C)
	}
	best := points[solvers.Best(points, 0)]
	fmt.Println("the best with C =", best.C, "is right more often than nine times of ten:", best.Measures[0].Mean > .9)
	// Output:
	// P = 2 and C = 0.001
	// P = 2 and C = 10
	// P = 1.05 and C = 0.001
	// P = 1.05 and C = 10
	// the best with C = 10 is right more often than nine times of ten: true
}

// Leave out what hardly matters. The model is then read from its file.
func ExampleProblem_Prune() {
	b, kinds := gaussians()
	p, c := mkl.Problem[float64]{Bundle: b, Y: kinds}, mkl.Config{P: 1.1, C: 10}
	r, err := p.Fit(context.Background(), c)
	if err != nil {
		log.Fatal(err)
	}
	small, err := p.Prune(r, c, .05)
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := small.Kernels.WriteTo(&file); err != nil {
		log.Fatal(err)
	}
	m, err := bundle.ReadCombination[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	left := 0
	for _, w := range m.Weights() {
		if w > 0 {
			left++
		}
	}
	fmt.Printf("%d kernels are left; without the other the objective is less than half as large again: %v\n",
		left, small.Certificate.Primal < 1.5*r.Certificate.Primal)
	// Output: 2 kernels are left; without the other the objective is less than half as large again: true
}
