package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/file"
	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/dataset/samples"
	"github.com/dualgap/dualgap/vec"
)

// Sample writes an embedded data set into files.
type Sample struct {
	Name string `arg:"" optional:"" help:"Which set; without it all are listed."`
	File string `arg:"" optional:"" help:"Where the examples go: CSV where the name ends in .csv, else LIBSVM text; .gz behind it packs them."`
	Test string `arg:"" optional:"" help:"Where the test examples go: the set's own, or every fourth of each class. Without it FILE has all examples."`

	Overwrite
}

// Help says what the command is for.
func (Sample) Help() string {
	return `Small real data sets come with dualgap, to try things with:

  dualgap sample                                  lists them
  dualgap sample fashion train.svm test.svm
  dualgap train topk -k 3 train.svm fashion.dg
  dualgap evaluate test.svm fashion.dg`
}

// labeled is a set of dense examples.
type labeled = dataset.Labeled[*dataset.Dense[float32]]

// sample is an embedded set.
type sample struct {
	name, about string
	open        func() (train, test *labeled) // test is nil where the set has no part of its own
}

var sampleSets = []sample{
	{"fashion", "grey images of clothing, 28 x 28: a class for each kind", fashion},
	{"fashion-attributes", "the same images with the attributes of their class, as label sets", fashionAttributes},
	{"digits", "digits written by hand, 8 x 8", whole(samples.Digits[float32])},
	{"ionosphere", "radar echoes, good or bad", whole(samples.Ionosphere[float32])},
	{"spambase", "e-mails by frequencies of words: spam or not", whole(samples.Spambase[float32])},
	{"redwine", "red wines by chemical measures: quality 3 to 8", whole(samples.RedWine[float32])},
	{"whitewine", "white wines by the same measures: quality 3 to 9", whole(samples.WhiteWine[float32])},
}

func whole(open func() *labeled) func() (*labeled, *labeled) {
	return func() (train, test *labeled) { return open(), nil }
}

func fashion() (train, test *labeled) {
	train, test = samples.FashionMNIST[float32]()
	return train, test
}

// fashionAttributes gives each image the attributes of its class.
func fashionAttributes() (train, test *labeled) {
	train, test = samples.FashionMNIST[float32]()
	names, classes := samples.FashionAttributes()
	for l, name := range names {
		names[l] = strings.ReplaceAll(name, " ", "-") // LIBSVM text has no blank in a label
	}
	for _, part := range []*labeled{train, test} {
		sets := make([][]int, len(part.Y))
		for i, class := range part.Y {
			for l, value := range classes.Row(class) {
				if value > 0 {
					sets[i] = append(sets[i], l)
				}
			}
		}
		part.Labels = dataset.Labels{Sets: sets, Classes: names}
	}
	return train, test
}

// Run writes the set, or lists all.
func (s *Sample) Run(out *output) error {
	if s.Name == "" {
		return listSamples(out.out)
	}
	at := slices.IndexFunc(sampleSets, func(set sample) bool { return set.name == s.Name })
	if at < 0 {
		var names []string
		for _, set := range sampleSets {
			names = append(names, set.name)
		}
		return usage("no sample %q: there are %s", s.Name, strings.Join(names, ", "))
	}
	if s.File == "" {
		return usage("sample %s: give the file to write, for example %s.svm", s.Name, s.Name)
	}
	for _, path := range []string{s.File, s.Test} {
		if format, err := data.FormatToWrite(path); err != nil || format == "npy" {
			return usage("%s: samples are written as CSV, end the name in .csv, or as LIBSVM text, .svm", path)
		}
	}
	plan := file.Plan{Force: s.Force}
	to, toTest := plan.Writes("the examples", s.File, dataKind), plan.Writes("the test examples", s.Test, dataKind)
	if err := plan.Check(); err != nil {
		return err
	}
	train, test := sampleSets[at].open()
	switch {
	case s.Test == "" && test != nil:
		out.note("%s has a test part, which a second file would get.", s.Name)
	case s.Test != "" && test == nil:
		train, test = split(train)
	}
	if err := writeSample(out, s.File, to, train); err != nil || s.Test == "" {
		return err
	}
	return writeSample(out, s.Test, toTest, test)
}

func listSamples(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "name\texamples\ttest\tfeatures\tclasses\t")
	for _, set := range sampleSets {
		train, test := set.open()
		own := "-"
		if test != nil {
			own = fmt.Sprint(test.X.Rows)
		}
		fmt.Fprintf(t, "%s\t%d\t%s\t%d\t%d\t%s\n", set.name, train.X.Rows, own, train.X.Cols, len(train.Classes),
			set.about)
	}
	return t.Flush()
}

// split takes every fourth example of each class for the test.
func split(all *labeled) (train, test *labeled) {
	var parts [2][]int
	seen := make([]int, len(all.Classes))
	for i, class := range all.Y {
		seen[class]++
		part := 0
		if seen[class]%4 == 0 {
			part = 1
		}
		parts[part] = append(parts[part], i)
	}
	return rowsOf(all, parts[0]), rowsOf(all, parts[1])
}

// rowsOf returns the examples rows of l.
func rowsOf(l *labeled, rows []int) *labeled {
	x := vec.NewMatrix[float32](len(rows), l.X.Cols)
	l.X.Gather(x, rows)
	part := &labeled{X: &dataset.Dense[float32]{Matrix: x}, FeatureNames: l.FeatureNames, CSV: l.CSV}
	part.Classes = l.Classes
	for _, i := range rows {
		part.Y = append(part.Y, l.Y[i])
		if l.Values != nil {
			part.Values = append(part.Values, l.Values[i])
		}
	}
	return part
}

// writeSample writes examples in the format that the name of the file asks for.
func writeSample(out *output, path string, to *file.Output, l *labeled) error {
	err := to.Write(func(w io.Writer) error {
		if data.FormatOf(path, "") == "csv" {
			return dataset.WriteCSV(w, l)
		}
		x, err := l.X.CSR()
		if err != nil {
			return err
		}
		return dataset.WriteLIBSVM(w, &dataset.Labeled[*dataset.CSR[float32]]{X: x, Labels: l.Labels},
			dataset.LIBSVMOptions{})
	})
	if err == nil && path != "-" {
		out.note("%s: %d examples, %d features, %d classes", path, l.X.Rows, l.X.Cols, len(l.Classes))
	}
	return err
}
