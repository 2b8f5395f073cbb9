package familytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Paths is what the tests of paths with cross-validation need to know of a family in float64.
type Paths[P Problem[C, R], C, R any] struct {
	// Its trainings are of 60 examples at least, in groups where problems have Groups; with weights, which need not be
	// all the same, and whatever else there is one of for each example. A tolerance of 1e-8 does.
	Family[P, C, R]

	// Path runs the path of the three points of At, and returns the points that it has reached.
	Path func(ctx context.Context, p P, c C, cv solvers.CrossValidation) (points any, err error)

	// PathFold runs a share of that path.
	PathFold func(ctx context.Context, p P, c C, cv solvers.CrossValidation, which int) (points any, err error)

	// At sets the parameters of point 0, 1 or 2, the most regularized first.
	At func(c *C, point int)

	// Part gives a problem of some of the examples whatever only this family's problems have; nil: nothing.
	Part func(t testing.TB, p *P, rows []int)

	// Scores returns the scores of examples, by a model that was trained on others; nil: by the features.
	Scores func(r R, p P, trained, rows []int) vec.Matrix[float64]
}

const points, folds = 3, 3

// Run tests what paths promise.
func (f Paths[P, C, R]) Run(t *testing.T) {
	for _, r := range f.Trainings {
		t.Run(r.Name, func(t *testing.T) {
			t.Run("Optima", func(t *testing.T) { f.optima(t, r) })
			t.Run("Folds", func(t *testing.T) { f.folds(t, r) })
			t.Run("Stops", func(t *testing.T) { f.stops(t, r) })
			t.Run("Resumes", func(t *testing.T) { f.goesOn(t, r) })
			t.Run("Shares", func(t *testing.T) { f.shares(t, r) })
		})
	}
}

// path returns the results of the points, nil with FoldsOnly, and what has been found of each.
func (f Paths[P, C, R]) path(ctx context.Context, p P, c C, cv solvers.CrossValidation) (results []R,
	found []solvers.Validation, err error) {
	points, err := f.Path(ctx, p, c, cv)
	results, found = pointsOf[R](points)
	return results, found, err
}

// pointsOf returns the results of some points, and what has been found of each.
func pointsOf[R any](points any) (results []R, found []solvers.Validation) {
	for v, k := reflect.ValueOf(points), 0; k < v.Len(); k++ {
		results = append(results, v.Index(k).FieldByName("Result").Interface().(R))
		found = append(found, v.Index(k).FieldByName("Validation").Interface().(solvers.Validation))
	}
	return results, found
}

func (f Paths[P, C, R]) at(c C, point int) C {
	f.At(&c, point)
	return c
}

// optima: the points are what trainings alone come to, the most regularized first, and of points whose measures are all
// the same that is the best; the number of workers makes no difference to measures.
func (f Paths[P, C, R]) optima(t *testing.T, r Training[P, C]) {
	same := solvers.Measure{Name: "the same", Of: func(vec.Matrix[float64], []int) (float64, error) { return 1, nil }}
	cv := solvers.CrossValidation{Folds: folds, Measures: []solvers.Measure{same}}
	p, c := r.Make(t), With(r.Config, "Workers", 1)
	results, found, err := f.path(context.Background(), p, c, cv)
	if err != nil || len(results) != points || len(found) != points {
		t.Fatal(len(results), len(found), err)
	}
	for k, got := range results {
		alone, err := r.Make(t).Fit(context.Background(), f.at(c, k))
		if err != nil {
			t.Fatal(err)
		}
		f.Honest(t, p, f.at(c, k), got)
		a, b := outcome(got), outcome(alone)
		slack := 1e-12 * math.Abs(a.Certificate.Primal)
		if a.Status != solvers.Converged || b.Status != solvers.Converged ||
			a.Certificate.Primal < b.Certificate.Dual-slack || b.Certificate.Primal < a.Certificate.Dual-slack {
			t.Errorf("point %d: %v, alone %v", k, a, b)
		}
		if found[k].Order != k {
			t.Errorf("point %d has Order %d", k, found[k].Order)
		}
	}
	if best := solvers.Best(found, 0); best != 0 {
		t.Errorf("of equals point %d is the best, want the most regularized", best)
	}
	cv.Measures = nil
	_, one, err := f.path(context.Background(), r.Make(t), c, cv)
	if err != nil {
		t.Fatal(err)
	}
	if _, four, err := f.path(context.Background(), r.Make(t), With(c, "Workers", 4), cv); err != nil ||
		!reflect.DeepEqual(four, one) {
		t.Errorf("%v by one worker, by four %v, %v", one, four, err)
	}
}

