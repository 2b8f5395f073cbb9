package beam

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/x/beam/internal/fit"
)

func init() { register.DoFn2x1[context.Context, int, error](&foldFn{}) }

// GridSpec says which Lambdas to try on all rows, and how to compare them by cross-validation.
type GridSpec struct {
	Lambdas []float64 // default: as topk.PathConfig has it
	Folds   int       // parts of the rows, drawn by Seed, > 1
	Tops    int       // accuracies to measure, top-1 to top-Tops; default: K

	Tol    float64 // as topk.Config has them
	Epochs int
	Seed   uint64

	Models string // folder for the models of all rows, model-0 and on, in the order of the points; default: none
}

// GridPoint is one Lambda of a grid.
type GridPoint struct {
	Lambda  float64
	Outcome solvers.Outcome // of the training on all rows

	solvers.Validation // Measures[j-1] is the top-j accuracy
}

// Grid trains with each Lambda, on all rows and without each part of them, and measures on the part: what topk's
// Problem.Path finds, to the bit. An element is the chain of trainings on all rows, or without one part, from the
// largest Lambda to the smallest; each starts from the one before. A worker holds all rows. p.Lambda is not used.
// solvers.Best chooses a point.
func Grid(ctx context.Context, d Driver, g GridSpec, p ProblemSpec, rows []Rows) ([]GridPoint, error) {
	p.Lambda = 1
	if err := p.checkFiles(ctx, rows); err != nil {
		return nil, err
	}
	if g.Folds < 2 || int64(g.Folds) > p.N {
		return nil, fmt.Errorf("beam: %d parts of %d rows, want 2 at least and at most as many as rows", g.Folds, p.N)
	}
	if g.Models != "" {
		if err := Writable(ctx, join(g.Models, modelName(0))); err != nil {
			return nil, err
		}
	}
	f := &foldFn{Problem: p, Grid: g, Rows: rows, Path: join(d.Dir, "fold-"+random())}
	defer release(f.Path)
	all, err := d.gather(ctx, g.Folds+1, f.file, func(s beam.Scope, numbers beam.PCollection) {
		beam.ParDo0(s.Scope("dualgap.Grid"), f, numbers)
	})
	if err != nil {
		return nil, err
	}
	chains := make([][]GridPoint, len(all))
	for k, b := range all {
		if err := json.Unmarshal(b, &chains[k]); err != nil {
			return nil, fmt.Errorf("beam: %s: %w", f.file(k), err)
		}
	}
	points, parts := chains[g.Folds], chains[:g.Folds]
	found, err := solvers.JoinFolds(parts)
	if err != nil || len(found) != len(points) {
		return nil, fmt.Errorf("beam: %d points of the parts, %d of all rows: %w", len(found), len(points), err)
	}
	for k := range points {
		points[k].Validation = found[k]
	}
	return points, nil
}

// foldFn trains the chain of a part, or of all rows where the number is Grid.Folds.
type foldFn struct {
	Problem ProblemSpec
	Grid    GridSpec
	Rows    []Rows
	Path    string // begins the names of the files of this run alone
}

// modelName returns the name of the file of a point's model.
func modelName(k int) string { return fmt.Sprintf("model-%d", k) }

func (f *foldFn) file(number int) string { return fmt.Sprintf("%s-%d", f.Path, number) }

// ProcessElement trains a chain and writes its points.
func (f *foldFn) ProcessElement(ctx context.Context, number int) error {
	h, err := hold(ctx, f.Path, f.Problem, f.Rows)
	if err != nil {
		return err
	}
	g, p := &f.Grid, &f.Problem
	which := number
	if number == g.Folds {
		which = solvers.AllRows
	}
	l, err := p.topkLoss()
	if err != nil {
		return err
	}
	points, err := fit.PathFold(ctx, h.data(p), topk.Config{Loss: l, K: max(p.K, 1), Smoothing: p.Smoothing,
		Classes: p.Classes, Bias: p.Bias, Tol: g.Tol, Epochs: g.Epochs, Seed: g.Seed, Workers: p.Workers},
		topk.PathConfig{Lambdas: g.Lambdas, Tops: g.Tops, CrossValidation: solvers.CrossValidation{Folds: g.Folds}},
		which)
	if err != nil {
		return err
	}
	var told []GridPoint
	for k, point := range points {
		told = append(told, GridPoint{Lambda: point.Lambda, Outcome: point.Outcome, Validation: point.Validation})
		if point.Model != nil && g.Models != "" {
			if err := writeFile(ctx, join(g.Models, modelName(k)), point.Model); err != nil {
				return err
			}
		}
	}
	b, err := json.Marshal(told)
	if err != nil {
		return err
	}
	return writeFile(ctx, f.file(number), b)
}
