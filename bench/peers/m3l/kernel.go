package main

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

const (
	tol   = 1e-3
	cache = 400 // MB
)

func kernelHead() {
	fmt.Printf("%-40s %10s %10s %8s %10s %8s   %s\n", "problem", "LIBSVM", "float32 s", "ratio", "float64 s", "ratio",
		"Hamming loss on the test part, %")
}

// kernelRace prints a line.
func (p *problem) kernelRace(gamma float64, rounds int) error {
	narrow, err := dataset.ConvertCSR[float32](p.train.x)
	if err != nil {
		return err
	}
	narrowTest, err := dataset.ConvertCSR[float32](p.test.x)
	if err != nil {
		return err
	}
	examples := race.NewExamples(p.train.x)
	defer examples.Free()
	var losses [3]float64 // of the last round
	seconds, err := race.Alternate(rounds, func() (float64, error) {
		coefficients, offsets, seconds := p.libsvm(examples, gamma)
		sets, err := p.predict(coefficients, offsets, gamma)
		if err != nil {
			return 0, err
		}
		losses[0], err = metrics.HammingLoss(sets, p.test.sets, p.labels)
		return seconds, err
	}, ours(p, narrow, narrowTest, gamma, &losses[1]), ours(p, p.train.x, p.test.x, gamma, &losses[2]))
	if err != nil {
		return err
	}
	fmt.Printf("%-40s %10.3f %10.3f %8.1f %10.3f %8.1f   LIBSVM %.3f, float32 %.3f, float64 %.3f\n", p.name, seconds[0],
		seconds[1], seconds[0]/seconds[1], seconds[2], seconds[0]/seconds[2], 100*losses[0], 100*losses[1],
		100*losses[2])
	return nil
}

// ours returns a turn of ours, which sets the Hamming loss.
func ours[T vec.Float](p *problem, x, test *dataset.CSR[T], gamma float64, loss *float64) func() (float64, error) {
	return func() (float64, error) {
		r, seconds, err := trainKernel(p, x, gamma)
		if err != nil {
			return 0, err
		}
		sets, err := solvers.LabelSets[T](r, test, 1)
		if err != nil {
			return 0, err
		}
		*loss, err = metrics.HammingLoss(sets, p.test.sets, p.labels)
		return seconds, err
	}
}

// trainKernel trains ours. The CPU seconds include the layout of the examples for the kernel.
func trainKernel[T vec.Float](p *problem, x *dataset.CSR[T], gamma float64) (*m3l.Result[T], float64, error) {
	start := race.CPUSeconds()
	k, err := kernel.New(design.Matrix[T](x), kernel.Gaussian{Gamma: gamma}, cache<<20)
	if err != nil {
		return nil, 0, err
	}
	r, err := m3l.Problem[T]{Kernel: k, Sets: p.train.sets}.Fit(context.Background(),
		m3l.Config{C: cost, Loss: m3l.Hinge, Labels: p.labels, Tol: tol, Epochs: 1 << 20, Workers: 1})
	seconds := race.CPUSeconds() - start
	if err == nil && r.Status != solvers.Converged {
		err = fmt.Errorf("ours: %v", r.Outcome)
	}
	return r, seconds, err
}

// libsvm trains it label by label; the score of label l is Σ_i coefficients_il k(x_i, x) + offsets_l.
func (p *problem) libsvm(examples *race.Examples, gamma float64) (
	coefficients vec.Matrix[float64], offsets []float64, seconds float64,
) {
	coefficients, offsets = vec.NewMatrix[float64](p.train.x.Rows, p.labels), make([]float64, p.labels)
	for l := range p.labels {
		took, column, offset := examples.LIBSVM(cost, gamma, cache, p.signs(l))
		for i, v := range column {
			coefficients.Row(i)[l] = v
		}
		offsets[l] = offset
		seconds += took
		progress("LIBSVM", l+1, p.labels, seconds)
	}
	return coefficients, offsets, seconds
}

// predict returns the label sets that LIBSVM predicts for the test part. That is not timed, so our kernel serves.
func (p *problem) predict(coefficients vec.Matrix[float64], offsets []float64, gamma float64) ([][]int, error) {
	k, err := kernel.New(design.Matrix[float64](p.train.x), kernel.Gaussian{Gamma: gamma}, 0)
	if err != nil {
		return nil, err
	}
	m, err := kernel.NewExpansion(k, coefficients, nil)
	if err != nil {
		return nil, err
	}
	rows := make([]int, p.test.x.Rows)
	for i := range rows {
		rows[i] = i
	}
	scores := vec.NewMatrix[float64](len(rows), p.labels)
	if err := m.Scores(scores, p.test.x, rows); err != nil {
		return nil, err
	}
	sets := make([][]int, len(rows))
	for i := range sets {
		for l, s := range scores.Row(i) {
			if s+offsets[l] > 0 {
				sets[i] = append(sets[i], l)
			}
		}
	}
	return sets, nil
}
