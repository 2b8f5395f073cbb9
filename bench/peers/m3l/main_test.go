package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/bench/peers/race"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// small draws examples of d features whose labels are half of them false; the last label is never seen.
func small(t *testing.T) *problem {
	const n, d, labels = 120, 6, 4
	rng := rand.New(rand.NewPCG(5, 6))
	teacher := vec.NewMatrix[float64](d, labels)
	for j := range teacher.Data {
		teacher.Data[j] = rng.NormFloat64()
	}
	draw := func() part {
		x, sets := vec.NewMatrix[float64](n, d), make([][]int, n)
		scores := make([]float64, labels)
		for i := range n {
			for j := range d {
				x.Row(i)[j] = rng.NormFloat64() / 2
			}
			vec.GemvT(1, teacher, x.Row(i), 0, scores)
			for l, s := range scores[:labels-1] {
				if s+rng.NormFloat64()/4 > 0 {
					sets[i] = append(sets[i], l)
				}
			}
		}
		sparse, err := (&dataset.Dense[float64]{Matrix: x}).CSR()
		if err != nil {
			t.Fatal(err)
		}
		return part{sparse, sets}
	}
	return &problem{name: "small", train: draw(), test: draw(), labels: labels}
}

// TestLIBLINEAR: ours and LIBLINEAR's objectives are the same, each within the accuracy that was asked for: no column
// of either is turned round or in another's place.
func TestLIBLINEAR(t *testing.T) {
	p := small(t)
	examples := race.NewExamples(p.train.x)
	defer examples.Free()
	for _, solver := range []int{race.Hinge, race.SquaredHinge, race.Logistic, race.LogisticNewton} {
		const eps, gap = 1e-9, 1e-6
		l := race.Linear{X: p.train.x, C: cost, Loss: p.loss(solver)}
		w, _ := p.liblinear(examples, solver, eps)
		ours, _, err := trainLinear[float64](p, p.train.x, solver)(gap)
		if err != nil {
			t.Fatal(err)
		}
		theirs, mine := l.Objective(w), l.Objective(ours)
		slack := cost * eps * float64(len(p.train.sets)*p.labels) // of variables whose conditions hold to eps
		if theirs < mine*(1-gap) || mine < theirs-slack {
			t.Errorf("solver %d: objective %.10g, ours %.10g", solver, theirs, mine)
		}
	}
}

// TestLIBSVM: the largest coefficients of both are the cost, as some examples are within the margin, and both predict
// with less than half of the loss of no labels at all.
func TestLIBSVM(t *testing.T) {
	p := small(t)
	examples := race.NewExamples(p.train.x)
	defer examples.Free()
	coefficients, offsets, _ := p.libsvm(examples, 1)
	if last := offsets[p.labels-1]; last != -1 {
		t.Errorf("offset %g of a label never seen", last)
	}
	sets, err := p.predict(coefficients, offsets, 1)
	if err != nil {
		t.Fatal(err)
	}
	hamming := func(sets [][]int) float64 {
		loss, err := metrics.HammingLoss(sets, p.test.sets, p.labels)
		if err != nil {
			t.Fatal(err)
		}
		return loss
	}
	r, _, err := trainKernel(p, p.train.x, 1)
	if err != nil {
		t.Fatal(err)
	}
	if theirs, ours := vec.Max(coefficients.Data), vec.Max(r.Duals.Data); theirs != cost || ours != cost {
		t.Errorf("largest coefficients %g, ours %g, want %d", theirs, ours, cost)
	}
	var loss float64
	if _, err := ours(p, p.train.x, p.test.x, 1, &loss)(); err != nil {
		t.Fatal(err)
	}
	theirs, none := hamming(sets), hamming(make([][]int, len(p.test.sets)))
	if loss > none/2 || theirs > none/2 {
		t.Errorf("Hamming loss %g, ours %g, of no labels %g", theirs, loss, none)
	}
}

// TestPredict: a label is predicted where its coefficients and its offset make a positive score.
func TestPredict(t *testing.T) {
	p := small(t)
	p.test = p.train
	coefficients := vec.NewMatrix[float64](p.train.x.Rows, p.labels)
	copy(coefficients.Row(3), []float64{1, -1, 0, 0})
	sets, err := p.predict(coefficients, []float64{-.99, .99, 1, -1}, 50) // k(x_3, x) is 1 there, and small elsewhere
	if err != nil {
		t.Fatal(err)
	}
	for i, set := range sets {
		want := []int{1, 2}
		if i == 3 {
			want = []int{0, 2}
		}
		if !slices.Equal(set, want) {
			t.Errorf("example %d: %v, want %v", i, set, want)
		}
	}
}

// TestLoss: the objective is as defined.
func TestLoss(t *testing.T) {
	p := &problem{labels: 3, train: part{sets: [][]int{{0, 2}}}}
	for solver, want := range map[int]float64{race.Hinge: .5 + 1.25 + 3, race.SquaredHinge: .25 + 1.25*1.25 + 9} {
		if got := p.loss(solver)(0, []float64{.5, .25, -2}); got != want {
			t.Errorf("solver %d: %g, want %g", solver, got, want)
		}
	}
}

func TestErrors(t *testing.T) {
	for want, args := range map[string]struct {
		pattern string
		rounds  int
	}{
		"missing closing": {"(", 1},
		"-rounds 0: want": {"", 0},
	} {
		if err := run(t.TempDir(), args.pattern, args.rounds); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := run(t.TempDir(), "", 1); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
}

// TestData: the sets have the sizes that the names of the races tell.
func TestData(t *testing.T) {
	data := os.Getenv("DUALGAP_DATA")
	if data == "" {
		t.Skip("DUALGAP_DATA does not name the folder of larger sets")
	}
	for _, r := range races {
		p, err := r.open(data, r.n)
		if err != nil {
			t.Skip(err)
		}
		if p.train.x.Rows != r.n || len(p.train.sets) != r.n || len(p.test.sets) != p.test.x.Rows ||
			p.train.x.Cols != p.test.x.Cols {
			t.Errorf("%s: %d by %d, %d sets", r.name, p.train.x.Rows, p.train.x.Cols, len(p.train.sets))
		}
	}
	if _, err := tmc2007(data, 1e6); err == nil || !strings.Contains(err.Error(), "has 21519 examples, want 1000000") {
		t.Errorf("too many examples: %v", err)
	}
}
