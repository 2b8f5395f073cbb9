package tracenorm

import (
	"context"
	"fmt"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// Codes of Figure 3: four bits for eight features, 64 times less than float32. Eight bits for sixteen features would
// have 12 training images of Fisher vectors a centroid, which fits these images and no others.
const codeBits, codeFeatures = 4, 8

// compress returns the examples as codes of a quantizer that is trained on the examples train.
func compress(ctx context.Context, train, p part, seed uint64, workers int) (coded part, err error) {
	q, err := quantizer(ctx, train, seed, workers)
	if err != nil {
		return coded, err
	}
	x := rows(p.x)
	codes := make([]byte, x.Rows*q.CodeSize())
	if err := q.Encode(codes, x, workers); err != nil {
		return coded, err
	}
	m, err := pq.NewMatrix(q, x.Rows, codes, pq.MatrixOptions{Workers: workers})
	return part{m, p.y}, err
}

func quantizer(ctx context.Context, train part, seed uint64, workers int) (*pq.Quantizer, error) {
	_, d := train.x.Dims()
	return pq.Train(ctx, rows(train.x), pq.Config{
		M: (d + codeFeatures - 1) / codeFeatures, NBits: codeBits, Uneven: true, Seed: seed, Workers: workers,
	})
}

// rows returns all examples as they are.
func rows(x design.Matrix[float32]) vec.Matrix[float32] {
	n, d := x.Dims()
	m := vec.NewMatrix[float32](n, d)
	x.Gather(m, nil)
	return m
}

// figure3 compares training and tests on the examples as they are (Full), training and tests on codes (PQ), and
// training on codes with tests on the examples as they are (Semi-PQ). All have the weights that were chosen for Full.
func (c *command) figure3(ctx context.Context) error {
	sets, err := c.sets()
	if err != nil {
		return err
	}
	s := sets[0]
	full, err := c.all(ctx, s)
	if err != nil {
		return err
	}
	c.Bar.Show(.5, s.name+", compressed")
	train, err := compress(ctx, s.train, s.train, c.seed, c.workers)
	if err != nil {
		return err
	}
	test, err := compress(ctx, s.train, s.test, c.seed, c.workers)
	if err != nil {
		return err
	}
	title := fmt.Sprintf("Figure 3, %s, %d classes, codes of a 64th of the memory", s.name, s.classes)
	t, err := c.Begin(report.Table{
		Name: "tracenorm-figure3-table", Rows: "method", Columns: topColumns(false),
		Title: title + ": % of the test images whose class is among the first guesses",
	})
	if err != nil {
		return err
	}
	picture := chart.Chart{Title: title, X: "guesses", Y: "accuracy, %", LinearX: true, LinearY: true}
	var notes []string
	var ours [3][]float64 // the trace norm's
	for k, m := range methods[:logistic] {
		three, err := c.three(ctx, s, m, train, test, full, k)
		if err != nil {
			return err
		}
		for j, name := range []string{"Full", "PQ", "Semi-PQ"} {
			line, cells := chart.Line{Name: m.name + ", " + name, Y: three[j]}, make([]report.Cell, tops)
			for i, v := range three[j] {
				cells[i], line.X = report.Number(v), append(line.X, float64(i+1))
			}
			picture.Lines = append(picture.Lines, line)
			if err := t.Row(line.Name, cells...); err != nil {
				return err
			}
		}
		notes = append(notes, fmt.Sprintf("%s: of what PQ loses Semi-PQ has back %s at top-1, %s at top-5.", m.name,
			back(three, 0), back(three, 4)))
		if k == trace {
			ours = three
		}
		if k == trace && s.file == "fisher" {
			notes = append(notes, fmt.Sprintf("At least 40%% and 50%% wanted: %s.", report.Verdict(recovered(three,
				0) >= .4 && recovered(three, 4) >= .5)))
		}
	}
	if err := t.End(append(notes, "The paper, on ten classes of Vehicle: almost half of it.")...); err != nil {
		return err
	}
	if err := c.Figure("tracenorm-figure3", picture); err != nil {
		return err
	}
	return c.codeClaims(ours)
}

// codeClaims prints what accuracies at top-1, Full, PQ and Semi-PQ, say of what the paper claims of Figure 3. Where PQ
// costs less than a point there is nothing to have back.
func (c *command) codeClaims(three [3][]float64) error {
	full, coded, semi := three[0][0], three[1][0], three[2][0]
	if err := c.Claim(full-coded <= 5, "Figure 3", "codes of a 64th of the memory cost little accuracy, 5 "+
		"points at most",
		"%.1f%% with codes, %.1f%% without", coded, full); err != nil || full-coded < 1 {
		return err
	}
	return c.Claim(recovered(three, 0) >= .4, "Figure 3", "tests on the examples as they are have almost half of that "+
		"back, 40% at least", "%.0f%% back: %.1f%%", 100*recovered(three, 0), semi)
}

// three returns the accuracies of method k: Full, PQ and Semi-PQ.
func (c *command) three(ctx context.Context, s set, m method, train, test part, full solved, k int) (
	three [3][]float64, err error) {
	coded, err := m.train(c, ctx, train, s.classes, full.choices[k])
	if err != nil {
		return three, err
	}
	three[0] = full.accuracy[k]
	for j, p := range []part{test, s.test} {
		if three[j+1], err = accuracies(coded, p, tops, c.workers); err != nil {
			return three, err
		}
	}
	return three, nil
}

// back is recovered in words; of less than a point there is nothing to tell.
func back(three [3][]float64, j int) string {
	if !(three[0][j]-three[1][j] >= 1) {
		return fmt.Sprintf("- (PQ has %.1f, Full %.1f)", three[1][j], three[0][j])
	}
	return fmt.Sprintf("%.0f%%", 100*recovered(three, j))
}

// recovered returns the part of PQ's loss against Full that Semi-PQ does not have.
func recovered(three [3][]float64, j int) float64 {
	return (three[2][j] - three[1][j]) / (three[0][j] - three[1][j])
}
