package dataset_test

import (
	"bytes"
	"encoding"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/internal/damage"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

var (
	_ encoding.TextMarshaler   = (*dataset.Scaling)(nil)
	_ encoding.TextUnmarshaler = (*dataset.Scaling)(nil)
)

// A scaling is the same to the bit in a model's notes.
func TestScalingNote(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			for x[i] = math.NaN(); x[i]-x[i] != 0; {
				x[i] = math.Float64frombits(rng.Uint64())
			}
		}
		return x
	}
	for _, s := range []*dataset.Scaling{
		{}, {UnitRows: true}, {Shift: []float64{}, Factor: []float64{}}, {Factor: []float64{1. / 3}},
		{Shift: []float64{5e-324, 0}},
		{Shift: random(500), Factor: random(500), UnitRows: true},
	} {
		notes, err := s.Note(map[string]string{"solver": "topk"})
		if err != nil || notes["solver"] != "topk" || len(notes) != 2 {
			t.Fatal(notes, err)
		}
		w, err := linear.New(vec.NewMatrix[float32](2, 2), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := w.WithNotes(notes).WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		w, err = linear.Read[float32](&file)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := dataset.ScalingOf(w.Notes()); err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%+v, %v, want %+v", got, err, s)
		}
	}
	if s, err := dataset.ScalingOf(nil); err != nil || !reflect.DeepEqual(s, new(dataset.Scaling)) {
		t.Errorf("%v, %v", s, err)
	}
	if notes, err := new(dataset.Scaling).Note(nil); err != nil || len(notes) != 1 {
		t.Errorf("%v, %v", notes, err)
	}
	if _, err := (&dataset.Scaling{Shift: []float64{math.NaN()}}).MarshalText(); err == nil {
		t.Error("NaN is written")
	}
	if _, err := (&dataset.Scaling{Shift: []float64{1}, Factor: []float64{1, 2}}).MarshalText(); err == nil {
		t.Error("1 shift and 2 factors are written")
	}
	before := dataset.Scaling{UnitRows: true}
	for text, want := range map[string]string{
		"shift 1 x":            `dataset: line 1 of a scaling: found "x", want a number`,
		"unit rows\nshift NaN": `dataset: line 2 of a scaling: found "NaN", want a finite number`,
		"shift 1e999":          `dataset: line 1 of a scaling: found "1e999", want a number in the range of float64`,
		"shift 1\nshift 1":     `dataset: line 2 of a scaling: found "shift 1", want shift, factor or unit rows, each once`,
		"unit rows\nunit rows": `dataset: line 2 of a scaling: found "unit rows", want shift, factor or unit rows, each once`,
		"unit\n":               `dataset: line 1 of a scaling: found "unit\n", want shift, factor or unit rows, each once`,
		"scale 3":              `dataset: line 1 of a scaling: found "scale 3", want shift, factor or unit rows, each once`,
		"shift 1 2\nfactor 1":  `dataset: scaling with 2 shifts and 1 factors of 2 columns`,
	} {
		s := before
		if err := s.UnmarshalText([]byte(text)); err == nil || err.Error() != want || !reflect.DeepEqual(s, before) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzScaling(f *testing.F) {
	f.Add("shift 1 2\nfactor .5 1e300\nunit rows\n")
	f.Add("factor\n")
	for _, text := range damage.Seeds([]byte("shift 1 -2.5\nfactor .5 1e3\nunit rows\n"), damage.Text, 20) {
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s, again dataset.Scaling
		if s.UnmarshalText([]byte(text)) != nil {
			return
		}
		written, err := s.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(written); err != nil || !reflect.DeepEqual(s, again) {
			t.Fatalf("%q is %+v, written as %q, read again as %+v (%v)", text, s, written, again, err)
		}
	})
}

func TestRawWeights(t *testing.T) { prove.Both(t, testRawWeights[float32], testRawWeights[float64]) }

