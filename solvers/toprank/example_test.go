package toprank_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/vec"
)

// Points of the plane, the positive ones to the right. With a large C no negative one is above the threshold.
func ExampleFit() {
	points := vec.MatrixOf(6, 2, []float64{
		3, 1,
		2, -1,
		4, 0,
		1, 0,
		-1, 1,
		-2, -1,
	})
	positive := []bool{true, true, true, false, false, false}
	x := design.Matrix[float64](&dataset.Dense[float64]{Matrix: points})
	r, err := toprank.Fit(context.Background(), x, positive, toprank.Config{C: 100})
	if err != nil {
		log.Fatal(err)
	}
	others := vec.MatrixOf(3, 2, []float64{
		3, 0,
		5, -1,
		0, 1,
	})
	above, err := r.Decide(&dataset.Dense[float64]{Matrix: others}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Status, above)
	// Output: converged [true true false]
}

// goodReturns are the radar returns of Ionosphere, most of them good ones, which are those to find.
func goodReturns() (x design.Matrix[float64], positive []bool) {
	data := samples.Ionosphere[float64]()
	for _, y := range data.Y {
		positive = append(positive, y == 1)
	}
	return data.X, positive
}

// Pat&Mat with a Gaussian kernel: about a twentieth of the negative examples may be above the threshold.
func ExampleProblem_kernel() {
	x, positive := goodReturns()
	k, err := kernel.New(x, kernel.Gaussian{Gamma: .05}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	p := toprank.Problem[float64]{Kernel: k, Positive: positive}
	r, err := p.Fit(context.Background(), toprank.Config{Method: toprank.PatMat, Tau: .05, Tol: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	above, err := r.Decide(x, 0)
	if err != nil {
		log.Fatal(err)
	}
	found, wrong, negatives := 0, 0, 0
	for i, above := range above {
		switch {
		case above && positive[i]:
			found++
		case above:
			wrong++
		}
		if !positive[i] {
			negatives++
		}
	}
	fmt.Printf("%v: %d of %d good returns above the threshold, %d of %d bad ones\n",
		r.Status, found, len(positive)-negatives, wrong, negatives)
	// Output:
	// converged: 216 of 225 good returns above the threshold, 1 of 126 bad ones
}

// Save a model, and open it with its threshold.
func ExampleOpen() {
	x, positive := goodReturns()
	r, err := toprank.Fit(context.Background(), x, positive, toprank.Config{})
	if err != nil {
		log.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := r.Linear.WriteTo(&file); err != nil { // of a kernel r.Kernel
		log.Fatal(err)
	}

	read, err := linear.Read[float64](&file)
	if err != nil {
		log.Fatal(err)
	}
	m, err := toprank.Open(&model.Model[float64]{Linear: read})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Threshold == r.Threshold)
	// Output: true
}

// Fewer support vectors, with scores that change by little: in the space of a Gaussian kernel k(x, x) is 1.
func ExampleModel() {
	x, positive := goodReturns()
	k, err := kernel.New(x, kernel.Gaussian{Gamma: .05}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	r, err := toprank.Problem[float64]{Kernel: k, Positive: positive}.Fit(context.Background(), toprank.Config{K: 5})
	if err != nil {
		log.Fatal(err)
	}
	small, change, err := r.Kernel.Compress(.1)
	if err != nil {
		log.Fatal(err)
	}
	m, err := toprank.Open(&model.Model[float64]{Kernel: small}) // with the same threshold
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(m.Kernel.Support()) < len(r.Kernel.Support()), change <= .1, m.Threshold == r.Threshold)
	// Output: true true true
}

// Choose C by the precision at recall .8 on three folds.
func ExampleProblem_Path() {
	x, positive := goodReturns()
	k, err := kernel.New(x, kernel.Gaussian{Gamma: .05}, 1<<20)
	if err != nil {
		log.Fatal(err)
	}
	p := toprank.Problem[float64]{Kernel: k, Positive: positive}
	path := toprank.PathConfig{Cs: []float64{.001, .1, 10}, CrossValidation: solvers.CrossValidation{Folds: 3},
		Recall: .8}
	points, err := p.Path(context.Background(), toprank.Config{K: 5, Tol: 1e-6}, path)
	if err != nil {
		log.Fatal(err)
	}
	for _, point := range points {
		fmt.Printf("C %v: precision %.3f\n", point.C, point.Measures[0].Mean)
	}
	best := points[solvers.Best(points, 0)]
	fmt.Printf("best: C %v\n", best.C)
	// Output:
	// C 0.001: precision 0.953
	// C 0.1: precision 0.968
	// C 10: precision 0.984
	// best: C 10
}

// How good the top is on examples that were left out.
func ExampleModel_Scores() {
	x, positive := goodReturns()
	y := make([]int, len(positive))
	for i, positive := range positive {
		if positive {
			y[i] = 1
		}
	}
	parts, err := solvers.Strata{Y: y}.Split(.5, 1)
	if err != nil {
		log.Fatal(err)
	}
	of := func(rows []int) (part []bool) {
		for _, i := range rows {
			part = append(part, positive[i])
		}
		return part
	}
	c := toprank.Config{Method: toprank.PatMat, Tol: 1e-6}
	r, err := toprank.Fit(context.Background(), design.Subset(x, parts.Train), of(parts.Train), c)
	if err != nil {
		log.Fatal(err)
	}
	scores := vec.NewMatrix[float64](len(parts.Test), 1)
	if err := r.Scores(scores, x, parts.Test); err != nil {
		log.Fatal(err)
	}
	precision, _, err := metrics.PrecisionAtRecall(scores.Data, of(parts.Test), .2)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, precision %.2f at recall .2\n", r.Status, precision)
	// Output:
	// converged, precision 0.70 at recall .2
}
