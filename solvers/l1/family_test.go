package l1

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/vec"
)

type (
	trainings[T vec.Float]  = familytest.Family[Problem[T], Config, *Result[T]]
	stateTests[T vec.Float] = familytest.States[Problem[T], Config, *Result[T]]
)

func honestly[T vec.Float](t *testing.T, p Problem[T], c Config, r *Result[T]) {
	t.Helper()
	honest(t, fmt.Sprintf("%+v", c), p, c, r)
}

// familyOf has trainings on each storage, of two classes and of more, with few columns and with more than second
// derivatives are computed over.
func familyOf[T vec.Float](t testing.TB) trainings[T] {
	f := trainings[T]{Name: "l1", Honest: honestly[T], Last: true, Random: 3, Looks: 4, Epochs: 12}
	for q, name := range slices.Sorted(maps.Keys(forms[T](t, draw(23, 16, 4, 3)))) {
		for k, size := range [][3]int{{150, 20, 2}, {90, 12, 4}} {
			c := Config{C: 1, Loss: Loss((q + k) % 2), Bias: float64(k), Tol: 1e-8}
			if prove.IsF32[T]() {
				c.Tol = 1e-4
			}
			s := draw(23, size[0], size[1], size[2])
			x := forms[T](t, s)[name]
			f.Add(fmt.Sprintf("%s, %v", name, size), func(testing.TB) Problem[T] {
				return Problem[T]{X: x, Y: s.y, Weights: familytest.Uneven(size[0])}
			}, c)
		}
	}
	s := draw(24, 120, mostColumns+300, 2)
	for _, name := range []string{"dense", "few"} {
		x := forms[T](t, s)[name]
		for _, loss := range []Loss{SquaredHinge, Logistic} {
			c := Config{C: .3, Loss: loss, Tol: 1e-7}
			if prove.IsF32[T]() {
				c.Tol = 1e-4
			}
			f.Add(fmt.Sprintf("many columns, %s, %v", name, loss),
				func(testing.TB) Problem[T] { return Problem[T]{X: x, Y: s.y} }, c)
		}
	}
	return f
}

// states have a small problem of numbers that are exact in float32, whose states are in testdata. Sums are rounded in
// another order on some architectures, but a state that was written once is read everywhere.
func states[T vec.Float]() stateTests[T] {
	x, y := vec.NewMatrix[T](9, 4), make([]int, 9)
	for i := range y {
		for j := range 4 {
			x.Row(i)[j] = T((5*i+3*j+i*j)%7-3) / 2
		}
		x.Row(i)[i%3] += 2
		y[i] = i % 3
	}
	f := trainings[T]{Name: "l1", Honest: honestly[T]}
	for name, loss := range map[string]Loss{"squared": SquaredHinge, "logistic": Logistic} {
		f.Add(name, func(testing.TB) Problem[T] {
			return Problem[T]{X: &dataset.Dense[T]{Matrix: x}, Y: slices.Clone(y)}
		}, Config{C: 2, Loss: loss, Bias: 1, Tol: 1e-9, Epochs: 100, Seed: 11, Workers: 1})
	}
	return stateTests[T]{
		Family: f,
		Fields: map[string]familytest.Field[Problem[T], Config]{
			"Classes":      {Set: func(c *Config) { c.Classes = 4 }, Want: familytest.OtherData},
			"ClassWeights": {Set: func(c *Config) { c.ClassWeights = []float64{1, 2, 3} }, Want: familytest.OtherData},
			"Bias":         {Set: func(c *Config) { c.Bias = 2 }},
			"Loss":         {Set: func(c *Config) { c.Loss = 1 - c.Loss }},
			"Workers":      {},
		},
		Other: func(t testing.TB, state []byte) error {
			r := states[float32]().Trainings[0]
			_, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
			return err
		},
	}
}

