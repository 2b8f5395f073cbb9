package crossval

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/statetest"
	"github.com/dualgap/dualgap/solvers/internal/train"
	"github.com/dualgap/dualgap/vec"
)

// recorder is a family whose results tell how they came about.
type recorder struct {
	mutex    sync.Mutex
	fits     []string
	fault    string // the training that fails
	badTest  string // the result that cannot be measured
	cancelAt string
	cancel   func()
	during   func(ctx context.Context) // called in each training, if not nil
}

var errBroken = errors.New("broken")

func (f *recorder) trial(fold []int, workers int) Trial[float64, float64, string] {
	return Trial[float64, float64, string]{
		Grid: []float64{1, 2}, Start: "s", Fold: fold, Workers: workers,
		Fit: func(ctx context.Context, v float64, start string, rows []int) (string, error) {
			r := fmt.Sprintf("%s/%v%v", start, v, rows)
			if rows == nil {
				r = fmt.Sprintf("%s/%v all", start, v)
			}
			f.mutex.Lock()
			f.fits = append(f.fits, r)
			f.mutex.Unlock()
			if f.during != nil {
				f.during(ctx)
			}
			if r == f.cancelAt {
				f.cancel()
			}
			if r == f.fault {
				return "", errBroken
			}
			return r, nil
		},
		Scores: func(r string, rows []int) (vec.Matrix[float64], error) {
			if r == f.badTest {
				return vec.Matrix[float64]{}, errBroken
			}
			m := vec.NewMatrix[float64](len(rows), 1)
			for p, i := range rows {
				m.Data[p] = float64(len(r) * i)
			}
			return m, nil
		},
		Measures: []solvers.Measure{
			{Name: "rows", Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				return float64(scores.Rows), nil
			}},
			{Name: "first", Smaller: true, Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
				return scores.Data[0], nil
			}},
		},
		Identity: func(at float64) (train.Identity, error) {
			return train.Identity{Family: "test", Settings: fmt.Sprint("some ", at),
				Data: func() []byte { return []byte("data") }}, nil
		},
	}
}

var fold = []int{1, 0, 1, 0, 2, 0}

// resultsOf are the results of points.
func resultsOf(points []Point[float64, string]) (all []string) {
	for _, p := range points {
		all = append(all, p.Result)
	}
	return all
}

// TestRun: a path trains on all examples from start, then without each part from the zero result, and measures each
// result on the part that it has not seen; mean and spread are those over the parts.
func TestRun(t *testing.T) {
	for _, workers := range []int{0, 1, 3} {
		var told []solvers.PathProgress
		cv := solvers.CrossValidation{Trained: func(p solvers.PathProgress) { told = append(told, p) }}
		points, err := new(recorder).trial(fold, workers).Run(context.Background(), cv)
		if err != nil || !slices.Equal(resultsOf(points), []string{"s/1 all", "s/1 all/2 all"}) {
			t.Fatalf("%v, %v", points, err)
		}
		// Parts of 3, 2 and 1 rows; the first rows of these are 1, 0 and 4; a result names the rows that are left.
		one := []float64{float64(len("/1[0 2 4]")), 0, 4 * float64(len("/1[0 1 2 3 5]"))}
		two := []float64{one[0] + float64(len("/2[0 2 4]")), 0, one[2] + 4*float64(len("/2[0 1 2 3 5]"))}
		for p, want := range [][][]float64{{{3, 2, 1}, one}, {{3, 2, 1}, two}} {
			if len(points[p].Measures) != 2 || points[p].Order != p || points[p].At != float64(p+1) {
				t.Fatalf("%+v", points[p])
			}
			for q, v := range want {
				if got := solvers.NewMeasured(solvers.Measure{Name: []string{"rows", "first"}[q], Smaller: q == 1},
					v); !reflect.DeepEqual(points[p].Measures[q], got) {
					t.Errorf("point %d, measure %d: %+v, want %+v", p, q, points[p].Measures[q], got)
				}
			}
		}
		want := []solvers.PathProgress{}
		for done := range 9 { // two points, on all examples and without each of three parts
			want = append(want, solvers.PathProgress{Done: done, Trainings: 8})
		}
		if !slices.Equal(told, want) {
			t.Errorf("told %v", told)
		}
	}
	points, err := new(recorder).trial(nil, 1).Run(context.Background(), solvers.CrossValidation{})
	if err != nil || len(points) != 2 || points[0].Measures != nil {
		t.Errorf("without folds: %v, %v", points, err)
	}
}

