package familytest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/vec"
)

// Change changes a problem and its parameters.
type Change[P, C any] = func(p *P, c *C)

// Errors is what the tests of errors need to know.
type Errors[P Problem[C, R], C, R any] struct {
	Name string
	Make func() (P, C) // a problem of some examples, more than 5, of 3 features and 3 classes
	// Path runs a path by a grid of its own, with the folds that are told.
	Path func(p P, c C, cv solvers.CrossValidation) (points any, err error)

	// Cases are changes that make no problem, by what their errors say.
	Cases map[string]Change[P, C]
	// Calls are further entry points, whose errors say the same.
	Calls map[string]func(p P, c C) error
	// Own are the words of Cases that paths, or further entry points, say nothing of, since they have those values of
	// their own.
	Own []string
}

// Run tests that what makes no problem is an error, once of this family, that names the value and its place, of every
// entry point, and no panic: the family's cases, and those that are of all families.
func (e Errors[P, C, R]) Run(t *testing.T) {
	cases := common[P, C](e.Make)
	for want, change := range e.Cases {
		cases[want] = change
	}
	ctx := context.Background()
	for want, change := range cases {
		p, c := e.Make()
		change(&p, &c)
		check := func(call string, result bool, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", call, err, want)
			}
			if result {
				t.Errorf("%s, %q: a result besides", call, want)
			}
			if err != nil && (!strings.HasPrefix(err.Error(), e.Name+": ") || strings.Count(err.Error(), e.Name) > 1) {
				t.Errorf("%s: %q does not say once whose error it is", call, err)
			}
		}
		e.unharmed(t, want, func() {
			r, err := p.Fit(ctx, c)
			check("Fit", !none(r), err)
			if start, _ := field[R](&p, "Start"); start == nil || none(*start) {
				r, err = p.Resume(ctx, strings.NewReader("x"), c)
				check("Resume", !none(r), err)
			}
			if slices.ContainsFunc(e.Own, func(word string) bool { return strings.Contains(want, word) }) {
				return
			}
			points, err := e.Path(p, c, solvers.CrossValidation{})
			check("Path", reflect.ValueOf(points).Len() > 0, err)
			points, err = e.Path(p, c, solvers.CrossValidation{Folds: 2}) // which may be what is wrong
			if reflect.ValueOf(points).Len() > 0 || err == nil || !strings.HasPrefix(err.Error(), e.Name+": ") {
				t.Errorf("%s, a path with folds: %v", want, err)
			}
			for call, of := range e.Calls {
				check(call, false, of(p, c))
			}
		})
	}
	e.arguments(t)
}

// arguments: no context, no state, a state and a start.
func (e Errors[P, C, R]) arguments(t *testing.T) {
	ctx := context.Background()
	p, c := e.Make()
	var no context.Context
	start, err := p.Fit(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	started := p
	at, _ := field[R](&started, "Start")
	*at = start
	for want, call := range map[string]func() (R, error){
		"no context":              func() (R, error) { return p.Fit(no, c) },
		"no context ":             func() (R, error) { return p.Resume(no, strings.NewReader("x"), c) },
		"no state to resume from": func() (R, error) { return p.Resume(ctx, nil, c) },
		"a state to resume from, and Start: want one of them": func() (R, error) {
			return started.Resume(ctx, strings.NewReader("x"), c)
		},
	} {
		e.unharmed(t, want, func() {
			if r, err := call(); !none(r) || err == nil || err.Error() != e.Name+": "+strings.TrimSpace(want) {
				t.Errorf("%s, %v, want %q", Told(r), err, want)
			}
		})
	}
	if _, err := p.Resume(ctx, strings.NewReader("x"), c); !errors.Is(err, solvers.ErrCorrupt) {
		t.Errorf("no state: %v", err)
	}
}

func (e Errors[P, C, R]) unharmed(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if e := recover(); e != nil {
			t.Errorf("%s: a panic: %v", what, e)
		}
	}()
	f()
}

