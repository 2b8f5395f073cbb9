package gonumblas_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/dualgap/dualgap/asm/cpu"
	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/mat"
)

// backward is the error that a stable decomposition of a matrix whose larger side is n may make, relative to its norm:
// some n operations, each of which rounds, on every element.
func backward(n int) float64 { return 8 * float64(n) * prove.Unit[float64]() }

// matrices are what decompositions find hard: equal values, zero values, values over many decades, numbers near the
// ends of what a float64 holds, matrices that need no work.
func matrices(m, n int) map[string]*mat.Dense {
	d := draw{prove.Rand(uint64(m*1000 + n)), nil}
	random := mat.NewDense(m, n, d.matrix(m, n, n))
	made := map[string]*mat.Dense{"random": random, "zero": mat.NewDense(m, n, nil)}
	fill := func(name string, f func(i, j int, v float64) float64) {
		var a mat.Dense
		a.Apply(f, random)
		made[name] = &a
	}
	fill("identity", func(i, j int, _ float64) float64 {
		if i == j {
			return 1
		}
		return 0
	})
	fill("rank one", func(i, j int, _ float64) float64 { return float64(i+1) * float64(j-3) })
	fill("zero rows", func(i, j int, v float64) float64 { return v * float64(i%2) })
	fill("zero columns", func(i, j int, v float64) float64 { return v * float64(j%3) })
	fill("graded", func(i, j int, v float64) float64 { return v * math.Pow(10, -float64(i+j)/4) })
	fill("graded upwards", func(i, j int, v float64) float64 { return v * math.Pow(10, float64(i+j)/4) })
	fill("tiny", func(i, j int, v float64) float64 { return v * 1e-160 })
	fill("huge", func(i, j int, v float64) float64 { return v * 1e160 })
	fill("bidiagonal", func(i, j int, v float64) float64 {
		if j == i || j == i+1 {
			return v * math.Pow(10, -float64(i%7))
		}
		return 0
	})
	fill("ones", func(i, j int, v float64) float64 { return 1 })
	return made
}

// TestSVD: U S Vᵀ is A, U and V are orthogonal, S is in order, for every shape and every choice of vectors.
func TestSVD(t *testing.T) {
	use(t)
	prove.Tiers(func(tier cpu.Tier) {
		for _, size := range [][2]int{{5, 5}, {16, 16}, {17, 23}, {23, 17}, {40, 17}, {17, 40}, {70, 70}, {90, 33},
			{33, 90}} {
			if testing.Short() && size[0]*size[1] > 2000 {
				continue
			}
			for name, a := range matrices(size[0], size[1]) {
				for _, kind := range []mat.SVDKind{mat.SVDThin, mat.SVDFull, mat.SVDThinU, mat.SVDFullV} {
					if err := checkSVD(a, kind); err != nil {
						t.Errorf("%v: %s %dx%d, kind %d: %v", tier, name, size[0], size[1], kind, err)
					}
				}
			}
		}
	})
}

func checkSVD(a *mat.Dense, kind mat.SVDKind) error {
	m, n := a.Dims()
	var d mat.SVD
	if !d.Factorize(a, kind) {
		return fmt.Errorf("no convergence")
	}
	norm, limit := mat.Norm(a, 2), backward(max(m, n))
	s := d.Values(nil)
	for i, v := range s {
		if !(v >= 0) || i > 0 && v > s[i-1] {
			return fmt.Errorf("singular value %d is %v after %v", i, v, s[max(i-1, 0)])
		}
	}
	var alone mat.SVD
	gonumAlone()
	alone.Factorize(a, mat.SVDNone)
	gonumblas.Use()
	for i, want := range alone.Values(nil) {
		if !(math.Abs(s[i]-want) <= limit*norm) {
			return fmt.Errorf("singular value %d is %v, want %v", i, s[i], want)
		}
	}
	var u, v mat.Dense
	if kind&(mat.SVDThinU|mat.SVDFullU) != 0 {
		d.UTo(&u)
		if err := orthogonal(&u, limit); err != nil {
			return fmt.Errorf("U: %w", err)
		}
	}
	if kind&(mat.SVDThinV|mat.SVDFullV) != 0 {
		d.VTo(&v)
		if err := orthogonal(&v, limit); err != nil {
			return fmt.Errorf("V: %w", err)
		}
	}
	if u.IsEmpty() || v.IsEmpty() {
		return nil
	}
	k := len(s)
	return same(a, limit*norm, func(got *mat.Dense) {
		var us mat.Dense
		us.Apply(func(i, j int, x float64) float64 { return x * s[j] }, u.Slice(0, m, 0, k))
		got.Mul(&us, v.Slice(0, n, 0, k).T())
	})
}

