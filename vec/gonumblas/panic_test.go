package gonumblas_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// ownRoutines are the ones that Implementation has of its own, without the letter of their type.
var ownRoutines = []string{"dot", "nrm2", "asum", "axpy", "scal", "gemv", "ger", "symv", "syr", "syr2", "trmv", "trsv",
	"gemm", "symm", "syrk", "syr2k", "trmm", "trsm"}

// letterOf is the letter of a type that names of routines begin with.
func letterOf[T prove.Float]() string {
	return map[bool]string{true: "S", false: "D"}[prove.IsF32[T]()]
}

// TestPanics spoils each argument of each routine in turn: what gonum's routine panics with, ours must panic with, and
// where that does not panic ours must not either.
func TestPanics(t *testing.T) { prove.Both(t, panics[float32], panics[float64]) }

func panics[T prove.Float](t *testing.T) {
	const n = 5
	letter, seen := letterOf[T](), 0
	for _, name := range ownRoutines {
		method := reflect.ValueOf(gonum.Implementation{}).MethodByName(letter + name).Type()
		sound := func() []any {
			var args []any
			for i := range method.NumIn() {
				args = append(args, soundArgument[T](name, i, method.In(i), n))
			}
			return args
		}
		for i := range method.NumIn() {
			for _, bad := range badArguments[T](sound()[i]) {
				args, same := sound(), sound()
				args[i], same[i] = bad, bad
				_, want := invoke(gonum.Implementation{}, letter+name, args)
				_, got := invoke(gonumblas.Implementation{}, letter+name, same)
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s%s with argument %d = %v: panic %v, want %v", letter, name, i, bad, got, want)
				}
				if want != nil {
					seen++
				}
			}
		}
		if _, fault := invoke(gonumblas.Implementation{}, letter+name, sound()); fault != nil {
			t.Errorf("%s%s: %v", letter, name, fault)
		}
	}
	if seen < 200 {
		t.Errorf("only %d calls panicked", seen)
	}
}

// soundArgument is argument i of a routine on vectors of n and matrices of n by n, without room to spare.
func soundArgument[T prove.Float](name string, i int, typ reflect.Type, n int) any {
	switch reflect.Zero(typ).Interface().(type) {
	case blas.Transpose:
		return blas.NoTrans
	case blas.Uplo:
		return blas.Upper
	case blas.Diag:
		return blas.NonUnit
	case blas.Side:
		return blas.Left
	case T:
		return T(2)
	case []T:
		x := make([]T, n*n)
		for i := range x {
			x[i] = 1
		}
		return x
	case int:
		if isIncrement(name, i) {
			return 1
		}
		return n
	}
	panic(typ)
}

// isIncrement reports whether argument i of a routine is the distance of a vector's elements.
func isIncrement(name string, i int) bool {
	at := map[string][]int{"dot": {2, 4}, "nrm2": {2}, "asum": {2}, "axpy": {3, 5}, "scal": {3}, "gemv": {7, 10},
		"ger":  {4, 6},
		"symv": {6, 9}, "syr": {4}, "syr2": {4, 6}, "trmv": {7}, "trsv": {7}}
	for _, j := range at[name] {
		if i == j {
			return true
		}
	}
	return false
}

func badArguments[T prove.Float](sound any) (bad []any) {
	switch sound := sound.(type) {
	case blas.Transpose:
		return []any{blas.Transpose('x'), blas.Transpose(0)}
	case blas.Uplo:
		return []any{blas.Uplo('x'), blas.All}
	case blas.Diag:
		return []any{blas.Diag('x'), blas.Diag(0)}
	case blas.Side:
		return []any{blas.Side('x'), blas.Side(0)}
	case T:
		return []any{T(0), T(1)}
	case int:
		// Numbers whose products overflow make gonum's own checks pass, and its indices fail.
		return []any{-1, 0, 1, 2, sound - 1, sound + 1, 3 * sound, 1 << 20}
	case []T:
		for _, n := range []int{0, 1, 4, 5, 24} {
			bad = append(bad, sound[:n:n])
		}
		return append(bad, []T(nil))
	}
	panic(sound)
}
