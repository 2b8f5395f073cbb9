package svm

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
)

// TestEmulated is a short training with each loss, on dense and sparse examples and with a kernel, by single rows and
// by blocks: what runs of this package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(97, 98))
	x, y, targets := drawn[T](rng, 40, 7)
	for _, l := range append(losses, single) {
		if l == single {
			x = aside(x)
		}
		for _, p := range []Problem[T]{{X: x}, {X: thin(t, rng, x, 2)}, gaussian(t, Problem[T]{X: x})} {
			for _, size := range []int{0, 8} {
				for _, workers := range []int{1, 2} {
					if l == single {
						solve(t, p.of(l, y, targets), Config{Nu: .2, BlockSize: size, Workers: workers})
						continue
					}
					c := Config{C: .5, Loss: l, BlockSize: size, Workers: workers}
					solve(t, p.of(l, y, targets), c)
					c.Offset = true
					solve(t, p.of(l, y, targets), c)
				}
			}
			if p.X != nil && l != single {
				solve(t, p.of(l, y, targets), Config{C: .5, Loss: l, Algorithm: Newton, Workers: 2, Bias: 1})
				solve(t, p.of(l, y, targets), Config{C: .5, Loss: l, Algorithm: Newton, Workers: 2, Offset: true})
			}
		}
	}
}

// TestOneLabel: two classes by the hinge are one label of package m3l.
func TestOneLabel(t *testing.T) {
	x, y, _ := drawn[float64](rand.New(rand.NewPCG(41, 42)), 100, 6)
	sets := make([][]int, len(y))
	for i := range y {
		sets[i] = []int{0}[:y[i]]
	}
	for l, theirs := range map[Loss]m3l.Loss{Hinge: m3l.Hinge, SquaredHinge: m3l.SquaredHinge,
		Logistic: m3l.Logistic} {
		r := solve(t, Problem[float64]{X: x, Y: y}, Config{Loss: l, Bias: 1, Tol: 1e-8, Epochs: 1 << 20})
		want, err := m3l.Fit(context.Background(), x, sets, m3l.Config{Loss: theirs, Labels: 1, Bias: 1, Tol: 1e-8,
			Epochs: 1 << 20})
		if err != nil || math.Abs(r.Certificate.Primal-want.Certificate.Primal) > 2e-8*want.Certificate.Primal {
			t.Errorf("%v: %v, want %v, %v", l, r.Outcome, want.Outcome, err)
		}
	}
}

// TestTruth: the optima are not above LIBLINEAR's objectives with -e 1e-10, and the dual values not above them, on
// committed sets: spam messages, each feature over its largest size, and the ratings of red wines, of which the
// features are standardized; a constant feature of 1 in both; C = 1, epsilon = .1.
func TestTruth(t *testing.T) {
	spam, wine := scaledSamples(t)
	x, z := spam.X, wine.X
	for k := range 2 * len(losses) {
		l := losses[k/2]
		want := truth[l]
		p := Problem[float64]{X: x}
		c := Config{Loss: l, Bias: 1, Tol: 1e-6, Epochs: 1 << 20, Algorithm: []Algorithm{Ascent, Newton}[k%2]}
		if l.ofTargets() {
			p.X, p.Targets, c.Epsilon = z, wine.Values, .1
		} else {
			p.Y = spam.Y
		}
		r, err := p.Fit(context.Background(), c)
		if err != nil || r.Status != solvers.Converged {
			t.Fatal(told(r), err)
		}
		least := want * (1 - 1.1e-6)
		if l == Insensitive { // LIBLINEAR stopped at 1000 passes
			least = want * (1 - 1e-4)
		}
		if got := r.Certificate; got.Primal < least || got.Primal > want*(1+1.1e-6) || got.Dual > want*(1+1e-9) {
			t.Errorf("%v by %v: %v, LIBLINEAR has %.10g", l, c.Algorithm, r.Outcome, want)
		}
	}
}

// scaledSamples returns spam messages, each feature over its largest size, and red wines, whose features are
// standardized.
func scaledSamples(t *testing.T) (messages struct {
	X design.Matrix[float64]
	Y []int
}, wines struct {
	X      design.Matrix[float64]
	Values []float64
}) {
	t.Helper()
	spam := samples.Spambase[float64]()
	wine := samples.RedWine[float64]()
	scaled := func(x *dataset.Dense[float64], s *dataset.Scaling, err error) design.Matrix[float64] {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		to, err := x.Scaled(s)
		if err != nil {
			t.Fatal(err)
		}
		return to
	}
	bySize := &dataset.Scaling{Factor: slices.Repeat([]float64{0}, 57)}
	for i := range spam.X.Rows {
		for j, v := range spam.X.Row(i) {
			bySize.Factor[j] = max(bySize.Factor[j], math.Abs(v))
		}
	}
	for j, v := range bySize.Factor {
		bySize.Factor[j] = 1 / v
	}
	standard, err := dataset.Standardize(wine.X)
	x, z := scaled(spam.X, bySize, nil), scaled(wine.X, standard, err)
	messages.X, messages.Y, wines.X, wines.Values = x, spam.Y, z, wine.Values
	return messages, wines
}

// TestModels: a model knows its classes, or that it predicts numbers, when it is read again; what it is not is an
// error.
func TestModels(t *testing.T) {
	x, y, targets := drawn[float64](rand.New(rand.NewPCG(43, 44)), 50, 4)
	r := solve(t, Problem[float64]{X: x, Y: y, Names: []string{"ham", "spam"}}, Config{})
	opened, err := Open(r.Model.Model)
	if err != nil || !slices.Equal(opened.Classes, []string{"ham", "spam"}) || r.Names()[0] != "spam" {
		t.Error(opened, err, r.Names())
	}
	classes, err := solvers.Predict[float64](r, x, 1)
	if err != nil {
		t.Fatal(err)
	}
	scores, right := vec.NewMatrix[float64](50, 1), 0
	if err := r.Scores(scores, x, nil); err != nil {
		t.Fatal(err)
	}
	for i, class := range classes {
		if (class == 1) != (scores.Data[i] > 0) {
			t.Errorf("score %v, class %d", scores.Data[i], class)
		}
		if class == y[i] {
			right++
		}
	}
	if right < 40 {
		t.Errorf("%d of 50 right", right)
	}
	numbers := solve(t, Problem[float64]{X: x, Targets: targets}, Config{})
	if opened, err := Open(numbers.Model.Model); err != nil || opened.Classes != nil {
		t.Error(opened, err)
	}
	_, err = Open(numbers.Model.Model.WithNotes(nil))
	contains(t, err, "svm: a model whose notes have neither")
	_, err = Open(numbers.Model.Model.WithNotes(map[string]string{NoteClasses: "[1]"}))
	contains(t, err, "svm: ", "two names")
	_, err = Open[float64](nil)
	contains(t, err, "svm: no model")
}

// truth has the objectives where LIBLINEAR stops at -e 1e-10, computed from its weights with exact sums: by -s 3, -s 1
// and 2, -s 13, -s 11, -s 0. By -s 13 it stops above the optimum.
var truth = map[Loss]float64{
	Hinge: 1449.04640022, SquaredHinge: 1532.17133012, Insensitive: 659.697092399, SquaredInsensitive: 537.305504788,
	Logistic: 1697.28727062,
}