// Raw examples have the scores that scaled ones had: each of the d+1 terms of a score meets at most 2d+8 roundings on
// either way, in T, and the roundings of the scaled examples and of the raw weights.
func testRawWeights[T vec.Float](t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n, d, m = 9, 30, 4
	x := &dataset.Dense[T]{Matrix: random[T](rng, n, d)}
	fitted, err := dataset.Standardize(x)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*dataset.Scaling{fitted, {}, {Shift: fitted.Shift}, {Factor: fitted.Factor}} {
		scaled, err := x.Scaled(s)
		if err != nil {
			t.Fatal(err)
		}
		w := random[T](rng, d, m)
		for _, bias := range [][]T{nil, random[T](rng, 1, m).Row(0)} {
			raw, offsets, err := dataset.RawWeights(s, w, bias)
			if err != nil || (offsets == nil) != (bias == nil && s.Shift == nil) {
				t.Fatal(offsets, err)
			}
			if offsets == nil {
				offsets = make([]T, m)
			}
			want, got := vec.NewMatrix[T](n, m), vec.NewMatrix[T](n, m)
			scaled.Scores(want, w, nil)
			x.Scores(got, raw, nil)
			for i := range n {
				for c := range m {
					size := math.Abs(float64(offsets[c]))
					if bias != nil {
						want.Row(i)[c] += bias[c]
						size += math.Abs(float64(bias[c]))
					}
					for j, v := range x.Row(i) {
						shift := 0.0
						if s.Shift != nil {
							shift = math.Abs(s.Shift[j])
						}
						size += (math.Abs(float64(v)) + shift) * math.Abs(float64(raw.Row(j)[c]))
					}
					off := float64(got.Row(i)[c]) + float64(offsets[c]) - float64(want.Row(i)[c])
					if bound := 2 * (2*d + 8) * prove.Unit[T]() * size; !(math.Abs(off) <= bound) {
						t.Errorf("score %d, %d: off by %v, more than %v", i, c, off, bound)
					}
				}
			}
		}
	}
	w := random[T](rng, d, m)
	for want, call := range map[string]func() error{
		"dataset: rows scaled to norm 1, which weights of raw rows cannot do": func() error {
			_, _, err := dataset.RawWeights(&dataset.Scaling{UnitRows: true}, w, nil)
			return err
		},
		"dataset: scaling with 1 shifts and 0 factors of 30 columns": func() error {
			_, _, err := dataset.RawWeights(&dataset.Scaling{Shift: []float64{1}}, w, nil)
			return err
		},
		"dataset: 2 offsets for 4 outputs": func() error {
			_, _, err := dataset.RawWeights(fitted, w, make([]T, 2))
			return err
		},
		"dataset: weight 2 of feature 0 for output 0 is +Inf times its factor 1e+308, want a " +
			"finite number": func() error {
			_, _, err := dataset.RawWeights(&dataset.Scaling{Factor: []float64{1e308}}, vec.MatrixOf(1, 1, []T{2}), nil)
			return err
		},
		"dataset: offset -Inf of output 0, want a finite number": func() error {
			_, _, err := dataset.RawWeights(&dataset.Scaling{Shift: []float64{1e308}}, vec.MatrixOf(1, 1, []T{2}), nil)
			return err
		},
	} {
		if err := call(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Examples in a file are fitted like those in memory, and scaled on the way to a product.
func TestScalingMapped(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	whole := vec.NewMatrix[float32](90, 400)
	for i := range whole.Data {
		whole.Data[i] = float32(rng.IntN(200)) / 4
	}
	dense := &dataset.Dense[float32]{Matrix: whole}
	for _, o := range []dataset.NPYOptions{{Type: "u1", Scale: .25}, {Type: "f4"}} {
		x := mapped[float32](t, npyFile(t, whole, o), o)
		for name, fit := range map[string]func(dataset.Storage) (*dataset.Scaling,
			error){"standard": dataset.Standardize, "range": dataset.MinMax} {
			got, err := fit(x)
			if err != nil {
				t.Fatal(err)
			}
			want, err := fit(dense)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %v, want %v (%v)", o.Type, name, got, want, err)
			}
			shift, factor := make([]float32, 400), make([]float32, 400)
			vec.Convert(shift, got.Shift)
			vec.Convert(factor, got.Factor)
			y := design.Scaled(design.Centered[float32](x, shift), factor)
			a, b := vec.NewMatrix[float32](90, 400), whole
			y.Gather(a, nil)
			for i := range 90 {
				for j, v := range a.Row(i) {
					if want := (b.Row(i)[j] - shift[j]) * factor[j]; v != want {
						t.Fatalf("row %d, column %d: %v, want %v", i, j, v, want)
					}
				}
			}
		}
	}
}

// A model that says in its file how to scale the examples it is shown, and one that takes them raw.
func ExampleScaling_Note() {
	x, _ := dataset.NewDense(vec.MatrixOf(4, 1, []float64{1, 3, 5, 7}))
	s, _ := dataset.MinMax(x)
	model, _ := linear.New(vec.MatrixOf(1, 2, []float64{-1, 1}), []float64{.5, -.5}, []string{"small", "large"})
	notes, err := s.Note(model.Notes())
	if err != nil {
		fmt.Println(err)
		return
	}
	model = model.WithNotes(notes)

	// Later, with another example:
	s, err = dataset.ScalingOf(model.Notes())
	if err != nil {
		fmt.Println(err)
		return
	}
	y, _ := dataset.NewDense(vec.MatrixOf(1, 1, []float64{6}))
	scaled, _ := y.Scaled(s)
	fmt.Println(model.Names()[model.Predict(scaled.Row(0))])

	w, bias, _ := dataset.RawWeights(s, model.Weights(), model.Bias())
	raw, _ := linear.New(w, bias, model.Names())
	fmt.Println(raw.Names()[raw.Predict(y.Row(0))])
	// Output:
	// large
	// large
}
