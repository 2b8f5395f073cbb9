package gonumblas_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/mat"
)

// TestSteps: the routines give the committed bits: a shift, an order or a size that moves by a rounding is seen here.
func TestSteps(t *testing.T) {
	prove.Steps(t, "testdata/steps.txt", func(add func(name string, h hash.Hash)) {
		for _, name := range ownRoutines {
			call[float32](t, name, add)
			call[float64](t, name, add)
		}
		eigenvalues(t, add)
		singularValues(t, add)
		conditions(add)
	})
}

// call calls a routine with each choice of its flags, on some sizes.
func call[T prove.Float](t *testing.T, name string, add func(name string, h hash.Hash)) {
	letter := letterOf[T]()
	method := reflect.ValueOf(gonumblas.Implementation{}).MethodByName(letter + name).Type()
	h, rng := sha256.New(), rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{1, 2, 3, 8, 17, 40, 70} {
		for choice, more := 0, true; more; choice++ {
			args, rest, dims := make([]any, method.NumIn()), choice, 0
			pick := func(values ...any) any {
				v := values[rest%len(values)]
				rest /= len(values)
				return v
			}
			for i := range args {
				switch reflect.Zero(method.In(i)).Interface().(type) {
				case blas.Transpose:
					args[i] = pick(blas.NoTrans, blas.Trans)
				case blas.Uplo:
					args[i] = pick(blas.Upper, blas.Lower)
				case blas.Diag:
					args[i] = pick(blas.NonUnit, blas.Unit)
				case blas.Side:
					args[i] = pick(blas.Left, blas.Right)
				case T:
					args[i] = pick(T(.7), T(0), T(1))
				case []T:
					x := make([]T, (n+1)*(n+1))
					for k := range x {
						if x[k] = T(rng.NormFloat64()); k%(n+2) == 0 {
							x[k] += T(n)
						}
					}
					args[i] = x
				case int:
					switch {
					case isIncrement(name, i):
						args[i] = pick(1, 2)
					case i > 0 && method.In(i-1).Kind() == reflect.Slice:
						args[i] = n + 1
					default:
						args[i] = max(1, n-dims)
						dims++
					}
				}
			}
			result, fault := invoke(gonumblas.Implementation{}, letter+name, args)
			fmt.Fprintln(h, result, fault)
			for _, a := range args {
				if x, ok := a.([]T); ok {
					if err := binary.Write(h, binary.LittleEndian, x); err != nil {
						t.Fatal(err)
					}
				}
			}
			more = rest == 0
		}
	}
	add(letter+name, h)
}

// eigenvalues decomposes symmetric matrices, by either triangle, with vectors and without.
func eigenvalues(t *testing.T, add func(name string, h hash.Hash)) {
	var l gonumblas.Lapack
	for _, n := range []int{16, 33, 70} {
		for _, name := range sorted(matrices(n, n)) {
			if name == "tiny" || name == "huge" { // these are gonum's, which fails to scale them
				continue
			}
			h := sha256.New()
			for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
				for _, job := range []lapack.EVJob{lapack.EVNone, lapack.EVCompute} {
					x := mat.DenseCopyOf(matrices(n, n)[name]).RawMatrix()
					values, room := make([]float64, n), []float64{0}
					l.Dsyev(job, uplo, n, x.Data, x.Stride, values, room, -1)
					ok := l.Dsyev(job, uplo, n, x.Data, x.Stride, values, make([]float64, int(room[0])), int(room[0]))
					fmt.Fprintln(h, ok, room, values, x.Data)
				}
			}
			add(fmt.Sprintf("eigenvalues, %s, %d", name, n), h)
		}
	}
}

// singularValues decomposes matrices of each shape, with vectors and without.
func singularValues(t *testing.T, add func(name string, h hash.Hash)) {
	use(t)
	for _, size := range [][2]int{{5, 5}, {17, 23}, {23, 17}, {40, 17}, {17, 90}, {70, 70}} {
		for _, name := range sorted(matrices(size[0], size[1])) {
			h := sha256.New()
			for _, kind := range []mat.SVDKind{mat.SVDNone, mat.SVDThin, mat.SVDFull, mat.SVDThinU, mat.SVDThinV} {
				var svd mat.SVD
				ok := svd.Factorize(matrices(size[0], size[1])[name], kind)
				fmt.Fprintln(h, ok)
				if !ok {
					continue
				}
				fmt.Fprintln(h, svd.Values(nil))
				var u, v mat.Dense
				if kind&(mat.SVDThinU|mat.SVDFullU) != 0 {
					svd.UTo(&u)
				}
				if kind&(mat.SVDThinV|mat.SVDFullV) != 0 {
					svd.VTo(&v)
				}
				fmt.Fprintln(h, u.RawMatrix(), v.RawMatrix())
			}
			add(fmt.Sprintf("singular values, %s, %v", name, size), h)
		}
	}
}

// conditions estimates condition numbers of factors.
func conditions(add func(name string, h hash.Hash)) {
	var l gonumblas.Lapack
	for _, n := range []int{1, 5, 17, 70} {
		for _, name := range sorted(matrices(n, n)) {
			h, x := sha256.New(), matrices(n, n)[name].RawMatrix()
			for i := range n {
				x.Data[i*x.Stride+i] += float64(n)
			}
			numbers, places := make([]float64, 4*n), make([]int, n)
			for _, norm := range []lapack.MatrixNorm{lapack.MaxColumnSum, lapack.MaxRowSum} {
				for _, uplo := range []blas.Uplo{blas.Upper, blas.Lower} {
					for _, diag := range []blas.Diag{blas.NonUnit, blas.Unit} {
						fmt.Fprintln(h, l.Dtrcon(norm, uplo, diag, n, x.Data, x.Stride, numbers, places))
					}
					fmt.Fprintln(h, l.Dpocon(uplo, n, x.Data, x.Stride, 3, numbers, places))
				}
				fmt.Fprintln(h, l.Dgecon(norm, n, x.Data, x.Stride, 3, numbers, places))
			}
			add(fmt.Sprintf("conditions, %s, %d", name, n), h)
		}
	}
}

// sorted are the names of matrices.
func sorted(all map[string]*mat.Dense) []string { return slices.Sorted(maps.Keys(all)) }
