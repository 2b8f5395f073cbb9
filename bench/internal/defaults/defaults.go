// Package defaults measures how accurate the command's models are as they come, without a flag of theirs, beside models
// of LIBLINEAR and scikit-learn.
package defaults

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"

	"github.com/dualgap/dualgap/bench/internal/ending"
	"github.com/dualgap/dualgap/bench/internal/report"
)

const about = `Accuracy of the command's models by their defaults, in percent of the examples held out: every fourth of each
class, and of sets of less than 2000 examples each quarter in turn. Beside it LIBLINEAR's (liblinear-train -B 1) and
scikit-learn's LinearSVC and LogisticRegression by theirs, where these are installed: apt-get install liblinear-tools
python3-sklearn. All train on the same numbers. -data may have letter.csv.gz and satimage.csv.gz, UCI's sets Letter
Recognition and Statlog (Landsat Satellite), training and test part together, whose last column is the class.`

// scalings are what is done to the features.
var scalings = []string{"none", "standard"}

// Run runs the command.
func Run(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	f := flag.NewFlagSet("bench defaults", flag.ContinueOnError)
	f.SetOutput(io.Discard) // the caller prints errors
	data := f.String("data", os.Getenv("DUALGAP_DATA"), "`folder` of more sets")
	python := f.String("python", "python3", "the `program` that has scikit-learn")
	models := f.String("train", "topk,topk --loss topk-hinge,m3l,tracenorm,mkl",
		"`arguments` of dualgap train, each between commas a column")
	filter := f.String("filter", "", "only the sets whose name matches this `regexp`")
	out := f.String("out", "", "write the table as JSON into `folder`")
	switch err := f.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(stderr, "%s\n\nusage: go run ./bench defaults [flags]\n", about)
		f.SetOutput(stderr)
		f.PrintDefaults()
		return err
	case err != nil:
		return err
	case f.NArg() > 0:
		return fmt.Errorf("unexpected argument %q: there are only flags, see -h", f.Arg(0))
	}
	to, err := report.New(stdout, stderr, *out)
	if err != nil {
		return err
	}
	dir, remove, err := ending.Folder("dualgap-defaults-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	b := &bench{dir: dir, python: *python, families: strings.Split(*models, ",")}
	if b.filter, err = regexp.Compile(*filter); err != nil {
		return fmt.Errorf("-filter: %w", err)
	}
	if b.program, err = build(ctx, dir); err != nil {
		return err
	}
	return b.table(ctx, to, *data)
}

// bench is what all rows of the table need.
type bench struct {
	dir, program, python string
	families             []string // arguments behind "dualgap train"
	filter               *regexp.Regexp
}

// table trains and prints row by row.
func (b *bench) table(ctx context.Context, to *report.Report, data string) error {
	var columns []report.Column
	for _, name := range append(append([]string{}, b.families...), rivals...) {
		columns = append(columns, report.Column{Name: name, Digits: 1})
	}
	t, err := to.Begin(report.Table{Name: "defaults",
		Title: "Accuracy by defaults, in percent of the examples held out", About: about, Rows: "set",
		Columns: columns})
	if err != nil {
		return err
	}
	var missing []string
	for _, s := range sets {
		if !b.filter.MatchString(s.name) {
			continue
		}
		examples, err := s.open(data)
		if errors.Is(err, os.ErrNotExist) {
			missing = append(missing, s.name)
			continue
		}
		if err != nil {
			return err
		}
		for _, scaling := range scalings {
			cells, err := b.row(ctx, to, s.name, examples, scaling)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			name := s.name
			if scaling != "none" {
				name += ", " + scaling
			}
			if err := t.Row(name, cells...); err != nil {
				return err
			}
		}
	}
	var notes []string
	if missing != nil {
		notes = append(notes, fmt.Sprintf("Not in -data: %v", missing))
	}
	return t.End(notes...)
}

// row trains everybody on a set.
func (b *bench) row(ctx context.Context, to *report.Report, name string, all *examples,
	scaling string) (cells []report.Cell, err error) {
	sums, tested := make([]float64, len(b.families)+len(rivals)), 0.0
	for q := range quarters(all) {
		part := split(all, q)
		f, err := part.write(b.dir, scaling)
		if err != nil {
			return nil, err
		}
		weight := float64(len(part.test.Y))
		tested += weight
		for k, family := range b.families {
			to.Bar.Show((float64(q)+float64(k)/float64(len(b.families)+1))/float64(quarters(all)), name+", "+family)
			accuracy, err := b.ours(ctx, f, family, scaling)
			if err != nil {
				return nil, err
			}
			sums[k] += weight * accuracy
		}
		others, err := b.rivals(ctx, f)
		if err != nil {
			return nil, err
		}
		for k, accuracy := range others {
			sums[len(b.families)+k] += weight * accuracy
		}
	}
	for _, sum := range sums {
		if sum == sum {
			cells = append(cells, report.Number(sum/tested))
		} else {
			cells = append(cells, report.Cell{})
		}
	}
	return cells, nil
}
