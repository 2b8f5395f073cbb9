package main

import (
	"context"
	"fmt"
	"math"
	"syscall"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/vec"
)

// problem is min 1/2 |W|² + C sum_i loss_i.
type problem struct {
	name string
	c    float64
	x    *dataset.Dense[float64]
	y    []int
	m    int
}

// race prints one line.
func (p *problem) race(eps float64, rounds int) error {
	sparse, err := p.x.CSR()
	if err != nil {
		return err
	}
	narrow, err := dataset.ConvertDense[float32](p.x)
	if err != nil {
		return err
	}
	r := newRival(sparse, p.y)
	defer r.free()
	theirs, target := math.Inf(1), 0.0
	for range rounds {
		w, seconds := r.train(p.c, eps, p.m)
		theirs, target = min(theirs, seconds), p.objective(sparse, w)
	}
	fmt.Printf("%-34s %9.0e %12.6g %10.3f", p.name, eps, target, theirs)
	if err := show[float32](p, narrow, sparse, target, theirs, rounds); err != nil {
		return err
	}
	if err := show[float64](p, p.x, sparse, target, theirs, rounds); err != nil {
		return err
	}
	fmt.Println()
	return nil
}

// show prints the seconds that T needs to come as low as target, and the ratio.
func show[T vec.Float](p *problem, x solvers.Features[T], sparse *dataset.CSR[float64], target, theirs float64, rounds int) error {
	tol, seconds, err := reach(p, x, sparse, target)
	if err != nil {
		return err
	}
	if tol == 0 {
		fmt.Printf(" %10s %8s", "-", "-")
		return nil
	}
	for range rounds - 1 {
		_, again, err := train(p, x, tol)
		if err != nil {
			return err
		}
		seconds = min(seconds, again)
	}
	fmt.Printf(" %10.3f %8.2f", seconds, theirs/seconds)
	return nil
}

// reach returns the largest gap, to a fifth, at which ours is as low as target, and the seconds that took; 0 if there is none.
func reach[T vec.Float](p *problem, x solvers.Features[T], sparse *dataset.CSR[float64], target float64) (tol, seconds float64, err error) {
	const least = 1e-8
	high, low := 0.1, 0.0 // too large, and small enough
	for low == 0 || high > 1.2*low {
		try := high / 4
		if low > 0 {
			try = math.Sqrt(low * high)
		}
		if try < least {
			return 0, 0, nil
		}
		w, took, err := train(p, x, try)
		if err != nil {
			return 0, 0, err
		}
		if p.objective(sparse, w) <= target {
			low, seconds = try, took
		} else {
			high = try
		}
	}
	return low, seconds, nil
}

// train returns the weights of ours and the CPU seconds that they took.
func train[T vec.Float](p *problem, x solvers.Features[T], tol float64) (vec.Matrix[float64], float64, error) {
	c := topk.Config{Lambda: 1 / (p.c * float64(p.x.Rows)), Tol: tol, Epochs: 1 << 20, Classes: p.m, Workers: 1}
	start := cpuSeconds()
	r, err := topk.Fit(context.Background(), x, p.y, c)
	seconds := cpuSeconds() - start
	if err != nil {
		return vec.Matrix[float64]{}, 0, err
	}
	narrow := r.Linear.Weights()
	w := vec.NewMatrix[float64](narrow.Rows, narrow.Cols)
	for j := range w.Rows {
		for c, v := range narrow.Row(j) {
			w.Row(j)[c] = float64(v)
		}
	}
	return w, seconds, nil
}

// objective is P C n, in float64 from the weights.
func (p *problem) objective(x *dataset.CSR[float64], w vec.Matrix[float64]) float64 {
	sum, s := 0.0, make([]float64, p.m)
	for i, y := range p.y {
		clear(s)
		columns, values := x.Row(i)
		for k, j := range columns {
			vec.Axpy(values[k], w.Row(int(j)), s)
		}
		loss := 0.0
		for c, v := range s {
			if c != y {
				loss = max(loss, 1+v-s[y])
			}
		}
		sum += loss
	}
	return vec.SquaredNorm(w.Data)/2 + p.c*sum
}

// cpuSeconds is what this process has used.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