// folds: the scores of examples that are left out are a model's that a training on the others alone ends with, and
// weights matter to them.
func (f Paths[P, C, R]) folds(t *testing.T, r Training[P, C]) {
	p := r.Make(t)
	fold := make([]int, examples(&p))
	for i := range fold {
		fold[i] = i % (folds + 1) % folds // parts of other sizes
	}
	if groups, has := field[[]int](&p, "Groups"); has {
		for i, g := range *groups {
			fold[i] = (g%folds + folds) % folds
		}
	}
	var mutex sync.Mutex
	scores := map[int][]vec.Matrix[float64]{} // of each part, at each point
	note := solvers.Measure{Name: "noted", Of: func(s vec.Matrix[float64], rows []int) (float64, error) {
		mutex.Lock()
		defer mutex.Unlock()
		part := fold[rows[0]]
		for i, g := range fold {
			if (g == part) != slices.Contains(rows, i) {
				return 0, fmt.Errorf("rows %v of part %d of %v", rows, part, fold)
			}
		}
		own := vec.NewMatrix[float64](len(rows), s.Cols)
		for q := range rows {
			copy(own.Row(q), s.Row(q))
		}
		scores[part] = append(scores[part], own)
		return 0, nil
	}}
	cv := solvers.CrossValidation{Fold: fold, FoldsOnly: true, Measures: []solvers.Measure{note}}
	if _, _, err := f.path(context.Background(), p, r.Config, cv); err != nil {
		t.Fatal(err)
	}
	matter := 0.0
	for part := range folds {
		var train, test []int
		for i, g := range fold {
			if g == part {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		if len(scores[part]) != points {
			t.Fatalf("part %d is measured %d times", part, len(scores[part]))
		}
		for k, got := range scores[part] {
			alone := f.part(t, r.Make(t), train)
			model, err := alone.Fit(context.Background(), f.at(r.Config, k))
			if err != nil {
				t.Fatal(err)
			}
			want := f.scores(t, model, p, train, test)
			// Objectives are strongly convex: models differ by about the root of the gap.
			if off := distance(got, want); !(off <= 1e-3) {
				t.Errorf("part %d, point %d: scores are off by %.2g of the largest", part, k, off)
			}
			if weights, has := field[[]float64](&alone, "Weights"); has {
				*weights = nil
				if model, err = alone.Fit(context.Background(), f.at(r.Config, k)); err != nil {
					t.Fatal(err)
				}
				matter = max(matter, distance(got, f.scores(t, model, p, train, test)))
			}
		}
	}
	if _, has := field[[]float64](&p, "Weights"); has && matter < 1e-2 {
		t.Errorf("weights change scores by %.2g of the largest: this test cannot fail", matter)
	}
}

// distance returns how far two matrices are apart, as a part of the largest number.
func distance(a, b vec.Matrix[float64]) float64 {
	off, largest := 0.0, 0.0
	for k, v := range a.Data {
		off, largest = max(off, math.Abs(v-b.Data[k])), max(largest, math.Abs(v))
	}
	return off / largest
}

// part returns the problem of some of the examples.
func (f Paths[P, C, R]) part(t testing.TB, p P, rows []int) P {
	t.Helper()
	if x, has := field[design.Matrix[float64]](&p, "X"); has {
		*x = design.Subset(*x, rows)
	}
	if k, has := field[*kernel.Matrix[float64]](&p, "Kernel"); has {
		*k = Kernel(t, design.Subset((*k).Features(), rows), (*k).Kernel())
	}
	pick[int](&p, "Y", rows)
	pick[[]int](&p, "Sets", rows)
	pick[bool](&p, "Positive", rows)
	pick[float64](&p, "Targets", rows)
	pick[int](&p, "Groups", rows)
	pick[float64](&p, "Weights", rows)
	if f.Part != nil {
		f.Part(t, &p, rows)
	}
	return p
}

// pick leaves the elements of some examples in a field.
func pick[V any, P any](p *P, name string, rows []int) {
	if at, has := field[[]V](p, name); has {
		all := *at
		*at = nil
		for _, i := range rows {
			*at = append(*at, all[i])
		}
	}
}

func (f Paths[P, C, R]) scores(t testing.TB, r R, p P, trained, rows []int) vec.Matrix[float64] {
	t.Helper()
	if f.Scores != nil {
		return f.Scores(r, p, trained, rows)
	}
	x, has := field[design.Matrix[float64]](&p, "X")
	if !has {
		k, _ := field[*kernel.Matrix[float64]](&p, "Kernel")
		of := (*k).Features()
		x = &of
	}
	scorer := any(r).(solvers.Scorer[float64])
	_, m := scorer.Dims()
	scores := vec.NewMatrix[float64](len(rows), m)
	if err := scorer.Scores(scores, *x, rows); err != nil {
		t.Fatal(err)
	}
	return scores
}

// stops: when the context ends the points that were reached are returned with the error: their certificates are true,
// and measures are there when all parts have come to their end.
func (f Paths[P, C, R]) stops(t *testing.T, r Training[P, C]) {
	cv, c := solvers.CrossValidation{Folds: folds}, With(r.Config, "Workers", 1)
	asked := statetest.Soon(1 << 60)
	if _, _, err := f.path(asked, r.Make(t), c, cv); err != nil {
		t.Fatal(err)
	}
	questions := 1<<60 - asked.Left()
	for _, left := range []int64{0, questions / 8, questions / 4, questions / 2, questions - 1} {
		p := r.Make(t)
		results, found, err := f.path(statetest.Soon(left), p, c, cv)
		if !errors.Is(err, context.Canceled) || left == 0 && len(results) > 0 {
			t.Errorf("asked %d times of %d: %d points, %v", left, questions, len(results), err)
		}
		for k, got := range results {
			if outcome(got).Status != solvers.Converged || found[k].Measures != nil {
				t.Errorf("point %d: %s, %v", k, Told(got), found[k])
			}
			f.Honest(t, p, f.at(c, k), got)
		}
	}
	for _, wrong := range []int{1, -2, 1 << 20} {
		cv.Folds = wrong
		told := With(c, "Progress", func(solvers.Progress) { t.Fatalf("%d folds are refused after training", wrong) })
		if results, _, err := f.path(context.Background(), r.Make(t), told, cv); err == nil || len(results) > 0 {
			t.Errorf("%d folds: %d points, %v", wrong, len(results), err)
		}
	}
}

// goesOn: a path that was interrupted goes on to the same measures, wherever its context ended; a state of other folds,
// of another seed or of other examples is refused.
func (f Paths[P, C, R]) goesOn(t *testing.T, r Training[P, C]) {
	cv := solvers.CrossValidation{Folds: folds, FoldsOnly: true}
	most := 8
	if testing.Short() {
		most = 3
	}
	var last []byte
	statetest.Anywhere(t, r.Name, most, func(ctx context.Context, stop statetest.Stop) (string, *solvers.Outcome,
		error) {
		cv := cv
		cv.State = stop.State
		save := stop.Checkpoint.Save
		stop.Checkpoint.Save = func(write func(io.Writer) error) error {
			var b bytes.Buffer
			err := write(&b)
			last = b.Bytes()
			return errors.Join(err, save(write))
		}
		_, found, err := f.path(ctx, r.Make(t), With(r.Config, "Checkpoint", stop.Checkpoint), cv)
		return fmt.Sprint(found), &solvers.Outcome{}, err
	})
	other := cv
	cv.State, other.State, other.Folds = bytes.NewReader(last), bytes.NewReader(last), folds-1
	if _, _, err := f.path(context.Background(), r.Make(t), r.Config, other); !errors.Is(err, solvers.ErrOtherState) {
		t.Errorf("of other folds: %v", err)
	}
	if _, _, err := f.path(context.Background(), r.Make(t), With(r.Config, "Seed", uint64(77)), cv); !errors.Is(err,
		solvers.ErrOtherState) {
		t.Errorf("of another seed: %v", err)
	}
	if p, has := otherData[P]()["rows"](t, r.Make(t)); has {
		cv.State = bytes.NewReader(last)
		if _, _, err := f.path(context.Background(), p, r.Config, cv); !errors.Is(err, solvers.ErrOtherState) {
			t.Errorf("of other examples: %v", err)
		}
	}
}
