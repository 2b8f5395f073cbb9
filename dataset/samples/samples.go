// Package samples embeds small real data sets for examples, tests and first experiments. Importing it adds 2 MB to a
// program.
//
//	train, test := samples.FashionMNIST[float32]() // or Digits, Ionosphere, Spambase, RedWine, WhiteWine
//	fmt.Println(train.X.Rows, train.X.Cols, train.Classes)
//	r, err := topk.Fit(ctx, train.X, train.Y, topk.Config{Lambda: .01})
//	guesses, err := solvers.Predict(r.Model, test.X, 0)
//	accuracy, err := metrics.Accuracy(guesses, test.Y)
//
// Every call unpacks its set anew (about a hundredth of a second for Fashion-MNIST), so the result belongs to the
// caller, who may change it. README.md beside this file tells sources, licences and what was changed.
package samples

import (
	"embed"
	"fmt"
	"io"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

//go:embed *.gz
var files embed.FS

// FashionMNIST returns the first 3000 training and the first 1000 test images of Fashion-MNIST: 28x28 pixels, row by
// row, 784 features in [0,1] (the byte / 255); 10 classes of clothing, named as in the paper; Values are the original
// labels 0..9.
//
// Xiao, Rasul, Vollgraf: Fashion-MNIST, 2017 (arXiv:1708.07747). Copyright 2017 Zalando SE, MIT licence.
func FashionMNIST[T vec.Float]() (train, test *dataset.Labeled[*dataset.Dense[T]]) {
	return fashion[T]("train3k"), fashion[T]("t1k")
}

func fashion[T vec.Float](part string) *dataset.Labeled[*dataset.Dense[T]] {
	x := read("fashion-"+part+"-images-idx3-ubyte.gz", dataset.IDXOptions{Scale: 1.0 / 255}, dataset.ReadIDX[T])
	l := read("fashion-"+part+"-labels-idx1-ubyte.gz", dataset.IDXOptions{}, dataset.ReadIDXLabels)
	l.Classes = []string{"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag",
		"Ankle boot"}
	return &dataset.Labeled[*dataset.Dense[T]]{X: x, Labels: l}
}

// Ionosphere returns 351 radar returns by 34 features in [-1,1]; class 0 is "b" (bad, 126), class 1 "g" (good, 225).
//
// Sigillito, Wing, Hutton, Baker: Ionosphere, UCI Machine Learning Repository, 1989 (doi:10.24432/C5W01B), CC BY 4.0.
func Ionosphere[T vec.Float]() *dataset.Labeled[*dataset.Dense[T]] {
	return table[T]("ionosphere.csv.gz", "b", "g")
}

// Spambase returns 4601 e-mails by 57 features as they are, unscaled: percentages of words and characters in 0..100,
// and lengths of runs of capitals, 1 to 15841; class 0 is "0" (not spam, 2788), class 1 "1" (spam, 1813).
//
// Hopkins, Reeber, Forman, Suermondt: Spambase, UCI Machine Learning Repository, 1999 (doi:10.24432/C53G6X), CC BY 4.0.
func Spambase[T vec.Float]() *dataset.Labeled[*dataset.Dense[T]] {
	return table[T]("spambase.csv.gz")
}

// RedWine returns 1599 red wines by 11 measurements, unscaled; the classes are the qualities 3 to 8, ascending, and
// Values the quality itself.
//
// Cortez, Cerdeira, Almeida, Matos, Reis: Wine Quality, UCI Machine Learning Repository, 2009 (doi:10.24432/C56S3T), CC
// BY 4.0.
func RedWine[T vec.Float]() *dataset.Labeled[*dataset.Dense[T]] {
	return table[T]("winequality-red.csv.gz")
}

// WhiteWine returns 4898 white wines by 11 measurements, unscaled; the classes are the qualities 3 to 9, ascending, and
// Values the quality itself. Source and licence are RedWine's.
func WhiteWine[T vec.Float]() *dataset.Labeled[*dataset.Dense[T]] {
	return table[T]("winequality-white.csv.gz")
}

// Digits returns 1797 handwritten digits of 8x8 pixels, row by row, 64 features 0..16; class k is the digit k.
//
// Alpaydin, Kaynak: Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998
// (doi:10.24432/C50P49), CC BY 4.0; the test part, as scikit-learn (BSD-3-Clause) distributes it.
func Digits[T vec.Float]() *dataset.Labeled[*dataset.Dense[T]] {
	return table[T]("digits.csv.gz")
}

func table[T vec.Float](name string, classes ...string) *dataset.Labeled[*dataset.Dense[T]] {
	return read(name, dataset.CSVOptions{Classes: classes}, dataset.ReadCSV[T])
}

// read applies a reader to an embedded file; that one cannot be read is a fault of the program.
func read[D, O any](name string, o O, reader func(io.Reader, string, O) (D, error)) D {
	f, err := files.Open(name)
	if err != nil {
		panic(fmt.Sprintf("samples: %v", err))
	}
	defer f.Close()
	d, err := reader(f, name, o)
	if err != nil {
		panic(fmt.Sprintf("samples: %v", err))
	}
	return d
}
