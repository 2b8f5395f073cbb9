package solvers

import "fmt"

// AllRows stands for the trainings on all examples where a family's PathFold is told which share of a path to run.
const AllRows = -1

// JoinFolds puts the shares of a path together that a family's PathFold has computed, each perhaps in another process:
// parts[f] has the points of PathFold without part f. It returns what Path finds of each point, to the bit:
//
//	points, err := problem.PathFold(ctx, c, path, solvers.AllRows) // in one process
//	parts[f], err = problem.PathFold(ctx, c, path, f) // in others, f = 0, ..., Folds-1
//	found, err := solvers.JoinFolds(parts)
//	for p := range points {
//		points[p].Validation = found[p] // now they are what Path returns
//	}
//	best := points[solvers.Best(points, 0)]
//
// A share is one chain of trainings, each of which starts from the one before, as Path has it. All shares need the same
// problem, Config and PathConfig: then parts are drawn alike, by Config.Seed. Points of AllRows have a Result and no
// Measures. Points of a part have no Result, and Measures with one number in Folds; the training of a part has one
// worker, as in Path. CrossValidation.FoldsOnly does not count, and Trained tells of the trainings of the share. The
// state of a part has what the share has measured: PathFold and Path go on with it.
//
// It is an error if there are no parts, or if they differ in the number of their points, in the Order of a point, or in
// its measures. O(points measures parts).
func JoinFolds[P Validated](parts [][]P) ([]Validation, error) {
	if len(parts) == 0 {
		return nil, fmt.Errorf("solvers: no parts to join, want at least 1")
	}
	joined := make([]Validation, len(parts[0]))
	for f, part := range parts {
		if len(part) != len(joined) {
			return nil, fmt.Errorf("solvers: part %d has %d points, want %d as part 0 has", f, len(part), len(joined))
		}
		for p, point := range part {
			if err := joined[p].add(point.validation(), f == 0); err != nil {
				return nil, fmt.Errorf("solvers: point %d of part %d: %w", p, f, err)
			}
		}
	}
	for _, v := range joined {
		for q, m := range v.Measures {
			v.Measures[q] = NewMeasured(Measure{Name: m.Name, Smaller: m.Smaller}, m.Folds)
		}
	}
	return joined, nil
}

// add appends the measures of a further part to v, or begins v with the measures of the first part.
func (v *Validation) add(part Validation, first bool) error {
	if first {
		v.Order, v.Measures = part.Order, make([]Measured, len(part.Measures))
	}
	switch {
	case len(part.Measures) == 0:
		return fmt.Errorf("no measures: trainings on all examples are not to be joined")
	case part.Order != v.Order:
		return fmt.Errorf("Order is %d, want %d as in part 0", part.Order, v.Order)
	case len(part.Measures) != len(v.Measures):
		return fmt.Errorf("%d measures, want %d as in part 0", len(part.Measures), len(v.Measures))
	}
	for q, m := range part.Measures {
		of := &v.Measures[q]
		if first {
			of.Name, of.Smaller = m.Name, m.Smaller
		}
		if m.Name != of.Name || m.Smaller != of.Smaller {
			return fmt.Errorf("measure %d is %q, smaller is better: %v; want %q, %v as in part 0", q, m.Name, m.Smaller,
				of.Name, of.Smaller)
		}
		of.Folds = append(of.Folds, m.Folds...)
	}
	return nil
}
