package tracenorm

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// storage is a way to hold the examples of the compressed training.
type storage struct {
	name   string
	x      design.Matrix[float32]
	speed  float64 // wanted
	memory float64 // MB
	least  float64 // seconds
	done   solvers.Outcome
}

// compressed trains on codes, a byte for 16 features, and on the decoded matrix, the same problem, to a gap of 1e-2, in
// turn and on one core. Examples are made: noise besides factors of low rank that tell classes.
func (c *command) compressed(ctx context.Context) error {
	c.Bar.Show(0, "compressed, examples")
	x, y := lowRank(c.examples, c.features, c.classes, c.seed)
	rows, err := c.storages(ctx, x)
	if err != nil {
		return err
	}
	config := tracenorm.Config{Tol: 1e-2, Classes: c.classes, Workers: 1, Seed: c.seed}
	largest, err := tracenorm.Problem[float32]{X: rows[0].x, Y: y}.LargestLambda1(config)
	if err != nil {
		return err
	}
	config.Lambda1, config.Lambda2 = largest/100, largest/1e4 // best in top-1 on other examples, of a grid around them
	for round := range c.rounds {
		for k := range rows {
			r := &rows[k]
			c.Bar.Show(float64(round)/float64(c.rounds), "compressed, "+r.name)
			steps, done, err := fit(ctx, tracenorm.Problem[float32]{X: r.x, Y: y}, config)
			if err != nil {
				return fmt.Errorf("%s: %w", r.name, err)
			}
			r.least, r.done = min(r.least, steps[len(steps)-1].seconds), done
		}
	}
	return c.printCompressed(rows, config)
}

// storages compresses x, decodes it there, and returns it and the codes.
func (c *command) storages(ctx context.Context, x vec.Matrix[float32]) ([]storage, error) {
	n, d := x.Rows, x.Cols
	q, err := pq.Train(ctx, x, pq.Config{M: d / 16, Iterations: 5, PointsPerCentroid: 20, Seed: c.seed,
		Workers: c.workers})
	if err != nil {
		return nil, err
	}
	codes := make([]byte, n*q.CodeSize())
	if err := q.Encode(codes, x, c.workers); err != nil {
		return nil, err
	}
	if err := q.Decode(x, codes, c.workers); err != nil {
		return nil, err
	}
	rows := []storage{
		{name: "dense", x: &dataset.Dense[float32]{Matrix: x}, memory: float64(n) * float64(d) * 4 / 1e6},
		{name: "codes, float32 tables", speed: 3},
		{name: "codes, 16-bit tables", speed: 3.5},
	}
	for k, tables := range []pq.Tables{pq.Float32, pq.Int16} {
		m, err := pq.NewMatrix(q, n, codes, pq.MatrixOptions{Tables: tables, Workers: 1})
		if err != nil {
			return nil, err
		}
		const lists = 2 // bytes for each byte of codes
		rows[k+1].x, rows[k+1].memory = m, float64(m.Bytes())*(1+lists)/1e6
	}
	for k := range rows {
		rows[k].least = math.Inf(1)
	}
	return rows, nil
}

func (c *command) printCompressed(rows []storage, config tracenorm.Config) error {
	t, err := c.Begin(report.Table{
		Name: "tracenorm-compressed", Rows: "examples",
		Title: fmt.Sprintf("Training to a gap of 1e-2, n = %d, d = %d, %d classes, lambda1 = %.2g, lambda2 = %.2g, "+
			"one core",
			c.examples, c.features, c.classes, config.Lambda1, config.Lambda2),
		Columns: []report.Column{{Name: "MB", Digits: 1}, {Name: "smaller", Digits: 1}, {Name: "passes", Digits: 1},
			{Name: "seconds", Digits: 3},
			{Name: "speed", Digits: 2}, {Name: "gap", Digits: 5}},
	})
	if err != nil {
		return err
	}
	var notes []string
	for _, r := range rows {
		speed, smaller := rows[0].least/r.least, rows[0].memory/r.memory
		if err := t.Row(r.name, report.Number(r.memory), report.Number(smaller), report.Number(r.done.Passes),
			report.Number(r.least),
			report.Number(speed), report.Number(r.done.Certificate.RelativeGap())); err != nil {
			return err
		}
		if r.speed > 0 && c.data != "" { // the bars are of the larger size
			notes = append(notes,
				fmt.Sprintf("With %s %.2f times the speed, %v wanted: %s; a %.1fth of the memory, with lists, a 20th "+
					"wanted: %s.",
					r.name, speed, r.speed, report.Verdict(speed >= r.speed), smaller, report.Verdict(smaller >= 20)))
		}
	}
	return t.End(notes...)
}

// lowRank returns n examples of noise and of 30 factors; the class of an example is the one that its factors score
// highest.
func lowRank(n, d, classes int, seed uint64) (vec.Matrix[float32], []int) {
	const factors = 30
	random := func(rows, cols int, stream uint64) vec.Matrix[float32] {
		r, a := rand.New(rand.NewPCG(seed, stream)), vec.NewMatrix[float32](rows, cols)
		for i := range a.Data {
			a.Data[i] = float32(r.NormFloat64())
		}
		return a
	}
	x, hidden, basis := random(n, d, 1), random(n, factors, 2), random(factors, d, 3)
	scale := float32(1 / math.Sqrt(float64(d))) // rows of norm 1.4 or so
	vec.Gemm(vec.NoTrans, vec.NoTrans, scale/float32(math.Sqrt(factors)), hidden, basis, scale, x)
	scores, y := vec.NewMatrix[float32](n, classes), make([]int, n)
	vec.Gemm(vec.NoTrans, vec.NoTrans, 1, hidden, random(factors, classes, 4), 0, scores)
	for i := range y {
		y[i] = vec.ArgMax(scores.Row(i))
	}
	return x, y
}
