package samples_test

import (
	"fmt"
	"testing"

	"github.com/dualgap/dualgap/dataset/samples"
)

// Each attribute tells some classes from others, and the attributes tell all classes apart.
func TestFashionAttributes(t *testing.T) {
	names, classes := samples.FashionAttributes()
	train, _ := samples.FashionMNIST[float32]()
	if classes.Rows != len(train.Classes) || classes.Cols != len(names) {
		t.Fatalf("%d x %d for %d classes and %d attributes", classes.Rows, classes.Cols, len(train.Classes), len(names))
	}
	for l, name := range names {
		has := 0
		for c := range classes.Rows {
			switch classes.At(c, l) {
			case 1:
				has++
			case -1:
			default:
				t.Errorf("%s of class %d is %v", name, c, classes.At(c, l))
			}
		}
		if has == 0 || has == classes.Rows {
			t.Errorf("%d classes %s", has, name)
		}
	}
	seen := map[string]int{}
	for c := range classes.Rows {
		row := fmt.Sprint(classes.Row(c))
		if other, ok := seen[row]; ok {
			t.Errorf("%s and %s are alike", train.Classes[other], train.Classes[c])
		}
		seen[row] = c
	}
}

func ExampleFashionAttributes() {
	names, classes := samples.FashionAttributes()
	data, _ := samples.FashionMNIST[float32]()
	fmt.Println(data.Classes[9])
	for l, v := range classes.Row(9) {
		if v > 0 {
			fmt.Println("-", names[l])
		}
	}
	// Output:
	// Ankle boot
	// - footwear
	// - hides the toes
	// - reaches above the ankle
}
