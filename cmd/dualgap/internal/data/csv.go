package data

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// openCSV finds features by the names that a model knows, else by their places, and the label where the flag says it
// is, else where it was in training; there may be none then.
func openCSV[T vec.Float](path string, o Options, known *Known) (*Examples[T], error) {
	options := dataset.CSVOptions{
		Header:  map[string]dataset.Header{"yes": dataset.HeaderPresent, "no": dataset.HeaderAbsent}[o.Header],
		NoLabel: o.Unlabeled, MaxRows: o.MaxRows, Columns: known.Names,
	}
	options.Label, options.LabelName = column(o.LabelColumn)
	options.Group, options.GroupName = column(o.GroupColumn)
	options.Fold, options.FoldName = column(o.FoldColumn)
	if o.LabelColumn == "" && known.Features > 0 {
		options.Cols = known.Features
		options.Label, options.LabelName, options.LabelOptional = known.LabelColumn, known.Label, true
	}
	d, err := read(path, options, func(in io.Reader, name string, o dataset.CSVOptions) (
		*dataset.Labeled[*dataset.Dense[T]], error) {
		return dataset.ReadCSV[T](&lines{r: in}, name, o)
	})
	if err != nil {
		return nil, err
	}
	e := &Examples[T]{X: d.X, Labels: d.Labels, Groups: d.Groups, Folds: d.Folds, FeatureNames: d.FeatureNames,
		CSV: d.CSV}
	if options.LabelOptional && d.FeatureNames != nil {
		e.label = known.Label
	}
	return e, nil
}

// column returns what a flag says of a column: its number, or else its name.
func column(flag string) (number int, name string) {
	if number, err := strconv.Atoi(flag); err == nil {
		return number, ""
	}
	return 0, flag
}

// Remarks are lines about what became of the columns of the file path, where somebody may have expected something else.
func (e *Examples[T]) Remarks(path string) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, path+": "+fmt.Sprintf(format, args...)) }
	if e.CSV.Guessed {
		add("the first line, of numbers, is taken for the names of columns, since %q is the label of no other line; "+
			"--header no makes it an example", e.CSV.LabelName)
	}
	if e.CSV.Index {
		add("the first column, which has no name and numbers the examples, is no feature")
	}
	if extra := e.CSV.Extra; len(extra) > 0 {
		const most = 12
		names := make([]string, min(len(extra), most))
		for j := range names {
			names[j] = strconv.Quote(extra[j])
			if extra[j] == "" {
				names[j] = "one without a name"
			}
		}
		more := ""
		if len(extra) > most {
			more = fmt.Sprintf(" and %d more", len(extra)-most)
		}
		add("columns that are none of the model's features are left out: %s%s", strings.Join(names, ", "), more)
	}
	return lines
}
