package solvers

import (
	"reflect"
	"strings"
	"testing"
)

// found is what a share has found of its points, each with one measure.
func found(values ...float64) (all []Validation) {
	for p, v := range values {
		all = append(all, Validation{Order: p, Measures: []Measured{NewMeasured(Measure{Name: "m"}, []float64{v})}})
	}
	return all
}

// TestJoinFolds: measures of parts come together in the order of the parts, with the mean and the spread of all; the
// parts stay as they were.
func TestJoinFolds(t *testing.T) {
	parts := [][]Validation{found(1, .1), found(2, .2), found(6, .3)}
	want := []Validation{
		{Order: 0, Measures: []Measured{NewMeasured(Measure{Name: "m"}, []float64{1, 2, 6})}},
		{Order: 1, Measures: []Measured{NewMeasured(Measure{Name: "m"}, []float64{.1, .2, .3})}},
	}
	for range 2 {
		if got, err := JoinFolds(parts); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
	if got, err := JoinFolds([][]Validation{nil, {}}); err != nil || len(got) != 0 {
		t.Errorf("of no points: %v, %v", got, err)
	}
}

func TestJoinFoldsErrors(t *testing.T) {
	order, name, smaller, more := found(1, 2), found(1, 2), found(1, 2), found(1, 2)
	order[1].Order = 0
	name[1].Measures[0].Name = "n"
	smaller[0].Measures[0].Smaller = true
	more[0].Measures = append(more[0].Measures, more[0].Measures[0])
	for want, parts := range map[string][][]Validation{
		"no parts to join":                                  {},
		"part 1 has 1 points, want 2":                       {found(1, 2), found(1)},
		"part 2 has 0 points, want 2":                       {found(1, 2), found(1, 2), nil},
		"point 0 of part 0: no measures":                    {{{}}},
		"point 1 of part 1: Order is 0, want 1":             {found(1, 2), order},
		`point 1 of part 1: measure 0 is "n"`:               {found(1, 2), name},
		"point 0 of part 1: measure 0 is \"m\", smaller is": {found(1, 2), smaller},
		"point 0 of part 1: 2 measures, want 1":             {found(1, 2), more},
	} {
		if got, err := JoinFolds(parts); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", got, err, want)
		}
	}
}
