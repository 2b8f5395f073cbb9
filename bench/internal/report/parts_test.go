package report

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestParts: parts are printed in their own order, whatever order the list has; an unknown name and the error of a part
// name the part.
func TestParts(t *testing.T) {
	var printed []string
	bad := errors.New("no data")
	part := func(name string, err error) Part[int] {
		return Part[int]{Name: name, Run: func(int,
			context.Context) error {
			printed = append(printed, name)
			return err
		}}
	}
	all := Parts[int]{part("a", nil), part("b", bad), part("c", nil), {Name: "d", Run: part("d", nil).Run,
		Hidden: true}}
	if all.String() != "a,b,c" || all.Without("a", "d").String() != "b,c" || !all.Has("d") || all.Has("e") {
		t.Errorf("%v, without a: %v", all, all.Without("a", "d"))
	}
	chosen, err := all.Only("d,c,a")
	if err != nil || chosen.Print(context.Background(), 1) != nil || !slices.Equal(printed, []string{"a", "c", "d"}) {
		t.Errorf("error %v, printed %v", err, printed)
	}
	if err := all.Print(context.Background(), 1); !errors.Is(err, bad) || !strings.HasPrefix(err.Error(), "b: ") {
		t.Errorf("error %v", err)
	}
	if _, err := all.Only("a,e"); err == nil || err.Error() != `-only a,e: "e" is none of a, b, c` {
		t.Errorf("error %v", err)
	}
}

func TestWhole(t *testing.T) {
	if got, err := Whole("n", "300, 20", "images"); err != nil || !slices.Equal(got, []int{20, 300}) {
		t.Errorf("%v, %v", got, err)
	}
	for list, want := range map[string]string{"1.5": "-n 1.5: 1.5 is no number of images", "1e10": "no number",
		"0": "not a positive"} {
		if _, err := Whole("n", list, "images"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", list, err)
		}
	}
	n := -1
	if err := Workers(&n); err == nil || !strings.Contains(err.Error(), "-workers: ") {
		t.Errorf("error %v", err)
	}
	if n = 0; Workers(&n) != nil || n < 1 {
		t.Errorf("%d workers", n)
	}
}