// orthogonal reports columns that are not orthonormal.
func orthogonal(q *mat.Dense, limit float64) error {
	_, n := q.Dims()
	identity := mat.NewDense(n, n, nil)
	for i := range n {
		identity.Set(i, i, 1)
	}
	return same(identity, limit, func(product *mat.Dense) { product.Mul(q.T(), q) })
}

// same compares in the Frobenius norm.
func same(want *mat.Dense, limit float64, compute func(got *mat.Dense)) error {
	var got mat.Dense
	compute(&got)
	got.Sub(&got, want)
	if off := mat.Norm(&got, 2); !(off <= limit) {
		return fmt.Errorf("the product is off by %.3g, more than %.3g", off, limit)
	}
	return nil
}

// TestSmallSingularValues: the singular values of a bidiagonal matrix are right to many digits, however small, as
// gonum's quotient-difference algorithm are, which finds no vectors.
func TestSmallSingularValues(t *testing.T) {
	use(t)
	for _, step := range []float64{-1, -0.3, 0.3, 1} {
		const n = 40
		a, r := mat.NewDense(n, n, nil), prove.Rand(7)
		for i := range n {
			a.Set(i, i, (1+r.Float64())*math.Pow(10, step*float64(i)))
			if i+1 < n {
				a.Set(i, i+1, (1+r.Float64())*math.Pow(10, step*float64(i)))
			}
		}
		var d, alone mat.SVD
		if !d.Factorize(a, mat.SVDThin) || !alone.Factorize(a, mat.SVDNone) {
			t.Fatal("no convergence")
		}
		s := d.Values(nil)
		for i, want := range alone.Values(nil) {
			if !(math.Abs(s[i]-want) <= 100*n*prove.Unit[float64]()*want) {
				t.Errorf("step %v: singular value %d is %v, want %v", step, i, s[i], want)
			}
		}
	}
}

// TestEigenSym: Q D Qᵀ is A, Q is orthogonal, D is in order.
func TestEigenSym(t *testing.T) {
	use(t)
	prove.Tiers(func(tier cpu.Tier) {
		for _, n := range []int{5, 16, 17, 32, 33, 34, 65, 70} { // with panels of 32 reflectors
			if testing.Short() && n > 40 {
				continue
			}
			for name, a := range matrices(n, n) {
				if name == "tiny" || name == "huge" {
					continue // gonum v0.17.0 fails to scale what Dsterf is to work on
				}
				sym := mat.NewSymDense(n, nil)
				for i := range n {
					for j := i; j < n; j++ {
						sym.SetSym(i, j, a.At(i, j))
					}
				}
				if err := checkEigen(sym); err != nil {
					t.Errorf("%v: %s of %d: %v", tier, name, n, err)
				}
			}
		}
	})
}

func checkEigen(sym *mat.SymDense) error {
	var d, alone mat.EigenSym
	if !d.Factorize(sym, true) || !alone.Factorize(sym, false) {
		return fmt.Errorf("no convergence")
	}
	var q, a mat.Dense
	a.CloneFrom(sym)
	n := sym.SymmetricDim()
	norm, limit := mat.Norm(&a, 2), backward(n)
	values := d.Values(nil)
	for i, want := range alone.Values(nil) {
		if i > 0 && !(values[i] >= values[i-1]) || !(math.Abs(values[i]-want) <= limit*norm) {
			return fmt.Errorf("eigenvalue %d is %v after %v, want %v", i, values[i], values[max(i-1, 0)], want)
		}
	}
	d.VectorsTo(&q)
	if err := orthogonal(&q, limit); err != nil {
		return fmt.Errorf("vectors: %w", err)
	}
	return same(&a, limit*norm, func(got *mat.Dense) {
		var qd mat.Dense
		qd.Apply(func(i, j int, x float64) float64 { return x * values[j] }, &q)
		got.Mul(&qd, q.T())
	})
}

// TestNotFinite: what holds NaN or infinities goes to gonum, which returns something, or panics, but not nothing for
// ever.
func TestNotFinite(t *testing.T) {
	use(t)
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		a := matrices(20, 20)["random"]
		a.Set(3, 4, bad)
		func() {
			defer func() { t.Log(recover()) }()
			var d mat.SVD
			t.Log(d.Factorize(a, mat.SVDThin))
		}()
	}
}

// TestSVDAtEnds: numbers so small or so large that what is negligible beside 1 would be most of them, or their squares
// leave the range, are scaled.
func TestSVDAtEnds(t *testing.T) {
	use(t)
	for _, size := range [][2]int{{20, 20}, {40, 17}, {17, 40}} {
		for _, by := range []float64{1e-306, 1e306} {
			var a mat.Dense
			a.Scale(by, matrices(size[0], size[1])["random"])
			if err := checkSVD(&a, mat.SVDThin); err != nil {
				t.Errorf("%v times %v: %v", size, by, err)
			}
		}
	}
}
