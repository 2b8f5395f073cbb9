package dataset

import (
	"slices"
	"testing"
)

func TestBinary(t *testing.T) {
	digits := Labels{Y: []int{0, 2, 1, 2}, Classes: []string{"3", "7", "9"}}
	texts := Labels{Y: []int{1, 0}, Classes: []string{"cat", "dog"}}
	sets := Labels{Sets: [][]int{{0, 2}, {}, {1}, {1, 2}}, Classes: []string{"a", "b", "c"}}
	for _, c := range []struct {
		l       *Labels
		classes []string
		want    []bool
	}{
		{&digits, []string{"9"}, []bool{false, true, false, true}},
		{&digits, []string{"9.0", "3", "9"}, []bool{true, true, false, true}},
		{&texts, []string{"dog"}, []bool{true, false}},
		{&sets, []string{"a", "b"}, []bool{true, false, true, true}},
		{&Labels{Classes: []string{"x"}}, []string{"x"}, []bool{}},
	} {
		got, err := c.l.Positive(c.classes...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v", c.classes, got, err, c.want)
		}
		b, err := c.l.Binary(c.classes...)
		if err != nil || len(b.Y) != len(c.want) || b.check(len(c.want)) != nil {
			t.Errorf("%q: %v, %v", c.classes, b, err)
		}
		for i, is := range c.want {
			if is != (b.Y[i] == 1) || b.Values[i] != float64(2*b.Y[i]-1) ||
				b.Classes[b.Y[i]] != string(appendLabel(nil, b.Values[i])) {
				t.Errorf("%q, example %d: %v", c.classes, i, b)
			}
		}
	}
	for want, call := range map[string]func() ([]bool, error){
		`dataset: class "8" named as positive, want one of ["3" "7" "9"]`: func() ([]bool,
			error) {
			return digits.Positive("7", "8")
		},
		`dataset: class "7" named as positive, want one of ["cat" "dog"]`: func() ([]bool,
			error) {
			return texts.Positive("7")
		},
		`dataset: no class is named as positive, want one of ["cat" "dog"]`: func() ([]bool,
			error) {
			return texts.Positive()
		},
		`dataset: class "7" named as positive, want one of []`: func() ([]bool,
			error) {
			return new(Labels).Positive("7")
		},
		`dataset: class 2 of example 1, want one in 0..1`: func() ([]bool,
			error) {
			return (&Labels{Y: []int{0, 2}, Classes: texts.Classes}).Positive("cat")
		},
		`dataset: class -1 of example 0, want one in 0..1`: func() ([]bool,
			error) {
			return (&Labels{Sets: [][]int{{-1}}, Classes: texts.Classes}).Positive("cat")
		},
		`dataset: classes 0 and 1 are both "cat"`: func() ([]bool,
			error) {
			return (&Labels{Classes: []string{"cat", "cat"}}).Positive("cat")
		},
	} {
		got, err := call()
		if got != nil || err == nil || err.Error() != want {
			t.Errorf("%v, %v, want %s", got, err, want)
		}
	}
}
