package ascent

import (
	"errors"
	"math"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/solvers/loss"
)

// oneLabel is three examples of one label, of weights 2, 1 and 0, with a loss.
func oneLabel(l loss.Loss[float64]) *Problem[float64] {
	return &Problem[float64]{Labels: family.Labels{Sets: [][]int{{0}, nil, {0}}}, Outputs: 1,
		Radius: []float64{2, 1, 0}, Loss: l, Exact: l}
}

// TestLossesOff: a loss is off by its slope times e = Norm n + 3 u (1 + |Offset|) where it is positive, by what is
// beyond its kink where that is near, and by nothing far on its flat side; a square by 2 z e + e² besides.
func TestLossesOff(t *testing.T) {
	norm := func(i int) float64 { return float64(1 + i) }
	s, m := Slack{Norm: 0x1p-10, Offset: 3}, &Shaken{}
	const e, e1 = 0x1p-10, 0x1p-9 // and some roundoffs
	square := func(i int) float64 { return norm(i) * norm(i) }
	hinge, squared := oneLabel(loss.LabelHinge[float64]{}).Losses(square),
		oneLabel(loss.SquaredHinge[float64]{}).Losses(square)
	for _, c := range []struct {
		of    *Losses
		i     int
		score float64
		want  float64
	}{
		{hinge, 0, 0, 2 * e}, {hinge, 0, 1, 2 * e}, {hinge, 0, 1 + e/2, e}, {hinge, 0, 1.1, 0}, {hinge, 0, 9, 0},
		{hinge, 1, 0, e1}, {hinge, 1, -1, e1}, {hinge, 1, -1.1, 0}, {hinge, 2, 0, 0},
		{squared, 0, 0, 2 * (2*e + e*e)}, {squared, 0, 1, 2 * e * e}, {squared, 0, 1.1, 0},
		{squared, 1, 1, 4*e1 + e1*e1},
	} {
		got := c.of.Off(c.i, norm(c.i), []float64{c.score}, s, m)
		if !(math.Abs(got-c.want) <= 0x1p-40*(1+got)) {
			t.Errorf("example %d at %v: off by %v, want %v", c.i, c.score, got, c.want)
		}
	}
	// the sums 3 of the weights, 2 1 + 1 4 = 6 of the squares, and 3 of the losses at the scores 0
	if got, want := hinge.Most(s, 3), e*math.Sqrt(18); !(got >= want && got <= want+0x1p-40) {
		t.Errorf("hinges are off by %v at most, want %v", got, want)
	}
	if got := squared.Most(s, 3); !(got >= 2*(2*e+e*e)+2*e1+e1*e1) {
		t.Errorf("squares are off by %v at most", got)
	}
}

// TestLossesUnderflow: squares that are 0 in float64 may be as large as the least number, times their weight.
func TestLossesUnderflow(t *testing.T) {
	p := oneLabel(loss.SquaredEpsilonInsensitive[float64]{Targets: &loss.Targets{Y: []float64{1e-170, 1e-170, 1}}})
	p.Radius = []float64{1e154, 1, 0}
	l := p.Losses(func(int) float64 { return 0 })
	for i, r := range p.Radius {
		if got := l.Off(i, 0, []float64{0}, Slack{}, &Shaken{}); !(got >= r*least && got <= 4*r*least) {
			t.Errorf("a loss of weight %v is off by %v", r, got)
		}
	}
	if got := l.Most(Slack{}, 0); !(got >= 1e154*least) {
		t.Errorf("all are off by %v at most", got)
	}
}

// TestLossesSum: the sum is Most's where that is enough, and else a closer look's, which is no more. It allocates
// nothing.
func TestLossesSum(t *testing.T) {
	norm := func(int) float64 { return 1 }
	l, s, m := oneLabel(loss.LabelHinge[float64]{}).Losses(norm), Slack{Norm: 0x1p-10}, &Shaken{}
	at := [][]float64{{5}, {0}, {0}} // far on the flat side, with a loss, without a weight
	scores := func(i int) []float64 { return at[i] }
	most, closer := l.Sum(s, 1, 1, norm, scores, m), l.Sum(s, 1, 0, norm, scores, m)
	if most != l.Most(s, 1) || !(math.Abs(closer-0x1p-10) <= 0x1p-40) || !(most >= 2.5*closer) {
		t.Errorf("off by %v, with a closer look by %v", most, closer)
	}
	if count := prove.Allocs(10, func() { l.Sum(s, 1, 0, norm, scores, m) }); count > 0 {
		t.Errorf("%v allocations", count)
	}
}

// TestLossesRefused: a certificate whose losses may be off by more than its gap and the tolerance is refused, on
// features and on a kernel: of weights so large that roundoffs of scores times them are.
func TestLossesRefused(t *testing.T) {
	for _, c := range []struct {
		off     float64
		refused bool
	}{{.99e-3, false}, {1.01e-3, true}} {
		r := NewRounding(0, 0, 3, 2)
		r.AddOff(c.off)
		at := solvers.Certificate{Primal: 1, Dual: 1 - 1e-6}
		for name, err := range map[string]error{
			"form":    r.Check(new(train.Trust), at, 1, 1e-3, 0),
			"weights": r.CheckWeights(new(train.Trust), at, 1, 1e-3, 0),
		} {
			if errors.Is(err, train.ErrRounding) != c.refused {
				t.Errorf("%s, off by %g: %v", name, c.off, err)
			}
		}
		r = NewRounding(0, 0, 3, 2)
		r.AddTerm(c.off / (3 * math.Sqrt(8) * roundoff)) // t = 3 + 2 + 3
		if err := r.Check(new(train.Trust), at, 1, 1e-3, 0); errors.Is(err, train.ErrRounding) != c.refused {
			t.Errorf("dual terms off by %g: %v", c.off, err)
		}
	}
}
