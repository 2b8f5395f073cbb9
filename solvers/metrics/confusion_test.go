package metrics

import (
	"fmt"
	"log"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/vec"
)

func ExampleConfusion() {
	counts, err := Confusion([]int{0, 1, 1, 2, 1}, []int{0, 1, 2, 2, 2}, 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts)
	for c, k := range PerClass(counts) {
		fmt.Printf("class %d: precision %.2f, recall %.2f\n", c, k.Precision, k.Recall)
	}
	// Output:
	// [[1 0 0] [0 1 0] [0 2 1]]
	// class 0: precision 1.00, recall 1.00
	// class 1: precision 0.33, recall 1.00
	// class 2: precision 1.00, recall 0.33
}

func TestPerClass(t *testing.T) {
	counts, err := Confusion([]int{0, 0, 1, 3, 0}, []int{0, 1, 1, 0, 0}, 4)
	if err != nil {
		t.Fatal(err)
	}
	want := []Class{
		{Count: 3, Predicted: 3, Correct: 2, Precision: 2. / 3, Recall: 2. / 3, F1: 4. / 6},
		{Count: 2, Predicted: 1, Correct: 1, Precision: 1, Recall: .5, F1: 2. / 3},
		{},
		{Predicted: 1},
	}
	if got := PerClass(counts); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := MeanRecall(want), (2./3+.5)/2; math.Abs(got-want) > 1e-15 {
		t.Errorf("mean recall %v, want %v", got, want)
	}
	if MeanRecall(nil) != 0 {
		t.Error("mean of nothing")
	}
}

func TestPerClassPanics(t *testing.T) {
	for want, counts := range map[string][][]int{
		"row 1 of a confusion of 2 classes has 1 elements": {{1, 2}, {3}},
		"row 0 of a confusion of 2 classes has 3 elements": {{1, 2, 3}, {3, 4}},
	} {
		func() {
			defer func() {
				if got, ok := recover().(vec.ShapeError); !ok || got.Error() != "metrics: PerClass: "+want {
					t.Errorf("panic %v, want a ShapeError %q", got, want)
				}
			}()
			PerClass(counts)
		}()
	}
	if len(PerClass(nil)) != 0 {
		t.Error("classes of nothing")
	}
}

func TestConfusionErrors(t *testing.T) {
	for want, call := range map[string]func() ([][]int, error){
		"2 predictions for 3 labels": func() ([][]int,
			error) {
			return Confusion([]int{0, 1}, []int{0, 1, 1}, 2)
		},
		"2 predictions for 0 labels": func() ([][]int, error) { return Confusion([]int{0, 1}, nil, 2) },
		"0 predictions for 2 labels": func() ([][]int, error) { return Confusion(nil, []int{0, 1}, 2) },
		"0 predictions for 0 labels": func() ([][]int, error) { return Confusion(nil, nil, 2) },
		"label 2 and prediction 0 of row 1": func() ([][]int,
			error) {
			return Confusion([]int{0, 0}, []int{0, 2}, 2)
		},
		"label 0 and prediction -1 of row 0": func() ([][]int,
			error) {
			return Confusion([]int{-1, 0}, []int{0, 1}, 2)
		},
		"confusion of 0 classes": func() ([][]int, error) { return Confusion([]int{0}, []int{0}, 0) },
		"confusion of 32769 classes, want 1 to 32768": func() ([][]int, error) {
			return Confusion([]int{0}, []int{0}, 32769)
		},
	} {
		if counts, err := call(); counts != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