// TestFoldsOnly: nothing is trained on all examples, and no result is there, of a search that ends early no points.
func TestFoldsOnly(t *testing.T) {
	f := new(recorder)
	points, err := f.trial(fold, 1).Run(context.Background(), solvers.CrossValidation{FoldsOnly: true})
	if err != nil || len(points) != 2 || points[0].Result != "" || len(points[1].Measures) != 2 || len(f.fits) != 6 {
		t.Errorf("%v, %v, %q", points, err, f.fits)
	}
	f = &recorder{fault: "/1[0 2 4]/2[0 2 4]"}
	points, err = f.trial(fold, 1).Run(context.Background(), solvers.CrossValidation{FoldsOnly: true})
	if !errors.Is(err, errBroken) || len(points) > 0 {
		t.Errorf("%v, %v", points, err)
	}
}

// TestMeasures: a caller's measures are taken in place of the family's, on the scores and the rows of each part; the
// most regularized points are those that the family says.
func TestMeasures(t *testing.T) {
	trial := new(recorder).trial(fold, 2)
	trial.Simpler = func(a, b float64) bool { return a > b }
	cv := solvers.CrossValidation{Measures: []solvers.Measure{{Name: "own", Smaller: true,
		Of: func(scores vec.Matrix[float64], rows []int) (float64, error) {
			if scores.Rows != len(rows) || scores.Cols != 1 {
				t.Errorf("%d-by-%d scores of %d rows", scores.Rows, scores.Cols, len(rows))
			}
			return float64(10*len(rows)) + float64(rows[0]), nil
		}}}}
	points, err := trial.Run(context.Background(), cv)
	if err != nil {
		t.Fatal(err)
	}
	for p, q := range points {
		want := solvers.NewMeasured(cv.Measures[0], []float64{31, 20, 14})
		if len(q.Measures) != 1 || !reflect.DeepEqual(q.Measures[0], want) || q.Order != 1-p {
			t.Errorf("%+v, want %+v", q, want)
		}
	}
	cv.Measures[0].Of = func(vec.Matrix[float64], []int) (float64, error) { return 0, errBroken }
	if _, err := trial.Run(context.Background(), cv); !errors.Is(err, errBroken) ||
		!strings.Contains(err.Error(), "own: broken") {
		t.Error(err)
	}
	trial.Scores = func(_ string, rows []int) (vec.Matrix[float64], error) {
		m := vec.NewMatrix[float64](len(rows), 2)
		m.Row(len(rows) - 1)[1] = math.NaN()
		return m, nil
	}
	if _, err := trial.Run(context.Background(), solvers.CrossValidation{}); err == nil ||
		err.Error() != "solvers: fold 0: the score of row 5 for output 1 is NaN" {
		t.Error(err)
	}
}