// common are changes of what families have in common, which make no problem.
func common[P, C any](make func() (P, C)) map[string]Change[P, C] {
	nan, inf := math.NaN(), math.Inf(1)
	all := map[string]Change[P, C]{}
	p, c := make()
	for _, f := range []struct {
		name  string
		value any
		want  string
	}{
		{"Tol", -.1, "Tol = -0.1, want a positive number"}, {"Tol", nan, "Tol = NaN"}, {"Epochs", -2, "Epochs = -2"},
		{"Workers", -1, "Workers = -1, want at least 1, or 0"},
		{"Bias", nan, "Bias = NaN"}, {"Bias", inf, "Bias = +Inf"},
		{"Classes", -2, "Classes = -2"}, {"Labels", -2, "Labels = -2"}, {"BlockSize", -2, "BlockSize = -2"},
		{"Checkpoint", solvers.Checkpoint{Every: 1}, "checkpoints every 1ns, but no function that saves them"},
		{"Checkpoint", solvers.Checkpoint{Every: -1}, "checkpoints every -1ns, want at least 0"},
		{"Lambda", -1., "Lambda = -1"}, {"Lambda", nan, "Lambda = NaN"}, {"Lambda", inf, "Lambda = +Inf"},
		{"C", -1., "C = -1"}, {"C", nan, "C = NaN"}, {"C", inf, "C = +Inf"},
		{"K", -1, "K = -1"}, {"Loss", 99, "Loss = 99"},
	} {
		if reflect.ValueOf(c).FieldByName(f.name).IsValid() {
			all[f.want] = func(_ *P, c *C) {
				at := reflect.ValueOf(c).Elem().FieldByName(f.name)
				at.Set(reflect.ValueOf(f.value).Convert(at.Type()))
			}
		}
	}
	n := examples(&p)
	ones := func() []float64 { return slices.Repeat([]float64{1}, n) }
	for want, weights := range map[string][]float64{
		fmt.Sprintf("2 weights for %d examples", n):              {1, 2},
		fmt.Sprintf("0 weights for %d examples", n):              {},
		"weight -1 of row 2, want a finite number of at least 0": slices.Replace(ones(), 2, 3, -1),
		"weight NaN of row 0":                                    slices.Replace(ones(), 0, 1, nan),
		"weight +Inf of row 5":                                   slices.Replace(ones(), 5, 6, inf),
		fmt.Sprintf("all %d weights are 0", n):                   slices.Repeat([]float64{0}, n),
	} {
		add(all, want, "Weights", weights)
	}
	if y, has := field[[]int](&p, "Y"); has {
		add(all, "label -3 of row 1, want at least 0", "Y", slices.Replace(slices.Clone(*y), 1, 2, -3))
		add(all, fmt.Sprintf("label 2000000000 of row 5, with %d examples", n), "Y",
			slices.Replace(slices.Clone(*y), 5, 6, 2000000000))
		add(all, fmt.Sprintf("%d labels for %d examples", n-1, n), "Y", (*y)[1:])
		add(all, fmt.Sprintf("0 labels for %d examples", n), "Y", []int{})
		add(all, fmt.Sprintf("all %d labels are 1", n), "Y", slices.Repeat([]int{1}, n))
		add(all, "labels", "Y", []int(nil))
	}
	if x, has := field[design.Matrix[float64]](&p, "X"); has {
		commonExamples(all, *x, n)
	}
	return all
}

// add adds the change of a field to another value, unless problems have no such field.
func add[P, C any](all map[string]Change[P, C], want, name string, value any) {
	if at, ok := reflect.TypeFor[P]().FieldByName(name); ok && at.Type == reflect.TypeOf(value) ||
		ok && at.Type.Kind() == reflect.Interface {
		all[want] = func(p *P, _ *C) {
			at := reflect.ValueOf(p).Elem().FieldByName(name)
			if value == nil {
				at.SetZero()
			} else {
				at.Set(reflect.ValueOf(value))
			}
		}
	}
}

// commonExamples adds what is wrong with the examples x, which are n of 3 features.
func commonExamples[P, C any](all map[string]Change[P, C], x design.Matrix[float64], n int) {
	spoiled := func(v float64) any {
		return changed(nil, x, func(x vec.Matrix[float64]) { x.Row(4)[2] = v })
	}
	dense := func(m vec.Matrix[float64]) any { return &dataset.Dense[float64]{Matrix: m} }
	sparse := func(idx ...int32) any { // of one number in a row
		ptr := make([]int, n+1)
		for i := range ptr {
			ptr[i] = min(i, len(idx))
		}
		return &dataset.CSR[float64]{Rows: n, Cols: 3, Ptr: ptr, Idx: idx, Val: make([]float64, len(idx))}
	}
	backwards, beyond := sparse(0, 0, 0, 0).(*dataset.CSR[float64]), sparse(0, 0, 0).(*dataset.CSR[float64])
	backwards.Ptr[1], beyond.Ptr[n] = 4, 99
	for want, x := range map[string]any{
		"row 4, column 2: value NaN":  spoiled(math.NaN()),
		"row 4, column 2: value -Inf": spoiled(math.Inf(-1)),
		"squared norm of row 4":       spoiled(1e200),
		"without features":            dense(vec.NewMatrix[float64](n, 0)),
		"row 1 has column 3":          sparse(0, 3),
		"too few":                     dense(vec.Matrix[float64]{Rows: n, Cols: 3, Stride: 3}),
		"stride 0":                    dense(vec.Matrix[float64]{Rows: n, Cols: 3, Data: make([]float64, 3*n)}),
		"-3 columns":                  dense(vec.Matrix[float64]{Rows: n, Cols: -3, Stride: 3}),
		fmt.Sprint(n):                 &dataset.CSR[float64]{Rows: n, Cols: 3},
		"99":                          beyond,
		"row 1":                       backwards,
		"examples":                    (*dataset.Dense[float64])(nil),
		"no examples":                 (*dataset.CSR[float64])(nil),
		"no examples:":                nil,
	} {
		add(all, want, "X", x)
	}
	if _, ok := reflect.TypeFor[P]().FieldByName("Kernel"); ok {
		all["X and Kernel"] = func(p *P, _ *C) {
			k, _ := field[*kernel.Matrix[float64]](p, "Kernel")
			*k = new(kernel.Matrix[float64])
		}
	}
}
