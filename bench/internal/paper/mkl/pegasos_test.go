package mkl

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/vec"
)

// TestPegasos compares with the same steps on theta written out, in float64: its coefficients, all norms from scratch.
func TestPegasos(t *testing.T) {
	const n, classes, passes = 20, 3, 3
	for _, p := range []float64{1.05, 1.5, 2} {
		groups, err := randomKernels(3, n, rand.New(rand.NewPCG(1, 1)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := bundle.New(0, groups...)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]int, n)
		for i := range y {
			y[i] = i % classes
		}
		problem, config := mkl.Problem[float32]{Bundle: b, Y: y}, mkl.Config{P: p, C: 10, Classes: classes, Seed: 5}
		g := newPegasos(problem, config)
		for range passes {
			if err := g.pass(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		all := []vec.Matrix[float32]{vec.NewMatrix[float32](n, n), vec.NewMatrix[float32](n, n),
			vec.NewMatrix[float32](n, n)}
		rows := make([]int, n)
		for i := range rows {
			rows[i] = i
		}
		b.Rows(all, rows)
		theta, primal := plain(all, y, classes, p, 10, passes, 5)
		m, err := g.model()
		if err != nil {
			t.Fatal(err)
		}
		got := vec.NewMatrix[float32](n, classes)
		for q, i := range m.Support() {
			copy(got.Row(i), m.Coefficients().Row(q))
		}
		largest := 0.0
		for _, v := range theta {
			largest = max(largest, math.Abs(v))
		}
		// scores and norms are sums of n terms in float32, of which each step takes one of each: n 2^-23 a step
		bound := passes * n * n * 0x1p-23
		for k, v := range theta {
			if math.Abs(v-float64(got.Data[k])) > bound*largest {
				t.Errorf("p = %v, coefficient %d: %v, want %v", p, k, got.Data[k], v)
			}
		}
		if found := g.primal(m, 1); math.Abs(found-primal) > bound*primal {
			t.Errorf("p = %v: objective %v, want %v", p, found, primal)
		}
		r, err := problem.Fit(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if primal < r.Certificate.Dual {
			t.Errorf("p = %v: objective %v is below the dual value %v", p, primal, r.Certificate.Dual)
		}
	}
}

// plain returns the coefficients and the objective after Pegasos in its plainest form.
func plain(all []vec.Matrix[float32], y []int, classes int, p, cost float64, passes int, seed uint64) (theta []float64,
	primal float64) {
	n := len(y)
	q, lambda, random := p/(p-1), 1/(cost*float64(n)), rand.New(rand.NewPCG(seed, 0))
	theta = make([]float64, n*classes)
	product := func(k vec.Matrix[float32], i, class int) (sum float64) {
		for l := range n {
			sum += float64(k.At(i, l)) * theta[l*classes+class]
		}
		return sum
	}
	norms := func() (each []float64, norm float64) {
		for _, k := range all {
			sum := 0.0
			for i := range n {
				for c := range classes {
					sum += theta[i*classes+c] * product(k, i, c)
				}
			}
			each = append(each, math.Sqrt(max(sum, 0)))
			norm += math.Pow(each[len(each)-1], q)
		}
		return each, math.Pow(norm, 1/q)
	}
	margin := func(i int) (worst int, least float64) {
		each, norm := norms()
		s := make([]float64, classes)
		for j, k := range all {
			for c := range s {
				if norm > 0 {
					s[c] += math.Pow(each[j]/norm, q-2) / q * product(k, i, c)
				}
			}
		}
		worst = rival(s, y[i])
		return worst, s[y[i]] - s[worst]
	}
	t := 0.0
	for range passes {
		for _, i := range random.Perm(n) {
			t++
			worst, m := margin(i)
			vec.Scale(1-1/t, theta)
			if m < 1 {
				theta[i*classes+y[i]] += q / (lambda * t)
				theta[i*classes+worst] -= q / (lambda * t)
			}
			if _, norm := norms(); norm/q > 1/math.Sqrt(lambda) {
				vec.Scale(q/math.Sqrt(lambda)/norm, theta)
			}
		}
	}
	_, norm := norms()
	primal = norm * norm / (q * q) / 2
	for i := range n {
		_, m := margin(i)
		primal += cost * max(0, 1-m)
	}
	return theta, primal
}

// rival returns the class other than y with the largest score.
func rival(s []float64, y int) int {
	worst := -1
	for c := range s {
		if c != y && (worst < 0 || s[c] > s[worst]) {
			worst = c
		}
	}
	return worst
}
