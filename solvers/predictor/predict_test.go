package predictor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/model"
	"github.com/dualgap/dualgap/vec"
)

// of returns the Predictor of a linear model with these weights.
func of[T vec.Float](t *testing.T, notes map[string]string, names []string, w ...T) *Predictor {
	t.Helper()
	p, err := New(&model.Model[T]{Linear: model1(t, notes, names, w...)})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The rows of a model of whole numbers have exact scores: however an example is given, its scores are the ones of the
// features scaled by hand.
func TestRows(t *testing.T) {
	for name, scaling := range map[string]string{
		"": "", "divided": "factor .5 2", "shifted": "shift 2 -1\nfactor .5 2",
	} {
		notes := map[string]string{NoteFeatures: "u,v"}
		if scaling != "" {
			notes[dataset.ScalingNote] = scaling
		}
		t.Run("float32 "+name, func(t *testing.T) { testRows[float32](t, notes) })
		t.Run("float64 "+name, func(t *testing.T) { testRows[float64](t, notes) })
	}
}

func testRows[T vec.Float](t *testing.T, notes map[string]string) {
	p := of[T](t, notes, []string{"a", "b"}, 1, 2, 3, -4)
	s := p.Scaling()
	for _, x := range [][2]float64{{4, 6}, {0, 8}, {0, 0}} {
		var z [2]float64
		dataset.ScaleRow(z[:], s, x[:], nil)
		want := []float64{z[0] + 3*z[1], 2*z[0] - 4*z[1]}
		named := map[string]float64{"u": x[0], "v": x[1]}
		for how, predict := range map[string]func() (Prediction, error){
			"64":     func() (Prediction, error) { return p.Predict(x[:]) },
			"32":     func() (Prediction, error) { return p.Predict32([]float32{float32(x[0]), float32(x[1])}) },
			"sparse": func() (Prediction, error) { return p.PredictSparse([]int{1, 0}, []float64{x[1], x[0]}) },
			"few":    func() (Prediction, error) { return p.PredictSparse(few(x[:])) },
			"named":  func() (Prediction, error) { return p.PredictNamed(named) },
			"dense": func() (Prediction, error) {
				return first(p.PredictBatch(nil, &dataset.Dense[T]{Matrix: vec.MatrixOf(1, 2, []T{T(x[0]), T(x[1])})},
					1))
			},
			"other dense": func() (Prediction, error) {
				return first(p.PredictBatch(nil, &dataset.Dense[float64]{Matrix: vec.MatrixOf(1, 2, x[:])}, 1))
			},
			"other sparse": func() (Prediction, error) {
				d := &dataset.Dense[float32]{Matrix: vec.MatrixOf(1, 2, []float32{float32(x[0]), float32(x[1])})}
				csr, err := d.CSR()
				if err != nil {
					return Prediction{}, err
				}
				return first(p.PredictBatch(nil, csr, 1))
			},
		} {
			q, err := predict()
			if err != nil || !reflect.DeepEqual(q.Scores, want) || q.Label != p.Classes()[q.Class] {
				t.Errorf("%v %s: %+v, %v, want scores %v", x, how, q, err, want)
			}
		}
	}
}

func few(x []float64) (indices []int, values []float64) {
	for j, v := range x {
		if v != 0 {
			indices, values = append(indices, j), append(values, v)
		}
	}
	return indices, values
}

func first(q []Prediction, err error) (Prediction, error) {
	if err != nil {
		return Prediction{}, err
	}
	return q[0], nil
}

// Rows of any kind stand beside each other, whichever comes first, and after Reset there are new ones.
func TestRowsMixed(t *testing.T) {
	p := of[float32](t, map[string]string{NoteFeatures: "u,v"}, nil, 1, 0, 0, 1)
	r := p.NewRows()
	adds := []func() error{
		func() error { return r.Add([]float64{1, 2}) },
		func() error { return r.AddSparse([]int{1}, []float64{3}) },
		func() error { return r.AddNamed(map[string]float64{"u": 4, "v": 0}) },
		func() error { return r.AddSparse(nil, nil) },
		func() error { return r.Add32([]float32{0, 5}) },
	}
	want := [][]float64{{1, 2}, {0, 3}, {4, 0}, {0, 0}, {0, 5}}
	for begin := range adds {
		r.Reset()
		for k := range adds {
			if err := adds[(begin+k)%len(adds)](); err != nil {
				t.Fatal(err)
			}
		}
		q, err := p.PredictBatch(nil, r, 0)
		if err != nil || len(q) != len(adds) || r.Len() != len(adds) {
			t.Fatal(q, err)
		}
		for k := range q {
			if w := want[(begin+k)%len(adds)]; !reflect.DeepEqual(q[k].Scores, w) {
				t.Errorf("begin %d, row %d: %v, want %v", begin, k, q[k].Scores, w)
			}
		}
	}
}

// A row that is no example is an error that says where, and leaves the rows as they were.
func TestRowErrors(t *testing.T) {
	p, plain := of[float32](t, map[string]string{NoteFeatures: "u,v"}, nil, 1, 0, 0, 1),
		of[float64](t, nil, nil, 1, 0, 0, 1)
	r := p.NewRows()
	for want, err := range map[string]error{
		"1 numbers, the model has 2":           r.Add([]float64{1}),
		"3 numbers, the model has 2":           r.Add32([]float32{1, 2, 3}),
		`feature 1 "v" is NaN`:                 r.Add([]float64{1, math.NaN()}),
		`feature 0 "u" is 1e+300`:              r.Add([]float64{1e300, 1}),
		`feature 1 "v" is +Inf`:                r.AddSparse([]int{1}, []float64{math.Inf(1)}),
		"2 indices and 1 values":               r.AddSparse([]int{0, 1}, []float64{1}),
		"index 2 at place 1, want one in 0..1": r.AddSparse([]int{0, 2}, []float64{1, 1}),
		"index -1":                             r.AddSparse([]int{-1}, []float64{1}),
		"index 0 comes twice":                  r.AddSparse([]int{0, 0}, []float64{1, 1}),
		`"v" is missing`:                       r.AddNamed(map[string]float64{"u": 1}),
		`"w" is none`: r.AddNamed(map[string]float64{"u": 1, "v": 1, "x": 1,
			"w": 1}),
		`two are "u": give 2`: of[float32](t,
			map[string]string{NoteFeatures: `["u","u"]`}, nil, 1, 2).NewRows().AddNamed(nil),
		"does not know: give 2 numbers":                      plain.NewRows().AddNamed(map[string]float64{"u": 1}),
		"feature 0 is -Inf, want a finite number of 64 bits": plain.NewRows().Add([]float64{math.Inf(-1), 0}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if r.Len() != 0 {
		t.Errorf("%d rows", r.Len())
	}
}

func TestPredictErrors(t *testing.T) {
	p := of[float32](t, map[string]string{dataset.ScalingNote: "factor 1 1e30"}, []string{"a", "b"}, 1, 0, 0, 1)
	stop := errors.New("enough")
	other := of[float64](t, nil, nil, 1, 2)
	batch := func(x Examples) error { _, err := p.PredictBatch(nil, x, 0); return err }
	rows := func(v ...float64) *Rows {
		r := p.NewRows()
		for k := 0; k < len(v); k += 2 {
			if err := r.Add(v[k : k+2]); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for want, err := range map[string]error{
		"they are nil":              batch(nil),
		"of type predictor.odd":     batch(odd{}),
		"have 64 bits":              batch(other.NewRows()),
		"3 features, the model has": batch(&dataset.Dense[float64]{Matrix: vec.NewMatrix[float64](1, 3)}),
		"row 1: dataset: column 1":  batch(rows(1, 1, 1, 1e30)),
		"beyond the range":          batch(&dataset.Dense[float64]{Matrix: vec.MatrixOf(1, 2, []float64{1e300, 0})}),
		"enough": p.Each(context.Background(), rows(1, 1),
			func(int, *Prediction) error { return stop }, 1),
		"canceled": p.Each(canceled, rows(1, 1), func(int, *Prediction) error { return nil }, 1),
		"-1":       p.Each(context.Background(), rows(1, 1), func(int, *Prediction) error { return nil }, -1),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := New[float32](nil); err == nil {
		t.Error("no error of a nil model")
	}
	if _, err := p.TopK(Prediction{Scores: []float64{1, 2}}, 3); err == nil ||
		!strings.Contains(err.Error(), "3 best of 2") {
		t.Errorf("error %v", err)
	}
}

type odd struct{}

func (odd) Dims() (n, d int) { return 1, 2 }

// A score that is no number is an error that says the row and the class.
func TestNaN(t *testing.T) {
	p := of[float32](t, nil, []string{"a", "b"}, 1, 0, 0, 1)
	_, err := p.PredictBatch(nil, &dataset.Dense[float32]{Matrix: vec.MatrixOf(
		2, 2, []float32{1, 0, 0, float32(math.NaN())})}, 0)
	if err == nil || !strings.Contains(err.Error(), "row 1 for ") {
		t.Errorf("error %v", err)
	}
}

// What a side of a ranker is called: never by the name of another class.
func TestSides(t *testing.T) {
	for _, c := range []struct {
		notes        map[string]string
		above, below string
	}{
		{nil, "1[1]", "-1[-1]"},
		{map[string]string{NotePositive: "spam", NoteNegative: "ham"}, "spam[spam]", "ham[ham]"},
		{map[string]string{NotePositive: "spam"}, "spam[spam]", "[]"},
		{map[string]string{NotePositive: "3,8"}, "[3 8]", "[]"},
		{map[string]string{NotePositive: `["a,b","c d"]`, NoteNegative: "x,y"}, "[a,b c d]", "x,y[x,y]"},
	} {
		notes := map[string]string{"threshold": "2"}
		for k, v := range c.notes {
			notes[k] = v
		}
		p := of[float64](t, notes, nil, 1, 0)
		for v, want := range map[float64]string{2: c.above, 1.5: c.below} {
			q, err := p.Predict([]float64{v, 7})
			if got := q.Label + fmt.Sprint(q.Labels); err != nil || got != want || q.Positive != (v == 2) ||
				q.Class != -1 {
				t.Errorf("%v: %v is %+v, want %s", c.notes, v, q, want)
			}
		}
	}
}

// Lists of names are read as they were written, and those with commas between them as they were.
func TestNames(t *testing.T) {
	for _, names := range [][]string{nil, {"a"}, {"a", "b c"}, {"a,b"}, {`"`, "<&>"}, {""}, {"[x", "y"}, {"x", "[y"},
		{"a\nb", "é"}} {
		text := FormatNames(names)
		if got, err := parseNames(text); err != nil || !reflect.DeepEqual(got, names) {
			t.Errorf("%q becomes %s, that %q, %v", names, text, got, err)
		}
	}
	if got := FormatNames([]string{"3", "8"}); got != "3,8" {
		t.Error(got)
	}
}

// Sets are the labels above 0; probabilities are there where the softmax was trained, and sum to 1.
func TestTasks(t *testing.T) {
	sets := of[float32](t, map[string]string{NoteTask: Sets}, []string{"x", "y"}, 1, -1, 0, 1)
	q, err := sets.Predict([]float64{1, 2})
	if err != nil || fmt.Sprint(q.Labels) != "[x y]" || q.Label != "" || q.Class != -1 || q.Probabilities != nil {
		t.Errorf("%+v, %v", q, err)
	}
	soft := of[float32](t, map[string]string{"solver": "tracenorm"}, []string{"x", "y"}, 1, 0, 0, 1)
	q, err = soft.Predict([]float64{3, 3 + math.Log(3)})
	if err != nil || q.Label != "y" || math.Abs(q.Probabilities[1]-.75) > 1e-6 ||
		math.Abs(q.Probabilities[0]+q.Probabilities[1]-1) > 1e-6 {
		t.Errorf("%+v, %v", q, err)
	}
	for task, want := range map[string][]float64{Sets: {.75, .5}, Classes: {.6, .4}} {
		each := of[float32](t, map[string]string{"solver": "m3l", "settings": "C 1, loss logistic, labels 2",
			NoteTask: task}, []string{"x", "y"}, 1, 0, 0, 1)
		q, err := each.Predict([]float64{math.Log(3), 0})
		if err != nil || math.Abs(q.Probabilities[0]-want[0]) > 1e-6 || math.Abs(q.Probabilities[1]-want[1]) > 1e-6 {
			t.Errorf("%s: %+v, %v", task, q, err)
		}
	}
	if q, err = soft.Predict([]float64{3, 3 + math.Log(3)}); err != nil {
		t.Fatal(err)
	}
	if names, err := soft.TopK(q, 2); err != nil || fmt.Sprint(names) != "[y x]" {
		t.Error(names, err)
	}
}

// Many examples have the answers that they have one by one, from many goroutines at once.
func TestMany(t *testing.T) {
	const n, d, outputs = 1000, 7, 3
	rng := rand.New(rand.NewPCG(1, 2))
	w, x := make([]float64, d*outputs), vec.NewMatrix[float64](n, d)
	for j := range w {
		w[j] = float64(rng.IntN(20) - 10)
	}
	for j := range x.Data {
		x.Data[j] = float64(rng.IntN(20) - 10)
	}
	m, err := linear.New(vec.MatrixOf(d, outputs, w), []float64{1, 2, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(&model.Model[float64]{Linear: m.WithNotes(
		map[string]string{dataset.ScalingNote: "shift 1 2 3 4 5 6 7"})})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			all, err := p.PredictBatch(nil, &dataset.Dense[float64]{Matrix: x}, 2)
			if err != nil || len(all) != n {
				t.Error(len(all), err)
				return
			}
			for i := 0; i < n; i += 37 {
				if q, err := p.Predict(x.Row(i)); err != nil || !reflect.DeepEqual(q, all[i]) {
					t.Errorf("row %d: %+v, %v, among others %+v", i, q, err, all[i])
				}
			}
		})
	}
	wait.Wait()
}

// Windows of Features that are neither dense nor sparse are taken too.
func TestOtherStorage(t *testing.T) {
	p := of[float32](t, map[string]string{dataset.ScalingNote: "shift 1 1"}, nil, 1, 0, 0, 1)
	x := &dataset.Dense[float32]{Matrix: vec.MatrixOf(2, 2, []float32{1, 2, 3, 5})}
	for _, f := range []Examples{design.Subset[float32](x, []int{1, 0}),
		design.Float64[float32](design.Subset[float32](x, []int{1, 0}))} {
		q, err := p.PredictBatch(nil, f, 0)
		if err != nil || fmt.Sprint(q[0].Scores, q[1].Scores) != "[2 4] [0 1]" {
			t.Error(q, err)
		}
	}
}

// What a call allocates does not grow with the rows.
func TestAllocations(t *testing.T) {
	p := of[float32](t, map[string]string{dataset.ScalingNote: "shift 1 1", NoteFeatures: "u,v"}, []string{"x", "y"}, 1,
		0, 0, 1)
	allocs := func(n int, sparse bool) float64 {
		r := p.NewRows()
		var dst []Prediction
		row, named, indices := []float64{1, 2}, map[string]float64{"u": 1, "v": 2}, []int{1, 0}
		return prove.Allocs(20, func() {
			r.Reset()
			for range n {
				var err error
				if sparse {
					err = r.AddSparse(indices, row)
				} else if err = r.Add(row); err == nil {
					err = r.AddNamed(named)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			var err error
			if dst, err = p.PredictBatch(dst, r, 1); err != nil {
				t.Fatal(err)
			}
		})
	}
	for _, sparse := range []bool{false, true} {
		if few, many := allocs(1, sparse), allocs(100, sparse); many > few {
			t.Errorf("sparse %v: %v allocations for a row, %v for 100", sparse, few, many)
		} else {
			t.Logf("sparse %v: %v allocations", sparse, few)
		}
	}
}