// TestFaults: what was reached is returned without measures where a training or a test fails, or the context ends.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		fit, test string
		reached   int
	}{{"s/1 all", "", 0}, {"s/1 all/2 all", "", 1}, {"/1[0 2 4]/2[0 2 4]", "", 2}, {"", "/1[0 2 4]", 2}} {
		f := &recorder{fault: c.fit, badTest: c.test}
		points, err := f.trial(fold, 2).Run(context.Background(), solvers.CrossValidation{})
		if !errors.Is(err, errBroken) || len(points) != c.reached || len(points) > 0 && points[0].Measures != nil {
			t.Errorf("%+v: %v, %v", c, points, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	f := &recorder{cancelAt: "s/1 all", cancel: cancel} // it ends within the first training, which comes to its end
	if points, err := f.trial(fold, 2).Run(ctx, solvers.CrossValidation{}); !errors.Is(err, context.Canceled) ||
		len(points) != 1 {
		t.Errorf("%v, %v", points, err)
	}
	if points, err := f.trial(fold, 2).Run(ctx, solvers.CrossValidation{}); !errors.Is(err, context.Canceled) ||
		points == nil || len(points) != 0 {
		t.Errorf("%v, %v", points, err)
	}
	if _, err := f.trial(fold, -1).Run(context.Background(), solvers.CrossValidation{}); err == nil ||
		err.Error() != "solvers: -1 workers, want at least 0" {
		t.Error(err)
	}
}

// saved is a checkpoint that keeps the last state.
func saved(last *[]byte) solvers.Checkpoint {
	return solvers.Checkpoint{Every: 1, Save: func(write func(io.Writer) error) error {
		var b bytes.Buffer
		err := write(&b)
		*last = b.Bytes()
		return err
	}}
}

// TestResume: a path that was stopped within any training goes on to the same measures, and does not measure again what
// it knows, nor train without a part that is done with.
func TestResume(t *testing.T) {
	cv := solvers.CrossValidation{FoldsOnly: true}
	f := new(recorder)
	want, err := f.trial(fold, 1).Run(context.Background(), cv)
	if err != nil {
		t.Fatal(err)
	}
	for k, at := range f.fits {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var state []byte
		trial := (&recorder{cancelAt: at, cancel: cancel}).trial(fold, 1)
		trial.Checkpoint = saved(&state)
		if _, err := trial.Run(ctx, cv); !errors.Is(err, context.Canceled) {
			t.Fatalf("stopped at %s: %v", at, err)
		}
		var told []solvers.PathProgress
		again := new(recorder)
		cv := cv
		cv.State, cv.Trained = bytes.NewReader(state), func(p solvers.PathProgress) { told = append(told, p) }
		got, err := again.trial(fold, 1).Run(context.Background(), cv)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("stopped at %s: %v, %v", at, got, err)
		}
		// The training that was cut short is repeated, though it seemed to be over, and so is the one of the first
		// point where a part was measured there alone.
		if fits := f.fits[k-k%2:]; !slices.Equal(again.fits, fits) {
			t.Errorf("stopped at %s: trained %q, want %q", at, again.fits, fits)
		}
		if first := (solvers.PathProgress{Done: k, Trainings: 6}); told[0] != first || len(told) != 7-k {
			t.Errorf("stopped at %s: told %v", at, told)
		}
	}
}

// TestSavesAtOnce: wherever the context of a path ends, the state is saved with all that is measured, and before the
// training under way has ended; the path goes on from it to the same measures.
func TestSavesAtOnce(t *testing.T) {
	for _, foldsOnly := range []bool{false, true} {
		run := func(ctx context.Context, from []byte) (points []Point[float64, string], states [][]byte, told []int,
			err error) {
			saved := make(chan struct{})
			f := &recorder{during: func(ctx context.Context) {
				for range 2 {
					if ctx.Err() == nil {
						continue
					}
					select {
					case <-saved:
					case <-time.After(time.Minute):
						t.Fatal("a training whose context has ended has waited a minute for the state")
					}
				}
			}}
			trial := f.trial(fold, 1)
			trial.Checkpoint = solvers.Checkpoint{Save: func(write func(io.Writer) error) error {
				var b bytes.Buffer
				err := write(&b)
				if states = append(states, b.Bytes()); len(states) == 1 {
					close(saved)
				}
				return err
			}}
			cv := solvers.CrossValidation{FoldsOnly: foldsOnly, Trained: func(p solvers.PathProgress) {
				told = append(told, p.Done)
			}}
			if from != nil {
				cv.State = bytes.NewReader(from)
			}
			points, err = trial.Run(ctx, cv)
			return points, states, told, err
		}
		all := statetest.EndAt(0)
		want, _, _, err := run(all, nil)
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= all.Count(); k++ {
			_, states, told, err := run(statetest.EndAt(k), nil)
			if !errors.Is(err, context.Canceled) || len(states) == 0 {
				t.Fatalf("ended at look %d: %v, %d states", k, err, len(states))
			}
			measured := told[len(told)-1]
			if !foldsOnly {
				measured = max(0, measured-len(want)) // those on all examples are trained again
			}
			for q, state := range states {
				got, _, again, err := run(context.Background(), state)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("ended at look %d, state %d: %v, %v, want %v", k, q, got, err, want)
				}
				if again[0] != measured {
					t.Errorf("ended at look %d, state %d: %d trainings are known, want %d", k, q, again[0], measured)
				}
			}
		}
	}
}

