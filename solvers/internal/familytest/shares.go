package familytest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/vec"
)

// shares: the trainings on all examples and those without each part, each by a call of its own on a problem of its own,
// have the results and the measures of the whole path, to the bit; a share trains nothing else, and what is no share is
// refused.
func (f Paths[P, C, R]) shares(t *testing.T, r Training[P, C]) {
	ctx, cv, c := context.Background(), solvers.CrossValidation{Folds: folds}, With(r.Config, "Workers", 2)
	results, want, err := f.path(ctx, r.Make(t), c, cv)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	cv.Trained = func(p solvers.PathProgress) {
		told = p.Done
		if p.Trainings != points {
			t.Errorf("a share of %d trainings, want %d", p.Trainings, points)
		}
	}
	share := func(ctx context.Context, which int) ([]R, []solvers.Validation, error) {
		told = 0
		all, err := f.PathFold(ctx, r.Make(t), c, cv, which)
		got, found := pointsOf[R](all)
		return got, found, err
	}
	parts := make([][]solvers.Validation, folds)
	for _, which := range []int{2, solvers.AllRows, 0, 1} {
		got, found, err := share(ctx, which)
		if err != nil || len(got) != points || told != points {
			t.Fatalf("share %d: %d points, %d trainings, %v", which, len(got), told, err)
		}
		for k := range got {
			switch alone := which == solvers.AllRows; {
			case none(got[k]) == alone || (found[k].Measures == nil) != alone || found[k].Order != want[k].Order:
				t.Errorf("share %d, point %d: %s, %+v", which, k, Told(got[k]), found[k])
			case alone && Bits(t, got[k]) != Bits(t, results[k]):
				t.Errorf("point %d: %s, want %s", k, Bits(t, got[k]), Bits(t, results[k]))
			}
		}
		if which >= 0 {
			parts[which] = found
		}
	}
	if joined, err := solvers.JoinFolds(parts); err != nil || !reflect.DeepEqual(joined, want) {
		t.Errorf("joined %v, %v, want %v", joined, err, want)
	}
	for _, wrong := range []int{folds, solvers.AllRows - 1, 1 << 20} {
		got, _, err := share(ctx, wrong)
		if len(got) > 0 || told > 0 {
			t.Errorf("part %d: %d points after %d trainings", wrong, len(got), told)
		}
		Contains(t, err, f.Name+": ", fmt.Sprintf("part %d, want one in 0..%d", wrong, folds-1))
	}
	if got, _, err := share(statetest.Soon(0), 1); !errors.Is(err, context.Canceled) || len(got) > 0 {
		t.Errorf("at the end of its context: %d points, %v", len(got), err)
	}
	f.sharedState(t, r, want)
	cv = solvers.CrossValidation{}
	_, _, err = share(ctx, 0)
	Contains(t, err, f.Name+": ", "part 0, but no cross-validation")
}

// sharedState: a path goes on from the state of a share, without the trainings of that part, to the same bits.
func (f Paths[P, C, R]) sharedState(t *testing.T, r Training[P, C], want []solvers.Validation) {
	var last []byte
	c := With(r.Config, "Checkpoint", solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		last = b.Bytes()
		return err
	}})
	cv := solvers.CrossValidation{Folds: folds}
	if _, err := f.PathFold(context.Background(), r.Make(t), c, cv, 1); err != nil || last == nil {
		t.Fatalf("a state of %d bytes, %v", len(last), err)
	}
	var done []int
	cv.State, cv.FoldsOnly = bytes.NewReader(last), true
	cv.Trained = func(p solvers.PathProgress) { done = append(done, p.Done) }
	_, found, err := f.path(context.Background(), r.Make(t), r.Config, cv)
	if err != nil || !reflect.DeepEqual(found, want) || len(done) == 0 || done[0] != points {
		t.Errorf("%v trainings, %v, %v, want %v", done, found, err, want)
	}
	measured := false
	cv.State, cv.Trained = bytes.NewReader(last), nil
	cv.Measures = []solvers.Measure{}
	for _, m := range want[0].Measures {
		of := func(s vec.Matrix[float64], rows []int) (float64, error) { measured = true; return 0, nil }
		cv.Measures = append(cv.Measures, solvers.Measure{Name: m.Name, Smaller: m.Smaller, Of: of})
	}
	again, err := f.PathFold(context.Background(), r.Make(t), r.Config, cv, 1)
	_, found = pointsOf[R](again)
	same := func(a, b solvers.Validation) bool { return a.Measures[0].Mean == b.Measures[0].Folds[1] }
	if err != nil || measured || !slices.EqualFunc(found, want, same) {
		t.Errorf("measured again: %v, %v, %v, want part 1 of %v", measured, found, err, want)
	}
}