// TestFamily: what every family promises. Epochs of one round alone, so that small problems have some to stop at.
func TestFamily(t *testing.T) {
	rounds(t, 1)
	prove.Both(t, func(t *testing.T) { familyOf[float32](t).Run(t) },
		func(t *testing.T) { familyOf[float64](t).Run(t) })
}

func TestStates(t *testing.T) {
	rounds(t, 1)
	states[float64]().Run(t)
}

func FuzzResume(f *testing.F) { states[float64]().Fuzz(f) }

// TestRounds: trainings that stop after each of their epochs and go on from a state, whose epochs have as many rounds
// as users have.
func TestRounds(t *testing.T) { prove.Both(t, testRounds[float32], testRounds[float64]) }

func testRounds[T vec.Float](t *testing.T) {
	if mostRounds != 4 {
		t.Fatalf("%d rounds, want 4", mostRounds)
	}
	several := 0
	for _, r := range familyOf[T](t).Trainings {
		want := fit(t, r.Make(t), r.Config)
		for stop := 1; stop < want.Epochs; stop++ {
			var state []byte
			c := r.Config
			c.Epochs = 1 << 20
			ctx, cancel := context.WithCancel(context.Background())
			c.Progress = func(p solvers.Progress) {
				if p.Epoch == stop {
					cancel()
				}
			}
			c.Checkpoint.Save = func(write func(io.Writer) error) error {
				var b bytes.Buffer
				err := write(&b)
				state = b.Bytes()
				return err
			}
			_, err := r.Make(t).Fit(ctx, c)
			cancel()
			if err == nil {
				continue // it ended before it looked
			}
			got, err := r.Make(t).Resume(context.Background(), bytes.NewReader(state), r.Config)
			if err != nil || !sameResult(got, want) {
				t.Errorf("%s: stopped in epoch %d of %d: %v, or other bits", r.Name, stop, want.Epochs, err)
			}
			several++
		}
	}
	if several < 10 {
		t.Errorf("%d stops, want some", several)
	}
}

// rounds sets the rounds of an epoch until the test is over.
func rounds(t *testing.T, most int) {
	before := mostRounds
	mostRounds = most
	t.Cleanup(func() { mostRounds = before })
}

// TestFamilyPath: what every family promises of its paths.
func TestFamilyPath(t *testing.T) {
	costs := []float64{.5, 2, 6}
	s := draw(29, 90, 9, 4)
	f := familytest.Paths[Problem[float64], Config, *Result[float64]]{
		Family: trainings[float64]{Name: "l1", Honest: honestly[float64]},
		Path: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation) (any, error) {
			return p.Path(ctx, c, PathConfig{Cs: costs, CrossValidation: cv})
		},
		PathFold: func(ctx context.Context, p Problem[float64], c Config, cv solvers.CrossValidation, which int) (any,
			error) {
			return p.PathFold(ctx, c, PathConfig{Cs: costs, CrossValidation: cv}, which)
		},
		At: func(c *Config, point int) { c.C = costs[point] },
	}
	for _, loss := range []Loss{SquaredHinge, Logistic} {
		f.Add(loss.String(), func(testing.TB) Problem[float64] {
			return Problem[float64]{X: dense[float64](s), Y: s.y, Weights: familytest.Uneven(90)}
		}, Config{Loss: loss, Tol: 1e-8, Classes: 4})
	}
	f.Run(t)
}

// TestBits: any number of workers gives the same bits.
func TestBits(t *testing.T) { prove.Both(t, testBits[float32], testBits[float64]) }

func testBits[T vec.Float](t *testing.T) {
	for _, r := range familyOf[T](t).Trainings {
		r.Config.Workers = 1
		want := fit(t, r.Make(t), r.Config)
		for _, r.Config.Workers = range []int{1, 3} {
			r.Config.Seed++
			if !sameResult(fit(t, r.Make(t), r.Config), want) {
				t.Errorf("%s: other bits by %d workers", r.Name, r.Config.Workers)
			}
		}
	}
}
