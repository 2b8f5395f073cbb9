package toprank

import (
	"fmt"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/internal/family"
	"github.com/dualgap/dualgap/solvers/linear"
	"github.com/dualgap/dualgap/vec"
)

// Joint returns the problem of ranking the pairs of an example and a class, of which those with the example's own class
// are positive: the map of "Top-k Multiclass SVM" (Lapin, Hein, Schiele, 2015), section 2.3, from m classes to two.
//
// Row i m + c of its X is Phi_c(x_i), m d features, of which those from c d on are x_i and all others 0. So <w,
// Phi_c(x_i)> = <w_c, x_i> for w = (w_0, ..., w_m-1): [JointModel] makes a linear model of m classes of it. X is a view
// of x, which holds nothing of its own. Groups, which Joint leaves out, may be set to the example of each row, i: then
// TopPush has a threshold for each example, the largest score of a false class, and is with Hinge the multiclass hinge
// of Crammer and Singer. Without them one threshold is over all examples and classes.
//
// It is an error if y are not the classes of the rows of x, in 0..m-1, or the sizes are beyond int. O(n m).
func Joint[T vec.Float](x design.Matrix[T], y []int, m int) (Problem[T], error) {
	n, d, err := design.Check(x)
	if err != nil {
		return Problem[T]{}, fmt.Errorf("%s: %w", name, err)
	}
	labels := family.Labels{One: y}
	if m, err = labels.Named(n, m, nil); err == nil {
		err = family.CheckSizes(n, d, m, 0)
	}
	if err != nil {
		return Problem[T]{}, fmt.Errorf("%s: %w", name, err)
	}
	p := Problem[T]{X: &joint[T]{x: x, n: n, d: d, m: m}, Positive: make([]bool, n*m)}
	for i, c := range y {
		p.Positive[i*m+c] = true
	}
	return p, nil
}

// JointModel returns the model of m classes that the weights of a Joint problem are, md-by-1: w_c is its column c.
// names are the classes', nil if they have none.
func JointModel[T vec.Float](joined *linear.Model[T], m int, names []string) (*linear.Model[T], error) {
	long, outputs := joined.Dims()
	if m < 1 || long%m != 0 || outputs != 1 {
		return nil, fmt.Errorf("%s: %d-by-%d weights for %d classes, want a multiple of them by 1", name, long, outputs,
			m)
	}
	d, from := long/m, joined.Weights()
	w := vec.NewMatrix[T](d, m)
	for j := range d {
		for c := range m {
			w.Row(j)[c] = from.Row(c*d + j)[0]
		}
	}
	l, err := linear.New(w, nil, names)
	if err != nil {
		return nil, err
	}
	return l.WithNotes(joined.Notes()), nil
}

// joint is X of Joint.
type joint[T vec.Float] struct {
	x       design.Matrix[T]
	n, d, m int
}

func (p *joint[T]) Dims() (n, d int) { return p.n * p.m, p.d * p.m }

func (p *joint[T]) SquaredNorms(dst []T) {
	own := make([]T, p.n)
	p.x.SquaredNorms(own)
	for i, v := range own {
		for c := range p.m {
			dst[i*p.m+c] = v
		}
	}
}

// all returns the rows, for nil all of them.
func (p *joint[T]) all(rows []int) []int {
	if rows == nil {
		rows = make([]int, p.n*p.m)
		for row := range rows {
			rows[row] = row
		}
	}
	return rows
}

// of returns the part of w, or of columns where it is that, which belongs to the class of a row, and its example.
func (p *joint[T]) of(row int) (from, to int, example []int) {
	c := row % p.m
	return c * p.d, (c + 1) * p.d, []int{row / p.m}
}

func (p *joint[T]) Gather(dst vec.Matrix[T], rows []int) {
	for k, row := range p.all(rows) {
		clear(dst.Row(k))
		from, to, example := p.of(row)
		p.x.Gather(dst.Slice(k, k+1, from, to), example)
	}
}

func (p *joint[T]) Scores(dst, w vec.Matrix[T], rows []int) {
	for k, row := range p.all(rows) {
		from, to, example := p.of(row)
		p.x.Scores(dst.Slice(k, k+1, 0, dst.Cols), w.Slice(from, to, 0, w.Cols), example)
	}
}

func (p *joint[T]) Accumulate(w, a vec.Matrix[T], rows []int) {
	for k, row := range p.all(rows) {
		from, to, example := p.of(row)
		p.x.Accumulate(w.Slice(from, to, 0, w.Cols), a.Slice(k, k+1, 0, a.Cols), example)
	}
}

func (p *joint[T]) Gram(dst vec.Matrix[T], rows, cols []int) {
	rows, cols = p.all(rows), p.all(cols)
	examples := func(rows []int) []int {
		of := make([]int, len(rows))
		for k, row := range rows {
			of[k] = row / p.m
		}
		return of
	}
	p.x.Gram(dst, examples(rows), examples(cols))
	for k, row := range rows {
		for l, col := range cols {
			if row%p.m != col%p.m {
				dst.Row(k)[l] = 0
			}
		}
	}
}
