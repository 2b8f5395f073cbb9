package dualgap_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/pq"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/metrics"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
	"github.com/dualgap/dualgap/vec"
)

// The programs of the tutorials in docs.

func Example_topk() {
	train, test := samples.FashionMNIST[float32]()
	n := float64(len(train.Y))
	for _, k := range []int{1, 3} {
		p := topk.Problem[float32]{X: train.X, Y: train.Y, Names: train.Classes}
		r := must(p.Fit(ctx, topk.Config{K: k, Lambda: 1 / (.02 * n)})) // -c .02
		guesses := must(solvers.TopK(r.Model, test.X, 3, 0))
		accuracy := must(metrics.TopKRanked(guesses, test.Y, 3))
		fmt.Printf("k = %d: %v, %.0f%% right at once, %.0f%% within 3 guesses\n", k, r.Status, 100*accuracy[0],
			100*accuracy[2])
	}
	// Output:
	// k = 1: converged, 83% right at once, 97% within 3 guesses
	// k = 3: converged, 77% right at once, 98% within 3 guesses
}

// quarters returns the places of the examples to train on, and of each fourth one of its class, to test on.
func quarters[E comparable](y []E) (train, test []int) {
	seen := map[E]int{}
	for i, class := range y {
		if seen[class]++; seen[class]%4 == 0 {
			test = append(test, i)
		} else {
			train = append(train, i)
		}
	}
	return train, test
}

// at returns the elements of y at these places.
func at[E any](y []E, places []int) []E {
	part := make([]E, len(places))
	for k, i := range places {
		part[k] = y[i]
	}
	return part
}

func Example_m3l() {
	train, test := samples.FashionMNIST[float32]()
	names, attributes := samples.FashionAttributes()
	labels := func(y []int) (sets [][]int) { // of each image, the attributes of its class
		for _, class := range y {
			var set []int
			for l, v := range attributes.Row(class) {
				if v > 0 {
					set = append(set, l)
				}
			}
			sets = append(sets, set)
		}
		return sets
	}
	prior := must(m3l.Correlations(labels(train.Y), len(names), .1))

	p := m3l.Problem[float32]{X: train.X, Sets: labels(train.Y), R: prior, Names: names}
	r := must(p.Fit(ctx, m3l.Config{C: .005, Bias: 1, Workers: 1}))
	found := must(solvers.LabelSets(r.Model, test.X, 0))
	wrong := must(metrics.HammingLoss(found, labels(test.Y), len(names)))
	exact := must(metrics.SubsetAccuracy(found, labels(test.Y), len(names)))
	fmt.Printf("%v: %.1f%% of the labels are wrong, %.0f%% of the images have all of them right\n", r.Status, 100*wrong,
		100*exact)
	// Output: converged: 4.1% of the labels are wrong, 74% of the images have all of them right
}

func Example_toprank() {
	data := samples.Spambase[float64]()
	spam := must(data.Positive("1"))
	train, test := quarters(spam)
	x := must(data.X.Scaled(must(dataset.Standardize(data.X))))

	c := toprank.Config{Method: toprank.PatMat, Tau: .01, C: .1, Tol: 1e-6} // one good mail of a hundred may pass
	r := must(toprank.Fit(ctx, design.Subset[float64](x, train), at(spam, train), c))
	alarms := must(r.Decide(design.Subset[float64](x, test), 0))
	found, wrong, spams := 0, 0, 0
	for k, i := range test {
		switch {
		case spam[i] && alarms[k]:
			found, spams = found+1, spams+1
		case spam[i]:
			spams++
		case alarms[k]:
			wrong++
		}
	}
	fmt.Printf("%v: %d of %d spam mails found, %d of %d others with them\n", r.Status, found, spams, wrong,
		len(test)-spams)
	// Output: converged: 187 of 453 spam mails found, 6 of 697 others with them
}

func Example_tracenorm() {
	data := samples.Digits[float64]()
	train, test := quarters(data.Y)
	x := must(data.X.Scaled(must(dataset.MinMax(data.X))))

	p := tracenorm.Problem[float64]{X: design.Subset[float64](x, train), Y: at(data.Y, train), Names: data.Classes}
	most := must(p.LargestLambda1(tracenorm.Config{})) // from here on nothing is learned
	for _, share := range []float64{.5, .1, .005} {
		r := must(p.Fit(ctx, tracenorm.Config{Lambda1: share * most, Lambda2: .0005 * most}))
		guesses := must(solvers.Predict(r.Model, design.Subset[float64](x, test), 0))
		accuracy := must(metrics.Accuracy(guesses, at(data.Y, test)))
		fmt.Printf("%v of the largest lambda1: rank %d, %.0f%% right\n", share, r.Model.Rank(), 100*accuracy)
	}
	// Output:
	// 0.5 of the largest lambda1: rank 5, 68% right
	// 0.1 of the largest lambda1: rank 9, 95% right
	// 0.005 of the largest lambda1: rank 9, 98% right
}

