package tracenorm

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/internal/hostile"
	"github.com/dualgap/dualgap/vec"
)

// TestHonest: certificates are what plain loops in float64 find from the model and the dual variables, whatever the
// precision of the training, the penalty, the storage and the tolerance.
func TestHonest(t *testing.T) { prove.Both(t, testHonest[float32], testHonest[float64]) }

func testHonest[T vec.Float](t *testing.T) {
	s := draw(1, 48, 6, 4)
	for form, x := range forms[T](t, s) {
		for _, penalty := range []Config{{Lambda1: .05, Lambda2: .002}, {Lambda1: .04}, {Lambda2: .01}, {}} {
			for q, c := range []Config{{}, {Raw: true}, {Bias: 1}, {Raw: true, Bias: -.5}} {
				for _, c.Tol = range []float64{.1, 1e-3} {
					c.Lambda1, c.Lambda2, c.Workers = penalty.Lambda1, penalty.Lambda2, 1+2*(q%2)
					p := Problem[T]{X: x, Y: s.y}
					if q%2 == 1 {
						p.Weights = familytest.Uneven(len(s.y))
					}
					honest(t, fmt.Sprintf("%s, %+v", form, c), p, c, fit(t, p, c))
				}
			}
		}
	}
}

// TestEmulated is a short training of each kind: what runs of this package where an emulator makes everything slow.
func TestEmulated(t *testing.T) { prove.Both(t, testEmulated[float32], testEmulated[float64]) }

func testEmulated[T vec.Float](t *testing.T) {
	s := draw(2, 24, 5, 3)
	for form, x := range forms[T](t, s) {
		c := Config{Lambda1: .05, Lambda2: .002, Bias: 1, Workers: 1}
		p := Problem[T]{X: x, Y: s.y, Weights: familytest.Uneven(24)}
		honest(t, form, p, c, fit(t, p, c))
	}
}

// scratch is what plain loops find.
type scratch struct {
	primal, dual     float64
	loss, norm       float64     // |W|_F
	w                [][]float64 // with the row of the constant feature
	spectrum         []float64   // of W
	sigma            []float64   // of Xᵀ A/n
	inPrimal, inDual float64     // how far rounding can take the two
	lambda1, lambda2 float64
	reach, inReach   float64 // what A may be times to be in its domain, at most 1, and its rounding
	inSpectrum       float64
	inLength         []float64 // of each singular value, beside inSpectrum
}

