package data

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/dataset"
)

// NeedLabels returns an error that says what to do unless the examples, of the file path, have labels.
func (e *Examples[T]) NeedLabels(path string) error {
	if e.Y != nil || e.Sets != nil {
		return nil
	}
	switch e.Format {
	case "libsvm":
		return fmt.Errorf("%s: no labels: want lines of the form: label index:value index:value ...", path)
	case "csv":
		if e.label != "" {
			return fmt.Errorf("%s: no labels: there is no column %q; name another one by --label-column", path, e.label)
		}
		return fmt.Errorf("%s: no labels: name their column by --label-column, and leave out --unlabeled", path)
	}
	return fmt.Errorf("%s: no labels: name their file by --labels", path)
}

// openLabels reads the labels of n examples from the file that the options name, or that is found beside the examples.
func openLabels(path string, o Options, n int, open func(string) (dataset.Labels, error)) (none dataset.Labels,
	_ error) {
	from := o.labels(path)
	if from == "" {
		return none, nil
	}
	l, err := open(from)
	if err != nil {
		return none, err
	}
	if len(l.Y) != n {
		return none, fmt.Errorf("%d examples in %s, but %d labels in %s", n, path, len(l.Y), from)
	}
	return l, nil
}

// labels returns the file of the labels of an NPY or IDX file, "" where there is none.
func (o Options) labels(path string) string {
	switch {
	case o.Unlabeled:
		return ""
	case o.Labels != "":
		return o.Labels
	}
	return labelFile(path)
}

// labelFile returns the file of the labels beside a file of examples, "" where there is none.
func labelFile(path string) string {
	dir, name := filepath.Split(path)
	try := []string{
		strings.NewReplacer("images-idx3", "labels-idx1", "images.idx3", "labels.idx1", "images", "labels").Replace(
			name),
	}
	if stem, ok := strings.CutSuffix(strings.TrimSuffix(name, ".gz"), ".npy"); ok {
		try = append(try, stem+"-labels.npy", stem+"_labels.npy")
		if rest, ok := strings.CutPrefix(strings.ToLower(name), "x"); ok {
			try = append(try, "y"+name[len(name)-len(rest):])
		}
	}
	for _, t := range try {
		for _, t := range []string{t, strings.TrimSuffix(t, ".gz"), t + ".gz"} {
			if _, err := os.Stat(dir + t); t != name && !errors.Is(err, fs.ErrNotExist) {
				return dir + t
			}
		}
	}
	return ""
}

// translate gives the labels the numbers that known has for them.
func (e *Examples[T]) translate(known *Known) {
	if known.Sets && e.Y != nil {
		e.Sets = make([][]int, len(e.Y))
		for i := range e.Y {
			e.Sets[i] = e.Y[i : i+1 : i+1]
		}
		e.Y, e.Values = nil, nil
	}
	if known.Classes == nil || e.Y == nil && e.Sets == nil {
		return
	}
	to := numbersOf(e.Classes, known.Classes)
	for i, k := range e.Y {
		e.Y[i] = to[k]
		if to[k] < 0 {
			e.UnseenLabels++
		}
	}
	for i, set := range e.Sets {
		kept := make([]int, 0, len(set))
		for _, k := range set {
			if to[k] >= 0 {
				kept = append(kept, to[k])
			} else {
				e.UnseenLabels++
			}
		}
		slices.Sort(kept)
		e.Sets[i] = kept
	}
	e.Classes = known.Classes
}

// Among returns of each example whether its class, or one of its labels, is one of those named. A class that is not
// Known is none.
func (e *Examples[T]) Among(classes []string) []bool {
	place := numbersOf(e.Classes, classes)
	among := make([]bool, e.Len())
	for i, k := range e.Y {
		among[i] = k >= 0 && place[k] >= 0
	}
	for i, set := range e.Sets {
		among[i] = slices.ContainsFunc(set, func(k int) bool { return place[k] >= 0 })
	}
	return among
}

// numbersOf returns the place of each name among classes, -1 for one that is none of them. Names that are equal as
// numbers are one: 1, +1, 1.0.
func numbersOf(names, classes []string) []int {
	place, number := make(map[string]int, len(classes)), make(map[float64]int, len(classes))
	for k, name := range classes {
		place[name] = k
		if v, err := strconv.ParseFloat(name, 64); err == nil {
			number[v] = k
		}
	}
	to := make([]int, len(names))
	for k, name := range names {
		to[k] = -1
		v, err := strconv.ParseFloat(name, 64)
		if at, ok := place[name]; ok {
			to[k] = at
		} else if at, ok := number[v]; ok && err == nil {
			to[k] = at
		}
	}
	return to
}
