package m3l

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/dualgap/dualgap/internal/chart"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// pairTilt is the tilt of Figure 5: with Table 3's every example of the subset has one of the two labels.
const pairTilt = 1

// figure5 draws the Hamming loss of two labels against r, R being [1 r; r 1]. The labels are the pair of the largest
// correlation, in magnitude, of which a subset with another correlation can be drawn: there are examples enough of it
// with both, one, the other and neither. The subset is drawn as for Table 3, by this pair alone. C is chosen with r =
// 0.
func (c *command) figure5(ctx context.Context) error {
	picture := chart.Chart{
		Title: "Figure 5: test Hamming loss of two labels, and their correlation in training", X: "r",
		Y:       "Hamming loss, %",
		LinearX: true, LinearY: true,
	}
	sets, err := c.open(siam, yeast)
	if err != nil {
		return err
	}
	for _, d := range sets {
		line, err := c.figure5Of(ctx, d)
		if err != nil {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		picture.Lines = append(picture.Lines, line)
	}
	return c.Figure("m3l-figure5", picture)
}

func (c *command) figure5Of(ctx context.Context, d *set) (line chart.Line, err error) {
	chosen, ok := reversible(d.train.sets, d.labels, c.size)
	if !ok {
		return line, fmt.Errorf("no two labels with %d examples of both, one, the other and neither", c.size/2)
	}
	two := &set{train: d.train.only(chosen), test: d.test.only(chosen), labels: 2}
	for k := -10; k <= 10; k++ {
		line.X = append(line.X, float64(k)/10)
	}
	line.Y = make([]float64, len(line.X))
	var train float64
	for number := range c.draws {
		t, err := c.task(two, []pair{{0, 1, chosen.weight}}, pairTilt, rand.New(rand.NewPCG(c.seed+uint64(number), 5)))
		if err != nil {
			return line, err
		}
		rho, err := m3l.Correlations(t.train.sets, 2, 0)
		if err != nil {
			return line, err
		}
		train += rho.At(0, 1) / float64(c.draws)
		parts, err := solvers.Strata{Sets: t.train.sets}.Split(1./3, c.seed+uint64(number))
		if err != nil {
			return line, err
		}
		_, cost, err := t.choose(ctx, methods[oneVsAll], parts, two.test)
		if err != nil {
			return line, err
		}
		for k, r := range line.X {
			done := float64(number*len(line.X)+k) / float64(c.draws*len(line.X))
			c.Bar.Show(done, fmt.Sprintf("%s, draw %d, r = %v", d.name, number+1, r))
			t.r = vec.MatrixOf(2, 2, []float64{1, r, r, 1})
			loss, err := t.loss(ctx, methods[0], t.train, cost, two.test)
			if err != nil {
				return line, err
			}
			line.Y[k] += 100 * loss / float64(c.draws)
		}
	}
	test, err := m3l.Correlations(two.test.sets, 2, 0)
	if err != nil {
		return line, err
	}
	line.Name = fmt.Sprintf("%s: %.2f, test %.2f", d.name, train, test.At(0, 1))
	if err := c.Print("\n%s, labels %d and %d: their correlation is %.2f in the training subsets, %d draws of %d "+
		"examples,\n"+
		"and %.2f in the test part", d.name, chosen.a, chosen.b, train, c.draws, c.size, test.At(0, 1)); err != nil {
		return line, err
	}
	right, wrong := extremes(line, test.At(0, 1))
	zero := line.Y[len(line.Y)/2]
	return line, c.Claim(right < zero && wrong > zero, "Figure 5", "an r of the test correlation's sign has a smaller "+
		"loss than r = 0, one of the other sign a larger", "%.2f%% at best, %.2f%% at r = 0, %.2f%% at worst", right,
		zero, wrong)
}

// extremes returns the least loss among the r of a correlation's sign, and the largest among the others.
func extremes(line chart.Line, correlation float64) (right, wrong float64) {
	right, wrong = math.Inf(1), math.Inf(-1)
	for k, r := range line.X {
		switch {
		case r*correlation > 0:
			right = min(right, line.Y[k])
		case r*correlation < 0:
			wrong = max(wrong, line.Y[k])
		}
	}
	return right, wrong
}

// only returns p with the two labels of a pair.
func (p part) only(two pair) part {
	q := part{x: p.x}
	for _, s := range p.sets {
		var set []int
		for _, l := range s {
			for k, own := range []int{two.a, two.b} {
				if l == own {
					set = append(set, k)
				}
			}
		}
		q.sets = append(q.sets, set)
	}
	return q
}

// reversible returns the pair of the largest |ρ| of which size/2 examples at least have both labels, only the first,
// only the second, and neither.
func reversible(sets [][]int, labels, size int) (best pair, ok bool) {
	pairs, err := frequentPairs(sets, labels)
	if err != nil {
		return best, false
	}
	for _, p := range pairs {
		var count [4]int
		for _, s := range (part{sets: sets}).only(p).sets {
			kind := 0
			for _, k := range s {
				kind += 1 << k
			}
			count[kind]++
		}
		fewest := min(count[0], count[1], count[2], count[3])
		if math.Abs(p.weight) > math.Abs(best.weight) && fewest >= size/2 {
			best, ok = p, true
		}
	}
	return best, ok
}
