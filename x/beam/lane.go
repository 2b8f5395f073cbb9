package beam

import (
	"math"
	"runtime"
	"sync"

	"github.com/dualgap/dualgap/solvers/design"
	"github.com/dualgap/dualgap/solvers/loss"
	"github.com/dualgap/dualgap/vec"
)

// stretch is the number of rows whose sums are plain. Stretches begin at multiples of it in their file, so that they
// are the same for all ranges that do. Sums of stretches lose next to nothing: see [Sums.Add].
const stretch = 64

// lane is the memory of one of the goroutines that share the rows of an element.
type lane struct {
	pass *pass
	sums *Sums // nil: no row yet

	v         []float64 // Xᵀ A of a stretch
	before    []float64
	workspace loss.Workspace[float64]
}

// sum adds rows, of which the first has the number row in its file, with the true classes s.sets: their losses, dual
// terms and Xᵀ A, and what hash adds for each of them. Lanes share the stretches.
func (s *pass) sum(b *block[float64], row int64, hash func(sums *Sums, i int)) {
	n, _ := b.matrix().Dims()
	s.scores, s.duals = resize(s.scores, n*s.problem.Classes), resize(s.duals, n*s.problem.Classes)
	var group sync.WaitGroup
	for k, l := range s.lanes {
		group.Go(func() {
			number := 0
			for from := 0; from < n; number++ {
				to := min(n, from+stretch-int((row+int64(from))%stretch))
				if number%len(s.lanes) == k {
					l.add(b, from, to, hash)
				}
				from = to
			}
		})
	}
	group.Wait()
}

// add adds a stretch.
func (l *lane) add(b *block[float64], from, to int, hash func(sums *Sums, i int)) {
	p, m := l.pass.problem, l.pass.problem.Classes
	if l.sums == nil {
		l.sums = newSums(p.inputs(), m)
	}
	l.score(b, from, to)
	part := Sums{}
	for i := from; i < to; i++ {
		l.row(&part, i)
		if hash != nil {
			hash(&part, i)
		}
	}
	l.sums.addNumbers(&part)
	x, features := b.window(from, to)
	_, d := x.Dims()
	a := vec.MatrixOf(to-from, m, l.pass.duals[from*m:to*m])
	l.v = resize(l.v, d*m)
	clear(l.v)
	x.Accumulate(vec.MatrixOf(d, m, l.v), a, nil)
	for j := range d {
		to := j
		if features != nil {
			to = int(features[j])
		}
		l.sums.addRow(to, l.v[j*m:(j+1)*m])
	}
	if p.Bias != 0 {
		l.v = resize(l.v, m)
		clear(l.v)
		for i := range a.Rows {
			vec.Axpy(p.Bias, a.Row(i), l.v)
		}
		l.sums.addRow(p.Features, l.v)
	}
}

// score computes the scores of a stretch. Scores of more rows at once may have other bits.
func (l *lane) score(b *block[float64], from, to int) {
	s, m := l.pass, l.pass.problem.Classes
	x := design.Window(b.matrix(), from, to)
	if s.problem.Bias != 0 {
		x = design.WithBias(x, s.problem.Bias)
	}
	x.Scores(vec.MatrixOf(to-from, m, s.scores[from*m:to*m]), s.w.Matrix, nil)
}

// window returns some rows, and the features that they have where these are few.
func (b *block[T]) window(from, to int) (design.Matrix[T], []int32) {
	if b.dense != nil {
		return b.dense.Window(from, to), nil
	}
	var x design.Matrix[T] = b.sparse.Window(from, to)
	return design.Occupied(x)
}

// row adds the loss and the dual term of row i of the element to sums, and leaves its dual variables feasible.
func (l *lane) row(sums *Sums, i int) {
	s := l.pass
	m, r := s.problem.Classes, s.problem.radius()
	scores, a, y := s.scores[i*m:(i+1)*m], s.duals[i*m:(i+1)*m], s.sets[i]
	sums.Loss += s.loss.Primal(scores, y, &l.workspace)
	sums.Rows++
	if s.problem.Duals == "" {
		term := loss.At(a, s.naming, scores, y, r, &l.workspace)
		if s.problem.Named != 0 {
			term = s.loss.Dual(a, y, r, &l.workspace)
		}
		sums.Terms += term
		return
	}
	copy(l.before, a)
	s.loss.Repair(a, y, r, &l.workspace)
	for c, v := range a {
		if math.Abs(v-l.before[c]) > 1e-6*r {
			sums.Moved++
			break
		}
	}
	sums.Terms += s.loss.Dual(a, y, r, &l.workspace)
}

// newLanes returns the memory of some goroutines, which are fewer where W is large.
func newLanes(s *pass) (lanes []*lane) {
	workers := s.problem.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	if s.w.Rows*s.w.Cols > 1<<20 {
		workers = 1
	}
	m := s.problem.Classes
	for range max(workers, 1) {
		lanes = append(lanes, &lane{pass: s, before: make([]float64, m)})
	}
	return lanes
}
