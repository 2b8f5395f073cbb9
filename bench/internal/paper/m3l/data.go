package m3l

import (
	"fmt"

	rcvdata "github.com/dualgap/dualgap/bench/internal/rcv1"
	"github.com/dualgap/dualgap/bench/internal/report"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/vec"
)

// part is examples and their label sets.
type part struct {
	x    design.Matrix[float32]
	sets [][]int
	y    []int // classes, where the labels are attributes of classes
}

// of returns the examples rows of p.
func (p part) of(rows []int) part {
	q := part{x: design.Subset(p.x, rows)}
	for _, i := range rows {
		q.sets = append(q.sets, p.sets[i])
		if p.y != nil {
			q.y = append(q.y, p.y[i])
		}
	}
	return q
}

// first returns the first n examples, or all.
func (p part) first(n int) part {
	n = min(n, len(p.sets))
	return part{x: design.Window(p.x, 0, n), sets: p.sets[:n]}
}

// set is a data set with its two parts.
type set struct {
	name, paper string // ours, and the one that the paper has in its place, "" for none
	file        string // in the names of files
	train, test part
	labels      int
	gamma       float64             // of the Gaussian kernel
	attributes  vec.Matrix[float64] // of classes, a row each, where labels are these; else empty
}

// source is where a set comes from.
type source struct {
	name, paper, file string
	files             []string // a training and a test file, or one file that is split
	cols              int
	dense             bool
}

var (
	yeast = source{"Yeast", "Yeast", "yeast", []string{"yeast-train.mlsvm.gz", "yeast-test.mlsvm.gz"}, 103, true}
	siam  = source{"TMC2007-500", "SIAM", "tmc2007", []string{"tmc2007-500-train.mlsvm.gz",
		"tmc2007-500-test.mlsvm.gz"}, 500, false}
	rcv1 = source{"RCV1 subset", "RCV1", "rcv1", []string{"rcv1sub1.mlsvm.gz"}, 47236, false}
)

// open reads a set. Of a set in one file a third of the examples, drawn by seed 1, is the test part.
func (s source) open(dir report.Folder) (*set, error) {
	o := dataset.LIBSVMOptions{Sets: true, Cols: s.cols}
	parts, err := report.LIBSVM[float32](dir, o, s.files...)
	if err != nil {
		return nil, err
	}
	d := &set{name: s.name, paper: s.paper, file: s.file, labels: len(parts[0].Classes), gamma: gammas[s.paper]}
	var all []part
	for _, p := range parts {
		var x design.Matrix[float32] = p.X
		if s.dense {
			if x, err = p.X.Dense(); err != nil {
				return nil, err
			}
		}
		all = append(all, part{x: x, sets: p.Sets})
	}
	if len(all) == 2 {
		d.train, d.test = all[0], all[1]
		return d, nil
	}
	if s.file == rcv1.file {
		rcvdata.Renumber(all[0].sets, d.labels)
	}
	split, err := solvers.Strata{Sets: all[0].sets}.Split(1./3, 1)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.files[0], err)
	}
	d.train, d.test = all[0].of(split.Train), all[0].of(split.Test)
	return d, nil
}

// open returns the sets of the sources, or the small ones where there is no folder.
func (c *command) open(sources ...source) (sets []*set, err error) {
	if c.data == "" {
		return c.small()
	}
	for _, s := range sources {
		d, err := s.open(c.data)
		if err != nil {
			return nil, err
		}
		sets = append(sets, d)
	}
	return sets, nil
}
