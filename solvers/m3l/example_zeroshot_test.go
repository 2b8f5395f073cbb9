package m3l_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/vec"
)

// Attributes of classes without an example: what pullovers, dresses and sneakers are like is learned from other
// clothes. There all that has long sleeves opens in front, nothing covers torso and legs, and what hides the toes
// reaches above the ankle; the prior says that this is not so.
func ExamplePrior_zeroShot() {
	train, test := samples.FashionMNIST[float32]()
	names, attributes := samples.FashionAttributes()
	unseen := []int{2, 3, 7}

	// Images of the classes for which in says yes, and the attributes of their classes.
	choose := func(y []int, in func(class int) bool) (rows []int, sets [][]int) {
		for i, class := range y {
			if !in(class) {
				continue
			}
			var set []int
			for l, v := range attributes.Row(class) {
				if v > 0 {
					set = append(set, l)
				}
			}
			rows, sets = append(rows, i), append(sets, set)
		}
		return rows, sets
	}
	isUnseen := func(class int) bool { return slices.Contains(unseen, class) }
	rows, sets := choose(train.Y, func(class int) bool { return !isUnseen(class) })
	testRows, testSets := choose(test.Y, isUnseen)

	known := vec.NewMatrix[float64](len(unseen), len(names))
	for k, class := range unseen {
		copy(known.Row(k), attributes.Row(class))
	}
	prior, err := m3l.Prior(known, nil, .1)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []m3l.Problem[float32]{
		{X: design.Subset(train.X, rows), Sets: sets},
		{X: design.Subset(train.X, rows), Sets: sets, R: prior},
	} {
		r, err := p.Fit(context.Background(), m3l.Config{C: 1e-4, Labels: len(names), Bias: 1})
		if err != nil {
			log.Fatal(err)
		}
		predicted, err := solvers.LabelSets(r, design.Subset(test.X, testRows), 0)
		if err != nil {
			log.Fatal(err)
		}
		wrong, err := metrics.HammingLoss(predicted, testSets, len(names))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.0f%% of the attributes are wrong\n", 100*wrong)
	}
	// Output:
	// 12% of the attributes are wrong
	// 5% of the attributes are wrong
}
