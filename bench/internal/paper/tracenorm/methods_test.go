package tracenorm

import (
	"math"
	"testing"

	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// Where classes are as large as each other, the share of a class weighs all losses by 1: that is m3l.OneVsAll.
func TestBalanced(t *testing.T) {
	s := tiny()
	c := &command{workers: 2}
	const tol = 1e-6
	at := choice{cost: 1, share: 1 / float64(s.classes)}
	parts, err := c.restOf(t.Context(), s.train, s.classes, at, tol)
	if err != nil {
		t.Fatal(err)
	}
	at.share = 0
	together, err := c.restOf(t.Context(), s.train, s.classes, at, tol)
	if err != nil {
		t.Fatal(err)
	}
	a, b := parts.Weights(), together.Weights()
	square, all := 0.0, 0.0
	for j := range a.Rows {
		square += vec.SquaredNorm(difference(a.Row(j), b.Row(j)))
		all += float64(vec.SquaredNorm(b.Row(j)))
	}
	// P is strongly convex: |W - W*|²/2 is at most the gap, tol times P, for each of both. P is at most its value at W
	// = 0, C n for a class.
	gap := tol * float64(len(s.train.y)*s.classes)
	if bound := 2 * math.Sqrt(2*gap); !(math.Sqrt(square) <= bound) || !(math.Sqrt(all) > 10*bound) {
		t.Errorf("weights of norm %v differ by %v, bound %v", math.Sqrt(all), math.Sqrt(square), bound)
	}
	at.share = .5
	heavy, err := c.restOf(t.Context(), s.train, s.classes, at, tol)
	if err != nil {
		t.Fatal(err)
	}
	// The more a part of the losses weighs, the smaller it is at the optimum.
	own := func(m solvers.Scorer[float32]) (sum float64) {
		scores := vec.NewMatrix[float32](len(s.train.y), s.classes)
		if err := m.Scores(scores, s.train.x, nil); err != nil {
			t.Fatal(err)
		}
		for i, y := range s.train.y {
			sum += math.Pow(max(0, 1-float64(scores.Row(i)[y])), 2)
		}
		return sum
	}
	if before, after := own(together), own(heavy); !(after < before) {
		t.Errorf("losses of the classes' own examples: %v, %v where they weigh more", before, after)
	}
}

func difference(a, b []float32) []float64 {
	d := make([]float64, len(a))
	for i := range d {
		d[i] = float64(a[i]) - float64(b[i])
	}
	return d
}

// The cost with the best accuracy is chosen, of equal ones the smallest; noise with no classes in it has no best one,
// and ends too.
func TestChoose(t *testing.T) {
	s := tiny()
	c := &command{Report: quiet(t), tol: 1e-2, scan: 3e-2, workers: 1, steps: 2, seed: 1}
	fold, err := solvers.Folds(s.train.y, len(s.train.y), folds, c.seed)
	if err != nil {
		t.Fatal(err)
	}
	best, err := c.chooseRest(t.Context(), s.train, s.classes)
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := c.validate(t.Context(), s.train, s.classes, fold, best)
	if err != nil {
		t.Fatal(err)
	}
	for _, share := range shares {
		for _, cost := range costs[:2] { // no two are worse than one before them
			got, err := c.validate(t.Context(), s.train, s.classes, fold, choice{cost: cost, share: share})
			if err != nil || got > chosen {
				t.Errorf("cost %v, share %v: %v, %v; chosen %+v with %v", cost, share, got, err, best, chosen)
			}
		}
	}
	for k, m := range methods {
		at, err := m.choose(c, t.Context(), s.train, s.classes)
		if err != nil {
			t.Fatal(err)
		}
		if (k == logistic) != (at.lambda1 == 0 && at.lambda2 > 0) && k != rest || (k == rest) != (at.cost > 0) ||
			m.text(at) == "" {
			t.Errorf("%s: %+v, %s", m.name, at, m.text(at))
		}
	}
}

func quiet(t *testing.T) *report.Report {
	r, err := report.New(t.Output(), t.Output(), "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Two classes have no third guess: from the second on all is right.
func TestAccuracies(t *testing.T) {
	s := tiny().of([]int{3, 7})
	r, err := tracenorm.Fit(t.Context(), s.train.x, s.train.y, tracenorm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := accuracies(r, s.test, 4, 1)
	if err != nil || len(got) != 4 || !(got[0] > 80) || got[1] != 100 || got[3] != 100 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestNumbers(t *testing.T) {
	if g := grid(100, 1, 3); len(g) != 3 || g[0] != 100 || math.Abs(g[1]-10) > 1e-13 || math.Abs(g[2]-1) > 1e-14 ||
		grid(5, 1, 1)[0] != 5 {
		t.Error(g)
	}
	values := []float64{3, 2, 1, 0} // squares 9, 4, 1
	if a, b, c, r := holding(values, .5), holding(values, .9), holding(values, .99), rank(values); a != 1 || b != 2 ||
		c != 3 || r != 3 {
		t.Error(a, b, c, r)
	}
	if got := recovered([3][]float64{{0, 60}, {0, 50}, {0, 54}}, 1); got != .4 {
		t.Error(got)
	}
	if a, b := back([3][]float64{{60}, {50}, {54}}, 0), back([3][]float64{{60}, {60}, {60}}, 0); a != "40%" ||
		b != "- (PQ has 60.0, Full 60.0)" {
		t.Error(a, b)
	}
	if s := (step{primal: 2, dual: 1}); s.gap() != .5 {
		t.Error(s.gap())
	}
	ours := []float64{63, 0, 0, 0, 83.7, 0, 0, 0, 0, 88.5}
	theirs := []float64{64, 0, 0, 0, 80, 0, 0, 0, 0, 88.6}
	for _, b := range bars("silhouettes", [][]float64{theirs, ours}) {
		if b[len(b)-7:] != " HOLDS." {
			t.Error(b)
		}
	}
	for k, b := range bars("fisher", [][]float64{theirs, ours}) {
		if (b[len(b)-7:] == " HOLDS.") != (k == 1) {
			t.Error(b)
		}
	}
}

// Passes stand below the lambda2 that they belong to, in rows that go fro as well.
func TestPathTable(t *testing.T) {
	out := t.TempDir()
	r, err := report.New(t.Output(), t.Output(), out)
	if err != nil {
		t.Fatal(err)
	}
	c := &command{Report: r}
	twos := []float64{3, 2, 1}
	var points []tracenorm.Point[float32]
	for q, l := range [][2]float64{{9, 3}, {9, 2}, {9, 1}, {8, 1}, {8, 2}, {8, 3}} {
		p := tracenorm.Point[float32]{Lambda1: l[0], Lambda2: l[1], Result: &tracenorm.Result[float32]{}}
		p.Result.Passes = 10*l[0] + l[1]
		p.Result.Certificate = solvers.Certificate{Primal: 1, Dual: 1 - float64(q)/100}
		points = append(points, p)
	}
	if err := c.pathTable("few", 0, points, twos, 500); err != nil {
		t.Fatal(err)
	}
	for q, row := range readTable(t, out+"/tracenorm-path1.json").Rows {
		for j, cell := range row.Cells {
			if cell.Value != 10*float64(9-q)+twos[j] {
				t.Errorf("row %d: %+v", q, row)
			}
		}
	}
}
