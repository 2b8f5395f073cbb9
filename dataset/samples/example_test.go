package samples_test

import (
	"fmt"

	"github.com/dualgap/dualgap/dataset/samples"
)

func ExampleDigits() {
	d := samples.Digits[float32]()
	fmt.Println(d.X.Rows, "x", d.X.Cols, "of the classes", d.Classes)
	// Output: 1797 x 64 of the classes [0 1 2 3 4 5 6 7 8 9]
}

func ExampleIonosphere() {
	d := samples.Ionosphere[float32]()
	good, err := d.Positive("g")
	fmt.Println(d.X.Rows, "x", d.X.Cols, d.Classes, "the first is good:", good[0], err)
	// Output: 351 x 34 [b g] the first is good: true <nil>
}

func ExampleSpambase() {
	d := samples.Spambase[float64]()
	fmt.Println(d.X.Rows, "x", d.X.Cols, "of the classes", d.Classes)
	// Output: 4601 x 57 of the classes [0 1]
}

func ExampleRedWine() {
	d := samples.RedWine[float64]()
	fmt.Println(d.X.Rows, "x", d.X.Cols, "of the qualities", d.Classes)
	// Output: 1599 x 11 of the qualities [3 4 5 6 7 8]
}

func ExampleWhiteWine() {
	d := samples.WhiteWine[float64]()
	fmt.Println(d.X.Rows, "x", d.X.Cols, "of the qualities", d.Classes)
	// Output: 4898 x 11 of the qualities [3 4 5 6 7 8 9]
}
