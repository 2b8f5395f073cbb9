package beam

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/vec"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

func init() { register.DoFn2x1[context.Context, int, error](&groupFn{}) }

// LabelsSpec says how to train models of many labels without a prior R: one support vector machine a label. Labels do
// not touch each other, so that groups of them are trained apart, and the sums of their primal and dual values are the
// certificate of all.
type LabelsSpec struct {
	C      float64 // weight of the losses; default: 1
	Groups int     // elements; default: 1

	Tol    float64 // as m3l.Config has them
	Epochs int
	Seed   uint64
}

// TrainLabels trains the model of m3l without a prior on all rows: the m = p.Classes labels in groups, an element each.
// A worker holds all rows and the weights of its group. Of p the sizes, names, labels and Bias count. The relative gap
// is at most Tol, since it is in each group.
func TrainLabels(ctx context.Context, d Driver, o LabelsSpec, p ProblemSpec, rows []Rows) (
	*linear.Model[float64], solvers.Certificate, error,
) {
	var sum solvers.Certificate
	p.Loss, p.K, p.Smoothing, p.Lambda = "topk-hinge", 1, 0, 1 // which count for nothing but the check
	if len(rows) > 0 && rows[0].Format.Sets {
		p.Loss = "squared-hinge"
	}
	if err := p.checkFiles(ctx, rows); err != nil {
		return nil, sum, err
	}
	o.Groups = max(o.Groups, 1)
	if o.Groups > p.Classes {
		return nil, sum, fmt.Errorf("beam: %d groups of %d labels", o.Groups, p.Classes)
	}
	f := &groupFn{Problem: p, Labels: o, Rows: rows, Path: join(d.Dir, "labels-"+random())}
	defer release(f.Path)
	all, err := d.gather(ctx, o.Groups, f.file, func(s beam.Scope, numbers beam.PCollection) {
		beam.ParDo0(s.Scope("dualgap.Labels"), f, numbers)
	})
	if err != nil {
		return nil, sum, err
	}
	w := vec.NewMatrix[float64](p.inputs(), p.Classes)
	for k, b := range all {
		var told groupResult
		if err := json.Unmarshal(b, &told); err != nil {
			return nil, sum, fmt.Errorf("beam: %s: %w", f.file(k), err)
		}
		part, err := parseWeights(told.Model)
		if err != nil {
			return nil, sum, err
		}
		from, to := f.group(k)
		for j := range w.Rows {
			copy(w.Row(j)[from:to], part.Row(j))
		}
		sum.Primal += told.Certificate.Primal
		sum.Dual += told.Certificate.Dual
	}
	m, err := linear.WithConstant(w, p.Bias, p.Names)
	return m, sum, err
}

// groupFn trains a group of labels.
type groupFn struct {
	Problem ProblemSpec
	Labels  LabelsSpec
	Rows    []Rows
	Path    string // begins the names of the files of this run alone
}

// groupResult is what the training of a group tells.
type groupResult struct {
	Certificate solvers.Certificate
	Model       []byte
}

func (f *groupFn) file(number int) string { return fmt.Sprintf("%s-%d", f.Path, number) }

// group returns the labels [from, to) of a group.
func (f *groupFn) group(number int) (from, to int) {
	m, k := f.Problem.Classes, f.Labels.Groups
	return number * m / k, (number + 1) * m / k
}

// ProcessElement trains a group and writes what it tells.
func (f *groupFn) ProcessElement(ctx context.Context, number int) error {
	h, err := hold(ctx, f.Path, f.Problem, f.Rows)
	if err != nil {
		return err
	}
	from, to := f.group(number)
	sets := make([][]int, len(h.sets))
	for i, set := range h.sets {
		a, _ := slices.BinarySearch(set, from)
		b, _ := slices.BinarySearch(set, to)
		for _, c := range set[a:b] {
			sets[i] = append(sets[i], c-from)
		}
	}
	o := &f.Labels
	r, err := fit.Labels(ctx, fit.Data{X: h.rows.matrix(), Sets: sets}, m3l.Config{C: o.C, Labels: to - from,
		Bias: f.Problem.Bias, Tol: o.Tol, Epochs: o.Epochs, Seed: o.Seed, Workers: f.Problem.Workers})
	if err != nil {
		return err
	}
	told, err := json.Marshal(groupResult{r.Outcome.Certificate, r.Model})
	if err != nil {
		return err
	}
	return writeFile(ctx, f.file(number), told)
}
