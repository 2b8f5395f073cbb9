package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	rcvdata "github.com/dualgap/dualgap/bench/internal/rcv1"
	"github.com/dualgap/dualgap/dataset"
)

// part is some examples and the labels of each, 0 to the number of labels - 1.
type part struct {
	x    *dataset.CSR[float64]
	sets [][]int
}

// problem is what to train on, and what to count the wrong decisions on.
type problem struct {
	name        string
	train, test part
	labels      int
}

// signs returns 1 for each training example that has the label and -1 for the others.
func (p *problem) signs(label int) []int {
	y := make([]int, len(p.train.sets))
	for i, set := range p.train.sets {
		y[i] = -1
		if slices.Contains(set, label) {
			y[i] = 1
		}
	}
	return y
}

// tmc2007 are the first n reports of flights in TMC2007, of which 500 words are counted or not, and its test part.
func tmc2007(data string, n int) (*problem, error) {
	const d, labels = 500, 22
	train, err := read(filepath.Join(data, "tmc2007-500-train.mlsvm.gz"), d, labels, n)
	if err != nil {
		return nil, err
	}
	test, err := read(filepath.Join(data, "tmc2007-500-test.mlsvm.gz"), d, labels, 0)
	return &problem{train: train, test: test, labels: labels}, err
}

// rcv1 are the first n documents of the first subset of RCV1's, and the others of it to test on.
func rcv1(data string, n int) (*problem, error) {
	const d, labels = 47236, 101
	all, err := read(filepath.Join(data, "rcv1sub1.mlsvm.gz"), d, labels, 0)
	if err != nil {
		return nil, err
	}
	if all.x.Rows <= n {
		return nil, fmt.Errorf("rcv1sub1 has %d examples, want more than the %d to train on", all.x.Rows, n)
	}
	rcvdata.Renumber(all.sets, labels)
	return &problem{
		train:  part{all.x.Window(0, n), all.sets[:n]},
		test:   part{all.x.Window(n, all.x.Rows), all.sets[n:]},
		labels: labels,
	}, nil
}

// read returns the first n examples of a file, or all for n = 0.
func read(path string, d, labels, n int) (part, error) {
	names := make([]string, labels)
	for l := range names {
		names[l] = strconv.Itoa(l + 1)
	}
	set, err := dataset.OpenLIBSVM[float64](path, dataset.LIBSVMOptions{Cols: d, Classes: names, Sets: true,
		MaxRows: n})
	if err != nil {
		return part{}, err
	}
	if set.X.Rows < n {
		return part{}, fmt.Errorf("%s has %d examples, want %d", path, set.X.Rows, n)
	}
	return part{set.X, set.Sets}, nil
}
