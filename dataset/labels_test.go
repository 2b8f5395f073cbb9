package dataset

import (
	"slices"
	"testing"
)

func TestNumericLabels(t *testing.T) {
	l, err := NumericLabels([]float64{3, -1, 3, 2.5, 1e6}, nil)
	if err != nil || !slices.Equal(l.Y, []int{2, 0, 2, 1, 3}) ||
		!slices.Equal(l.Classes, []string{"-1", "2.5", "3", "1000000"}) {
		t.Errorf("%v, %v", l, err)
	}
	l, err = NumericLabels([]float64{1, -1, 1}, []string{"+1", "-1.0"})
	if err != nil || !slices.Equal(l.Y, []int{0, 1, 0}) || !slices.Equal(l.Classes, []string{"+1", "-1.0"}) {
		t.Errorf("%v, %v", l, err)
	}
	_, err = NumericLabels([]float64{1, 2}, []string{"1", "3"})
	checkMessage(t, err, []string{"label 2 of example 1", `["1" "3"]`})
	_, err = NumericLabels([]float64{1, nan}, nil)
	checkMessage(t, err, []string{"NaN", "example 1"})
	_, err = NumericLabels(nil, []string{"cat"})
	checkMessage(t, err, []string{`"cat"`})
	_, err = NumericLabels(nil, []string{"1", "2", "1.0"})
	checkMessage(t, err, []string{"0 and 2", `"1.0"`})
}

func TestTextLabels(t *testing.T) {
	for _, c := range []struct {
		name         string
		texts, given []string
		y            []int
		classes      []string
		values       []float64
	}{
		{"by appearance", []string{"dog", "cat", "dog", "1"}, nil, []int{0, 1, 0, 2}, []string{"dog", "cat", "1"}, nil},
		{"all numbers", []string{"10", "9", "1e1"}, nil, []int{1, 0, 1}, []string{"9", "10"}, []float64{10, 9, 10}},
		{"given", []string{"dog", "cat"}, []string{"ant", "cat", "dog"}, []int{2, 1}, []string{"ant", "cat", "dog"},
			nil},
		{"given numbers", []string{"+1", "1.0", "-1"}, []string{"-1", "1"}, []int{1, 1, 0}, []string{"-1", "1"},
			[]float64{1, 1, -1}},
	} {
		l, err := TextLabels(c.texts, c.given)
		if err != nil || !slices.Equal(l.Y, c.y) || !slices.Equal(l.Classes, c.classes) ||
			!slices.Equal(l.Values, c.values) {
			t.Errorf("%s: %v, %v", c.name, l, err)
		}
	}
	_, err := TextLabels([]string{"a", "b"}, []string{"a"})
	checkMessage(t, err, []string{`"b" of example 1`})
	_, err = TextLabels([]string{"1", "x"}, []string{"1", "2"})
	checkMessage(t, err, []string{`"x" of example 1`})
	_, err = TextLabels([]string{"1", "3"}, []string{"1", "2"})
	checkMessage(t, err, []string{`"3" of example 1`})
	_, err = TextLabels(nil, []string{"a", "b", "a"})
	checkMessage(t, err, []string{"0 and 2", `"a"`})
}
