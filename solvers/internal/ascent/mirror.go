package ascent

import (
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/vec"
)

// mirrored returns a, n-by-1, as the second of two columns, of which the first is the negative.
func mirrored[T vec.Float](a vec.Matrix[T]) vec.Matrix[T] {
	two := vec.NewMatrix[T](a.Rows, 2)
	for i := range a.Rows {
		v := a.Row(i)[0]
		two.Row(i)[0], two.Row(i)[1] = -v, v
	}
	return two
}

// halved returns the column of which a, n-by-2, is the mirror image, or half of the difference of the two: where the
// columns belong to mirrored problems, their mean loses nothing, since the objective is convex.
func halved[T vec.Float](a vec.Matrix[T]) vec.Matrix[T] {
	one := vec.NewMatrix[T](a.Rows, 1)
	for i := range a.Rows {
		row := a.Row(i)
		one.Row(i)[0] = row[1]/2 - row[0]/2
	}
	return one
}

// outputs returns the number of outputs of the model.
func (t *Training[T]) outputs() int {
	if t.Mirrored {
		return 2
	}
	return t.Problem.Outputs
}

// mirror returns what a model of the problem has, dual variables too, of both outputs where these are mirrored.
func (t *Training[T]) mirror(a vec.Matrix[T]) vec.Matrix[T] {
	if t.Mirrored {
		return mirrored(a)
	}
	return a
}

// begun returns the dual variables to start from.
func (t *Training[T]) begun() (vec.Matrix[T], error) {
	duals := t.Start.Duals
	if !t.Mirrored {
		return duals, nil
	}
	if err := CheckDuals(duals, len(t.Problem.Radius), 2); err != nil {
		return duals, err
	}
	return halved(duals), nil
}

// mirrorMemory is what the second output takes in what a training returns.
func (t *Training[T]) mirrorMemory() solvers.Memory {
	if !t.Mirrored {
		return nil
	}
	n, d := t.Problem.size()
	number := 8
	if !is64[T]() {
		number = 4
	}
	return solvers.Memory{family.Numbers("models and dual variables of two classes", 2, number, n+d,
		"examples and features", 2, "classes")}
}