// TestOtherStates: the state of another path is refused, as is one that is damaged in any byte.
func TestOtherStates(t *testing.T) {
	var state []byte
	trial := new(recorder).trial(fold, 1)
	trial.Checkpoint = saved(&state)
	if _, err := trial.Run(context.Background(), solvers.CrossValidation{}); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Trial[float64, float64, string], *solvers.CrossValidation){
		"": func(*Trial[float64, float64, string], *solvers.CrossValidation) {},
		"want one of other": func(t *Trial[float64, float64, string], _ *solvers.CrossValidation) {
			t.Identity = other("other", "some 1", "data")
		},
		"others": func(t *Trial[float64, float64, string], _ *solvers.CrossValidation) {
			t.Identity = other("test", "others", "data")
		},
		"other data": func(t *Trial[float64, float64, string], _ *solvers.CrossValidation) {
			t.Identity = other("test", "some 1", "Data")
		},
		"grid [1 3]": func(t *Trial[float64, float64, string],
			_ *solvers.CrossValidation) {
			t.Grid = []float64{1, 3}
		},
		"of other data": func(t *Trial[float64, float64, string],
			_ *solvers.CrossValidation) {
			t.Fold = []int{1, 0, 1, 0, 2, 2}
		},
		"2 parts": func(t *Trial[float64, float64, string],
			_ *solvers.CrossValidation) {
			t.Fold = []int{1, 0, 1, 0, 1, 0}
		},
		`measures "mine"`: func(_ *Trial[float64, float64, string], cv *solvers.CrossValidation) {
			cv.Measures = []solvers.Measure{{Name: "mine", Of: func(vec.Matrix[float64], []int) (float64,
				error) {
				return 1, nil
			}}}
		},
	} {
		trial, cv := new(recorder).trial(fold, 1), solvers.CrossValidation{State: bytes.NewReader(state)}
		change(&trial, &cv)
		_, err := trial.Run(context.Background(), cv)
		if want == "" && err != nil || want != "" && (!errors.Is(err, solvers.ErrOtherState) ||
			!strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	run := func(state []byte) error {
		_, err := new(recorder).trial(fold, 1).Run(context.Background(),
			solvers.CrossValidation{State: bytes.NewReader(state)})
		return err
	}
	for at := range state {
		damaged := slices.Clone(state)
		damaged[at] ^= 1
		if run(damaged) == nil || run(state[:at]) == nil {
			t.Fatalf("damage at byte %d is not noticed", at)
		}
	}
}

func other(family, settings, data string) func(float64) (train.Identity, error) {
	return func(float64) (train.Identity, error) {
		return train.Identity{Family: family, Settings: settings, Data: func() []byte { return []byte(data) }}, nil
	}
}

// TestSaveFails: a state that cannot be saved ends a path.
func TestSaveFails(t *testing.T) {
	full := errors.New("disk full")
	trial := new(recorder).trial(fold, 1)
	trial.Checkpoint = solvers.Checkpoint{Every: 1, Save: func(func(io.Writer) error) error { return full }}
	if points, err := trial.Run(context.Background(), solvers.CrossValidation{}); !errors.Is(err, full) ||
		points[0].Measures != nil {
		t.Errorf("%v, %v", points, err)
	}
	f := new(recorder)
	trial = f.trial(fold, 1)
	trial.Checkpoint = solvers.Checkpoint{Every: 1, Save: func(func(io.Writer) error) error { return full }}
	if _, err := trial.Run(context.Background(), solvers.CrossValidation{FoldsOnly: true}); !errors.Is(err, full) ||
		len(f.fits) > 3 {
		t.Errorf("%v after %d trainings", err, len(f.fits)) // one of each part at most
	}
}