// fromScratch evaluates the objective at the model and the dual at the dual variables.
//
// The mean and the factors of the model are rounded to T, whose unit is u: a score, a sum of t terms, is off by (3 u +
// t 2⁻⁵²) |x| |W|, and an element of the gradient by as much of |x| |A|, where |A| is the mean of the w_i |a_i|. The
// loss of an example moves by twice its scores', singular values by the norm of the change of their matrix, the
// conjugate by its slope sigma/(2 lambda2) times that. The logarithm of a probability next to 1 is off by roundoffs of
// 1, so that the mean of losses and of H is off by as many of the mean weight. Lengths of columns stand for singular
// values: package spectral's test has what these are off by.
func fromScratch[T vec.Float](t testing.TB, p Problem[T], c Config, r *Result[T]) scratch {
	const tiny = 0x1p-53
	n, d := p.X.Dims()
	k := r.Duals.Cols
	u, v := r.Factors()
	narrow, rows := vec.NewMatrix[T](n, d), make([][]float64, n)
	p.X.Gather(narrow, nil)
	mean := make([]float64, d)
	for i := range rows {
		for j, x := range narrow.Row(i) {
			rows[i] = append(rows[i], float64(x))
			mean[j] += float64(x) / float64(n)
		}
	}
	constant := float64(T(c.Bias))
	for j := range mean {
		if mean[j] = float64(T(mean[j])); c.Raw {
			mean[j] = 0
		}
	}
	s := scratch{w: make([][]float64, d+1), lambda1: c.Lambda1, lambda2: c.Lambda2}
	// the row of the constant feature, and what is left for it of the offsets
	last, offset := make([]float64, k), make([]float64, k)
	factors := 0.0 // |U|_F |V|_F, at least
	for j := range d {
		s.w[j] = make([]float64, k)
		for l := range k {
			for q := range u.Cols {
				s.w[j][l] += float64(u.Row(j)[q]) * float64(v.Row(l)[q])
			}
			offset[l] -= mean[j] * s.w[j][l]
		}
	}
	for q := range u.Cols {
		factors += math.Sqrt(column(u, q) * column(v, q))
	}
	for l := range last {
		for q, c := range r.constant {
			last[l] += float64(c) * float64(v.Row(l)[q])
		}
		offset[l] += constant * last[l]
		factors += math.Abs(last[l])
	}
	long, weight, moved, loss, h := math.Abs(constant), 0.0, 0.0, 0.0, 0.0
	s.w[d] = last
	g := mat.NewDense(d+1, k, nil)
	for i, x := range rows {
		w := 1.0
		if p.Weights != nil {
			w = p.Weights[i]
		}
		scores := make([]float64, k)
		norm := constant * constant
		for j := range x {
			norm += x[j]*x[j] + mean[j]*mean[j]
			for l := range k {
				scores[l] += (x[j] - mean[j]) * s.w[j][l]
			}
		}
		long, weight = max(long, 2*math.Sqrt(norm)), weight+w/float64(n)
		most := math.Inf(-1)
		for l := range scores {
			scores[l] += constant * last[l]
			most = max(most, scores[l])
		}
		sum := 0.0
		for _, v := range scores {
			sum += math.Exp(v - most)
		}
		loss += w * (most + math.Log(sum) - scores[p.Y[i]]) / float64(n)
		if w == 0 {
			continue
		}
		a, rest := make([]float64, k), 0.0 // p_i, then A_i
		for l, v := range r.Duals.Row(i) {
			if l != p.Y[i] {
				a[l] = max(0, float64(v)/w)
				rest += a[l]
			}
		}
		for l := range a {
			a[l] /= max(1, rest)
		}
		a[p.Y[i]] = max(0, 1-rest)
		for _, v := range a {
			if v > 0 {
				h -= w * v * math.Log(v) / float64(n)
			}
		}
		a[p.Y[i]] = -min(1, rest)
		moved += w * min(1, rest) / float64(n)
		for l, v := range a {
			for j := range d {
				g.Set(j, l, g.At(j, l)+w*v*(x[j]-mean[j])/float64(n))
			}
			g.Set(d, l, g.At(d, l)+w*v*constant/float64(n))
		}
	}
	s.loss = loss
	penalty, square, apart, pulled := 0.0, 0.0, 0.0, 0.0
	full := mat.NewDense(d+1, k, nil)
	for j, row := range s.w {
		for l, v := range row {
			if j == d && constant == 0 {
				continue // an offset that stands for the mean alone: 0 up to rounding
			}
			full.Set(j, l, v)
			square += v * v
			w0 := 0.0
			if p.Prior.Rows > 0 {
				w0 = p.Prior.At(j, l)
				g.Set(j, l, g.At(j, l)-2*c.Lambda2*w0)
			}
			apart, pulled = apart+(v-w0)*(v-w0), pulled+w0*w0
		}
	}
	var svd mat.SVD
	svd.Factorize(full, mat.SVDNone)
	s.spectrum = svd.Values(nil)
	for _, v := range s.spectrum {
		penalty += c.Lambda1 * v
	}
	s.norm, s.primal = math.Sqrt(square), loss+penalty+c.Lambda2*apart
	h += c.Lambda2 * pulled
	svd.Factorize(g, mat.SVDNone)
	s.sigma = svd.Values(nil)

	unit := prove.Unit[T]()
	terms := float64(n + d + k + 8)
	off := (4*unit + 8*terms*tiny) * long // of a score, for |W| = 1
	for l, b := range r.Bias() {
		if !(math.Abs(float64(b)-offset[l]) <= off*factors+smallest[T]()) {
			t.Errorf("offset %v of class %d, want %v ± %g", b, l, offset[l], off*factors)
		}
	}
	s.inSpectrum = float64((d+1)*k)*smallest[T]() + (8*unit+16*terms*tiny)*float64(k)*factors
	square = (16*float64(k) + terms*float64(k)) * tiny * s.spectrum[0] * s.spectrum[0]
	for q, v := range s.spectrum {
		if s.inLength = append(s.inLength, 0); q < len(r.Spectrum) && square > 0 {
			s.inLength[q] = square / max(v, math.Sqrt(square))
		}
	}
	s.inPrimal = c.Lambda1*vec.Sum(s.inLength) + 2*off*factors*weight + 16*terms*tiny*(weight+loss) + c.Lambda1*float64(
		k)*s.inSpectrum + 2*c.Lambda2*(factors+math.Sqrt(pulled))*s.inSpectrum + 16*terms*tiny*c.Lambda2*(apart+pulled)

	inSigma := 2*off*moved + 16*terms*tiny*s.sigma[0]
	s.reach, s.inDual = 1, 16*terms*tiny*(weight+h)
	if c.Lambda1 > 0 { // values by way of their squares
		inSigma += 16 * terms * tiny * s.sigma[0] * s.sigma[0] / c.Lambda1
		s.inReach = inSigma / c.Lambda1
	}
	over := 0.0
	for _, v := range s.sigma {
		over += max(0, v-c.Lambda1) * max(0, v-c.Lambda1)
	}
	if c.Lambda2 > 0 {
		s.dual = h - over/(4*c.Lambda2)
		s.inDual += (math.Sqrt(over*float64(k))*inSigma/2 + float64(k)*inSigma*inSigma) / c.Lambda2
	} else {
		if s.sigma[0] > c.Lambda1 {
			s.reach = c.Lambda1 / s.sigma[0]
		}
		s.dual = h * s.reach // at least
		s.inDual += h * inSigma / c.Lambda1
	}
	return s
}

