package hostile

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/solvers"
)

// bits is the precision of exact sums: a double-double has 106. Numbers of a sum may be 1e300 times as large as others.
const bits = 2200

// Exact returns v with these bits: sums and products of a few hundred float64 numbers lose nothing that matters.
func Exact(v float64) *big.Float { return new(big.Float).SetPrec(bits).SetFloat64(v) }

// Inner returns <x, y>.
func Inner(x, y []float64) *big.Float {
	sum := Exact(0)
	var a, b, product big.Float // each takes its memory once
	product.SetPrec(2 * 53)
	for i, v := range x {
		if w := y[i]; v != 0 && w != 0 { // most features of documents are 0
			sum.Add(sum, product.Mul(a.SetFloat64(v), b.SetFloat64(w)))
		}
	}
	return sum
}

// HalfSquares returns |W|²/2 of W = Xᵀ A, for the rows of X and of A.
func HalfSquares(x, a [][]float64) *big.Float {
	sum, columns := Exact(0), make([][]float64, len(a[0]))
	for c := range columns {
		columns[c] = Column(a, c)
	}
	for j := range x[0] {
		feature := Column(x, j)
		if !slices.ContainsFunc(feature, func(v float64) bool { return v != 0 }) {
			continue
		}
		for _, column := range columns {
			w := Inner(feature, column)
			sum.Add(sum, w.Mul(w, w))
		}
	}
	return sum.Mul(sum, Exact(.5))
}

// Column returns a column of a matrix in rows.
func Column(rows [][]float64, j int) (column []float64) {
	for _, row := range rows {
		column = append(column, row[j])
	}
	return column
}

// Plus adds the product of a and b to sum.
func Plus(sum, a, b *big.Float) { sum.Add(sum, new(big.Float).Mul(a, b)) }

// Values are what a certificate says, computed anew: P of the model and D of the dual variables but for nothing that
// counts, how far rounding in float64 may take each, and by how much D may be above P where dual variables are feasible
// up to rounding alone.
type Values struct {
	Primal, Dual                   *big.Float
	OffPrimal, OffDual, Infeasible float64
	Below                          bool // the certificate's dual value may be a lower bound of D
}

// Check returns an error unless the values confirm the certificate: D is at most P, but for what is infeasible and what
// functions are off by, which is far below rounding in float64; each is what the certificate says, but for what
// rounding may do to it; and where training has converged the gap is within the tolerance, with that.
func (v Values) Check(o solvers.Outcome) (err error) {
	least := func(what string, a, b *big.Float, want float64) {
		if got, _ := new(big.Float).Sub(a, b).Float64(); !(got >= want) && err == nil {
			err = fmt.Errorf("%v: %s %g, want %g at least", o, what, got, want)
		}
	}
	toldPrimal, toldDual := Exact(o.Certificate.Primal), Exact(o.Certificate.Dual)
	least("P - D", v.Primal, v.Dual, -v.Infeasible-0x1p-200*(v.OffPrimal+v.OffDual))
	least("P above the certificate's by", v.Primal, toldPrimal, -v.OffPrimal)
	least("P below the certificate's by", toldPrimal, v.Primal, -v.OffPrimal)
	least("D above the certificate's by", v.Dual, toldDual, -v.OffDual)
	if !v.Below {
		least("D below the certificate's by", toldDual, v.Dual, -v.OffDual)
	}
	if converged(o) {
		size := max(math.Abs(o.Certificate.Primal), math.Abs(o.Certificate.Dual))
		least("D below P less the tolerance by", v.Dual, v.Primal, -(o.Tol*size + (1+o.Tol)*(v.OffPrimal+v.OffDual)))
	}
	return err
}

// Confirm fails unless the values confirm the certificate, and takes down doubts. Families refuse certificates that
// rounding may make false: where training has converged, a gap of twice the tolerance is a failure, whatever rounding
// may do. To a tolerance of 1 all models have converged, by dual variables of 0.
func (v Values) Confirm(t testing.TB, o solvers.Outcome) {
	t.Helper()
	if err := v.Check(o); err != nil {
		t.Fatal(err)
	}
	gap, _ := new(big.Float).Sub(v.Primal, v.Dual).Float64()
	size := max(math.Abs(o.Certificate.Primal), math.Abs(o.Certificate.Dual))
	if converged(o) && o.Tol < 1 && gap > (2*o.Tol+1e-12)*size+Denormal {
		t.Fatalf("%v, to %g, but the gap is %g", o, o.Tol, gap)
	}
	confirmed++
	if converged(o) && o.Tol < 1 && gap > (o.Tol+1e-12)*size+Denormal {
		doubts = append(doubts, fmt.Sprintf("%v, to %g, but the gap is %g, %g of it", o, o.Tol, gap, gap/size))
	}
}

// converged reports whether o says so. A model that was pruned later keeps its status.
func converged(o solvers.Outcome) bool {
	return o.Status == solvers.Converged && o.Certificate.RelativeGap() <= o.Tol
}

// confirmed is how many certificates were, and doubts are of those that say converged where the gap is above the
// tolerance by what rounding may do: since the last problem was drawn.
var (
	confirmed int
	doubts    []string
)

// Refuses fails unless check passes with the certificate as it is, and fails with a primal or a dual value that is off
// by a part of 1e-9 of its size.
func Refuses(t *testing.T, c *solvers.Certificate, check func(t testing.TB)) {
	t.Helper()
	if said := failure(t, check); said != "" {
		t.Errorf("%v is refused: %s", c, said)
	}
	for _, v := range []*float64{&c.Primal, &c.Dual} {
		for _, by := range []float64{-1e-9, 1e-9} {
			was := *v
			*v += by * math.Abs(*v)
			if failure(t, check) == "" {
				t.Errorf("%v passes with %v in place of %v", c, *v, was)
			}
			*v = was
		}
	}
}

// failure returns what check says where it fails.
func failure(t testing.TB, check func(t testing.TB)) string {
	r := &listener{TB: t}
	done := make(chan struct{})
	go func() { // which Fatal ends
		defer close(done)
		check(r)
	}()
	<-done
	return r.said
}

// listener takes down what a test says.
type listener struct {
	testing.TB
	said string
}

func (l *listener) Error(of ...any)                 { l.said += fmt.Sprintln(of...) }
func (l *listener) Errorf(format string, of ...any) { l.said += fmt.Sprintf(format+"\n", of...) }

func (l *listener) Fatal(of ...any) {
	l.Error(of...)
	runtime.Goexit()
}

func (l *listener) Fatalf(format string, of ...any) {
	l.Errorf(format, of...)
	runtime.Goexit()
}