func Example_mkl() {
	data := samples.Digits[float64]()
	train, test := quarters(data.Y)
	x := must(data.X.Scaled(must(dataset.MinMax(data.X))))
	half := func(rows []int, from, to int) design.Matrix[float64] { // of the rows of pixels
		columns := &dataset.Dense[float64]{Matrix: x.Slice(0, x.Rows, from, to)}
		return design.Subset[float64](columns, rows)
	}

	kernels := []kernel.Kernel{kernel.Gaussian{Gamma: .01}, kernel.Gaussian{Gamma: .1}, kernel.Gaussian{Gamma: 1}}
	b := must(bundle.New(1<<30,
		bundle.Group[float64]{X: half(train, 0, 32), Kernels: kernels},
		bundle.Group[float64]{X: half(train, 32, 64), Kernels: kernels}))
	r := must(mkl.Fit(ctx, b, at(data.Y, train), mkl.Config{P: 1.05, C: 10, Tol: 1e-4}))
	guesses := must(solvers.Predict(r.Model, design.Concat(half(test, 0, 32), half(test, 32, 64)), 0))
	accuracy := must(metrics.Accuracy(guesses, at(data.Y, test)))
	fmt.Printf("%v, %.0f%% right\n", r.Status, 100*accuracy)
	for j, share := range r.Shares {
		fmt.Printf("kernel %d of the half %d: %.1f\n", j%3+1, j/3+1, share)
	}
	// Output:
	// converged, 99% right
	// kernel 1 of the half 1: 0.0
	// kernel 2 of the half 1: 0.0
	// kernel 3 of the half 1: 0.5
	// kernel 1 of the half 2: 0.0
	// kernel 2 of the half 2: 0.0
	// kernel 3 of the half 2: 0.4
}

func Example_l1() {
	mails := samples.Spambase[float32]()
	train, test := quarters(mails.Y)
	x := must(mails.X.Scaled(must(dataset.MinMax(mails.X))))

	p := l1.Problem[float32]{X: design.Subset[float32](x, train), Y: at(mails.Y, train), Names: mails.Classes}
	c := l1.Config{Loss: l1.Logistic, Bias: 1}
	least := must(p.LargestC(c)) // up to here no feature has a weight
	for _, c.C = range []float64{10 * least, 100 * least, 1000 * least} {
		r := must(p.Fit(ctx, c))
		guesses := must(solvers.Predict(r.Model, design.Subset[float32](x, test), 0))
		accuracy := must(metrics.Accuracy(guesses, at(mails.Y, test)))
		fmt.Printf("%v: %d of 57 features, %.0f%% right\n", r.Status, r.Nonzeros(), 100*accuracy)
	}
	// Output:
	// converged: 1 of 57 features, 66% right
	// converged: 25 of 57 features, 87% right
	// converged: 51 of 57 features, 93% right
}

func Example_svm() {
	mails := samples.Spambase[float32]()
	train, test := quarters(mails.Y)
	x := must(mails.X.Scaled(must(dataset.MinMax(mails.X))))
	learn, hold := design.Subset[float32](x, train), design.Subset[float32](x, test)

	k := must(kernel.New(learn, kernel.Gaussian{Gamma: 5}, 1<<30)) // 1 GiB for its numbers
	p := svm.Problem[float32]{Kernel: k, Y: at(mails.Y, train), Names: mails.Classes}
	r := must(p.Fit(ctx, svm.Config{Loss: svm.Hinge, C: 10, Offset: true})) // svm-train -c 10 -g 5
	guesses := must(solvers.Predict(r.Model, hold, 0))
	fmt.Printf("%v, %.0f%% right\n", r.Status, 100*must(metrics.Accuracy(guesses, at(mails.Y, test))))
	// Output: converged, 93% right
}

func Example_regress() {
	wines := samples.RedWine[float32]()
	train, test := quarters(wines.Y)
	x := must(wines.X.Scaled(must(dataset.Standardize(wines.X))))

	r := must(svm.Regress(ctx, design.Subset[float32](x, train), at(wines.Values, train),
		svm.Config{Loss: svm.Insensitive, Epsilon: .5, Bias: 1}))
	predicted := vec.NewMatrix[float32](len(test), 1)
	if err := r.Model.Scores(predicted, design.Subset[float32](x, test), nil); err != nil {
		log.Fatal(err)
	}
	off := must(metrics.MeanAbsoluteError(predicted.Data, at(wines.Values, test)))
	fmt.Printf("%v: the quality is off by %.2f as a mean\n", r.Status, off)
	// Output: converged: the quality is off by 0.53 as a mean
}