// smallest returns the least positive number of T.
func smallest[T vec.Float]() float64 {
	if prove.IsF32[T]() {
		return math.SmallestNonzeroFloat32
	}
	return math.SmallestNonzeroFloat64
}

// honest compares the certificate of r and its spectrum with what plain loops find.
func honest[T vec.Float](t testing.TB, name string, p Problem[T], c Config, r *Result[T]) scratch {
	t.Helper()
	if c.Lambda1 == 0 && c.Lambda2 == 0 {
		largest, err := p.LargestLambda1(c) // without a prior's part
		if err != nil {
			t.Fatal(err)
		}
		c.Lambda1 = max(largest/2000, 1e-100)
		c.Lambda2 = c.Lambda1 / 10
	}
	s := fromScratch(t, p, c, r)
	if off := math.Abs(s.primal - r.Certificate.Primal); !(off <= s.inPrimal) {
		t.Errorf("%s: primal %v, from scratch %v, off by %g, bound %g", name, r.Certificate.Primal, s.primal, off,
			s.inPrimal)
	}
	off := r.Certificate.Dual - s.dual
	// Else it may be of a certificate before, or of A = 0, whose value 0 is below A's where that may be rounding.
	if c.Lambda2 > 0 && r.Status == solvers.Converged && r.Certificate.Dual != 0 {
		off = math.Abs(off)
	}
	if !(off <= s.inDual) {
		t.Errorf("%s: dual %v, from scratch %v, off by %g, bound %g", name, r.Certificate.Dual, s.dual, off, s.inDual)
	}
	if c.Lambda2 == 0 && !(s.reach >= 1-(prove.Unit[T]()*4+s.inReach)) {
		t.Errorf("%s: dual variables out of their domain: singular value %v, Lambda1 %v", name, s.sigma[0], c.Lambda1)
	}
	for q, v := range s.spectrum {
		want := 0.0
		if q < len(r.Spectrum) {
			want = r.Spectrum[q]
		}
		if off, bound := math.Abs(v-want), s.inSpectrum+s.inLength[q]; !(off <= bound) {
			t.Errorf("%s: singular value %d of W is %v, Spectrum has %v, bound %g", name, q, v, want, bound)
		}
	}
	if n, _ := p.X.Dims(); n <= hostile.Most {
		exactly(t, p, c, r, s.inPrimal, s.inDual)
	}
	u, _ := r.Factors()
	if n, d := p.X.Dims(); r.Duals.Rows != n || u.Rows != d || u.Cols != max(1, len(r.Spectrum)) {
		t.Errorf("%s: factors of %d by %d, %d dual variables, %d singular values", name, u.Rows, u.Cols, r.Duals.Rows,
			len(r.Spectrum))
	}
	return s
}
