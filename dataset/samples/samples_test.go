package samples_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
)

type set[T vec.Float] = dataset.Labeled[*dataset.Dense[T]]

// The counts per class are as published; for the first rows of Fashion-MNIST, of the label files.
func TestSizesAndClassCounts(t *testing.T) {
	t.Run("float64", testSizes[float64])
	t.Run("float32", testSizes[float32])
}

func testSizes[T vec.Float](t *testing.T) {
	train, test := samples.FashionMNIST[T]()
	for _, c := range []struct {
		name    string
		d       *set[T]
		n, cols int
		lo, hi  T // range of all features
		first   string
		counts  []int
	}{
		{"Fashion-MNIST train", train, 3000, 784, 0, 1, "T-shirt/top", []int{282, 321, 290, 312, 303, 300, 298, 312,
			287, 295}},
		{"Fashion-MNIST test", test, 1000, 784, 0, 1, "T-shirt/top", []int{107, 105, 111, 93, 115, 87, 97, 95, 95, 95}},
		{"Ionosphere", samples.Ionosphere[T](), 351, 34, -1, 1, "b", []int{126, 225}},
		{"Spambase", samples.Spambase[T](), 4601, 57, 0, 15841, "0", []int{2788, 1813}},
		{"RedWine", samples.RedWine[T](), 1599, 11, 0, 289, "3", []int{10, 53, 681, 638, 199, 18}},
		{"WhiteWine", samples.WhiteWine[T](), 4898, 11, 0, 440, "3", []int{20, 163, 1457, 2198, 880, 175, 5}},
		{"Digits", samples.Digits[T](), 1797, 64, 0, 16, "0", []int{178, 182, 177, 183, 181, 182, 181, 179, 174, 180}},
	} {
		if c.d.X.Rows != c.n || c.d.X.Cols != c.cols || len(c.d.Y) != c.n {
			t.Errorf("%s: %d x %d with %d labels, want %d x %d", c.name, c.d.X.Rows, c.d.X.Cols, len(c.d.Y), c.n,
				c.cols)
			continue
		}
		if c.d.Classes[0] != c.first || len(c.d.Classes) != len(c.counts) {
			t.Errorf("%s: classes %q, want %d from %q on", c.name, c.d.Classes, len(c.counts), c.first)
		}
		counts := make([]int, len(c.d.Classes))
		for _, k := range c.d.Y {
			counts[k]++
		}
		if !slices.Equal(counts, c.counts) {
			t.Errorf("%s: counts %v, want %v", c.name, counts, c.counts)
		}
		if lo, hi := slices.Min(c.d.X.Data), slices.Max(c.d.X.Data); lo != c.lo || hi != c.hi {
			t.Errorf("%s: features in [%v, %v], want [%v, %v]", c.name, lo, hi, c.lo, c.hi)
		}
	}
}

// y+ of the ranking experiments: qualities from 7 on.
func TestWineQualityIsTheValue(t *testing.T) {
	for _, c := range []struct {
		d    *set[float32]
		want int
	}{{samples.RedWine[float32](), 217}, {samples.WhiteWine[float32](), 1060}} {
		good := 0
		for i, v := range c.d.Values {
			if v >= 7 {
				good++
			}
			if fmt.Sprint(v) != c.d.Classes[c.d.Y[i]] {
				t.Fatalf("value %v has class %q", v, c.d.Classes[c.d.Y[i]])
			}
		}
		if good != c.want {
			t.Errorf("%d wines of quality 7 and above, want %d", good, c.want)
		}
	}
}

func TestCallerOwnsTheResult(t *testing.T) {
	a := samples.Digits[float32]()
	old := a.X.Data[2]
	a.X.Data[2], a.Y[0] = old+1, a.Y[0]+1
	if b := samples.Digits[float32](); b.X.Data[2] != old || b.Y[0] != a.Y[0]-1 {
		t.Error("a change to one result shows in the next")
	}
}

func ExampleFashionMNIST() {
	train, test := samples.FashionMNIST[float32]()
	fmt.Println(train.X.Rows, "x", train.X.Cols, "and", test.X.Rows)
	fmt.Println("the first image shows class", train.Y[0], train.Classes[train.Y[0]])
	// Output:
	// 3000 x 784 and 1000
	// the first image shows class 9 Ankle boot
}
