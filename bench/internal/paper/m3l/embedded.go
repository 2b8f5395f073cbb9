package m3l

import (
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/vec"
)

// digitAttributes are the labels of digits, a column for each digit from 0 to 9, x for a digit that has it. Some are
// seen in the picture, others are of the number.
var digitAttributes = []string{
	"x.x.x.x.x.", // even
	"..xx.x.x..", // prime
	".....xxxxx", // at least five
	"x.....x.xx", // a closed loop
	".x..x..x..", // straight strokes alone
	"xx..x....x", // a square
	"x..x..x..x", // a multiple of three
	"x..x.xx.xx", // a bow at the bottom
}

// embedded returns sets that come with the library. An image's labels are the attributes of its class, several for most
// classes: Fashion-MNIST's by package samples, the digits' by the table above.
func embedded() ([]*set, error) {
	train, test := samples.FashionMNIST[float32]()
	_, attributes := samples.FashionAttributes()
	clothes := &set{name: "Fashion-MNIST's attributes, embedded", file: "fashion", gamma: .02, attributes: attributes,
		train: labelled(train, attributes), test: labelled(test, attributes), labels: attributes.Cols}
	digits := samples.Digits[float32]()
	vec.Scale(1./16, digits.X.Data)
	attributes = vec.NewMatrix[float64](10, len(digitAttributes))
	for l, has := range digitAttributes {
		for c := range attributes.Rows {
			attributes.Row(c)[l] = -1
			if has[c] == 'x' {
				attributes.Row(c)[l] = 1
			}
		}
	}
	all := labelled(digits, attributes)
	split, err := solvers.Strata{Y: digits.Y}.Split(1./3, 1)
	return []*set{clothes, {name: "digits' attributes, embedded", file: "digits", gamma: .1, attributes: attributes,
		train: all.of(split.Train), test: all.of(split.Test), labels: attributes.Cols}}, err
}

// labelled returns the examples of d with the attributes of their classes as labels.
func labelled(d *dataset.Labeled[*dataset.Dense[float32]], attributes vec.Matrix[float64]) part {
	p := part{x: d.X, y: d.Y}
	for _, y := range d.Y {
		var set []int
		for l, v := range attributes.Row(y) {
			if v > 0 {
				set = append(set, l)
			}
		}
		p.sets = append(p.sets, set)
	}
	return p
}
