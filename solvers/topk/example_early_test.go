package topk_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/topk"
)

// Stop when the accuracy on examples that training does not see has not grown for ten epochs, and keep the model that
// had the best one.
func Example_earlyStopping() {
	data := samples.Ionosphere[float64]()
	var train, valid []int
	for i := range data.Y {
		if i%4 == 0 {
			valid = append(valid, i)
		} else {
			train = append(train, i)
		}
	}
	x, seen, unseen := design.Subset(data.X, valid), make([]int, len(train)), make([]int, len(valid))
	for p, i := range train {
		seen[p] = data.Y[i]
	}
	for p, i := range valid {
		unseen[p] = data.Y[i]
	}

	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	best, score, epoch := solvers.Scorer[float64](nil), 0.0, 0
	c := topk.Config{Lambda: 1e-5, Tol: 1e-6, Progress: func(p solvers.Progress) {
		now, err := solvers.Current[float64](p)
		if err != nil {
			log.Fatal(err)
		}
		guesses, err := solvers.Predict(now, x, 1)
		if err != nil {
			log.Fatal(err)
		}
		accuracy, err := metrics.Accuracy(guesses, unseen)
		if err != nil {
			log.Fatal(err)
		}
		if accuracy > score {
			best, score, epoch = now, accuracy, p.Epoch
		} else if p.Epoch >= epoch+10 {
			cancel()
		}
	}}
	r, err := topk.Fit(ctx, design.Subset(data.X, train), seen, c)
	if r == nil {
		log.Fatal(err)
	}
	_, classes := best.Dims()
	fmt.Println(r.Status, "ten epochs after the best one:", r.Epochs == epoch+10)
	fmt.Println("a model of", classes, "classes with more than 80% right:", score > .8)
	// Output:
	// canceled ten epochs after the best one: true
	// a model of 2 classes with more than 80% right: true
}