func Example_oneClass() {
	digits := samples.Digits[float32]()
	train, test := quarters(digits.Y)
	x := must(digits.X.Scaled(must(dataset.MinMax(digits.X))))
	rows := func(places []int, of func(digit int) bool) design.Matrix[float32] {
		return design.Subset[float32](x, slices.DeleteFunc(slices.Clone(places), func(i int) bool {
			return !of(digits.Y[i])
		}))
	}
	zero, other := func(digit int) bool { return digit == 0 }, func(digit int) bool { return digit != 0 }

	k := must(kernel.New(rows(train, zero), kernel.Gaussian{Gamma: .05}, 1<<30))
	r := must(svm.Problem[float32]{Kernel: k, OneClass: true}.Fit(ctx, svm.Config{Nu: .05}))
	for _, of := range []func(int) bool{zero, other} {
		inside, answers := 0, must(solvers.Predict(r.Model, rows(test, of), 0)) // 1 is inside
		for _, v := range answers {
			inside += v
		}
		fmt.Printf("%d of %d are inside\n", inside, len(answers))
	}
	// Output:
	// 37 of 44 are inside
	// 0 of 401 are inside
}

func Example_searchProof() {
	train, test := samples.FashionMNIST[float32]()
	x, queries := train.X.Matrix, test.X.Matrix

	codes := must(pq.TrainScalar(ctx, x, pq.ScalarConfig{Dims: 196, Bits: 4})) // 98 bytes in place of 3136
	index := must(pq.NewIndexOf(codes, pq.IndexConfig{Metric: pq.L2, Bounds: true, Vectors: true}))
	if err := index.Add(x, 0); err != nil {
		log.Fatal(err)
	}
	found, proofs, err := index.CertifyBatch(queries, pq.Search{K: 10}, 0)
	if err != nil {
		log.Fatal(err)
	}

	right, proved, read := 0, 0, 0
	for i, near := range found {
		if train.Y[near[0].ID] == test.Y[i] {
			right++
		}
		if proofs[i].Gap() == 0 {
			proved++
		}
		read += proofs[i].Read
	}
	fmt.Printf("%d of %d answers are proved, %.0f%% of the images were read\n", proved, len(found),
		100*float64(read)/float64(len(found)*x.Rows))
	fmt.Printf("%.0f%% of the nearest images show clothing of the same kind\n", 100*float64(right)/float64(len(found)))
	// Output:
	// 1000 of 1000 answers are proved, 3% of the images were read
	// 79% of the nearest images show clothing of the same kind
}

func Example_searchExact() {
	train, test := samples.FashionMNIST[float32]()
	const k = 10
	s := vec.NewSearcher(train.X.Matrix, vec.L2)
	rows, distances := make([]int32, k*test.X.Rows), vec.NewMatrix[float32](test.X.Rows, k)
	s.Nearest(rows, distances, test.X.Matrix, 0) // all queries at once, by all cores
	fmt.Println(rows[0], rows[1], rows[2])
	// Output: 111 884 2556
}

func Example_searchChanges() {
	train, _ := samples.FashionMNIST[float32]()
	x := train.X.Matrix
	index := must(pq.NewIndexOf(must(pq.TrainScalar(ctx, x, pq.ScalarConfig{Dims: 196, Bits: 4})),
		pq.IndexConfig{Metric: pq.L2, Bounds: true, Vectors: true}))
	file := filepath.Join(must(os.MkdirTemp("", "")), "index.dg")
	defer os.RemoveAll(filepath.Dir(file))

	ids := []uint64{7001, 7002, 1 << 40}
	errs := []error{
		index.AddIDs(ids, x.Slice(0, 3, 0, 784), 0),
		index.Update(ids[:1], x.Slice(3, 4, 0, 784), 0), // another vector under 7001
	}
	index.Remove(7002)
	errs = append(errs, index.WriteFile(file)) // whole or not at all

	opened := must(pq.OpenIndex(file)) // nothing is read before a search needs it
	small := func(id uint64) bool { return id < 1<<32 }
	found, _, err := opened.Certify(nil, x.Row(2), pq.Search{K: 10, Filter: small})
	fmt.Println(len(found), found[0].ID, errors.Join(append(errs, err, opened.Close())...))
	// Output: 1 7001 <nil>
}

func Example_probabilities() {
	train := samples.Digits[float32]()
	problem, c := topk.Problem[float32]{X: train.X, Y: train.Y}, topk.Config{Lambda: 1}

	held := solvers.NewHeldOut(len(train.Y)) // a measure that keeps the scores
	must(problem.Path(ctx, c, topk.PathConfig{Lambdas: []float64{c.Lambda}, CrossValidation: solvers.CrossValidation{
		Folds: 5, FoldsOnly: true, Measures: []solvers.Measure{held.Measure()}}}))
	temperature := must(solvers.FitTemperature(must(held.Scores()), solvers.Truth{Y: train.Y})) // or FitPlatt

	r := must(problem.Fit(ctx, c))
	p := must(solvers.CalibratedProbabilities(r.Model, temperature, train.X, 0)) // n-by-classes
	fmt.Printf("a 0 with probability %.1f\n", p.Row(0)[0])
	// Output: a 0 with probability 1.0
}
