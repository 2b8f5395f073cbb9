package gonumblas_test

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
	"github.com/dualgap/dualgap/vec/gonumblas"
	"gonum.org/v1/gonum/blas/gonum"
)

// shadow stands in for gonum's float64 routines. Each call is answered by them, and repeated by ours in float64 and,
// the numbers rounded, in float32: what they write may differ by what summing in another order can change, and they
// must panic with the same words. So every suite for a BLAS in float64 tests both.
type shadow struct{ t *testing.T }

// check calls a routine, named without its letter for the type, in which each result is a sum of that many terms.
func (s shadow) check(terms int, name string, args ...any) any {
	s.t.Helper()
	got := shadowOne[float32](s.t, 'S', terms, name, args)
	if got == nil {
		got = shadowOne[float64](s.t, 'D', terms, name, args)
	}
	if got != nil {
		s.t.Errorf("%c%s%s: %v", "SD"[0], name, describe(args), got)
	}
	res, fault := invoke(gonum.Implementation{}, "D"+name, args)
	if fault != nil {
		panic(fault)
	}
	return res
}

func shadowOne[T prove.Float](t *testing.T, letter byte, terms int, name string, args []any) error {
	ours, before := convert[T](args, false), convert[T](args, false)
	want, sizes := convert[float64](convert[T](args, false), false), convert[float64](convert[T](args, false), true)
	got, fault := invoke(gonumblas.Implementation{}, string(letter)+name, ours)
	if name == "ger" && fault == nil {
		straighten(want)
		straighten(sizes)
	}
	wantResult, wantFault := invoke(gonum.Implementation{}, "D"+name, want)
	if fmt.Sprint(fault) != fmt.Sprint(wantFault) {
		return fmt.Errorf("panic %v, want %v", fault, wantFault)
	}
	if fault != nil {
		return nil
	}
	sizeResult, _ := invoke(gonum.Implementation{}, "D"+name, sizes)
	if got != nil {
		return compare(terms, []T{got.(T)}, []T{0}, []float64{wantResult.(float64)}, []float64{sizeResult.(float64)})
	}
	last := lastSlice[T](ours)
	for i := range ours {
		if x, ok := ours[i].([]T); ok && i != last {
			if err := unchanged(x, before[i].([]T)); err != nil {
				return fmt.Errorf("argument %d, which is only read: %v", i, err)
			}
		}
	}
	out, old := ours[last].([]T), before[last].([]T)
	if name == "trsv" || name == "trsm" {
		want[last], sizes[last] = convert[float64]([]any{out}, false)[0], convert[float64]([]any{out}, true)[0]
		return residual(terms, name, want, sizes, old, last)
	}
	return compare(terms, out, old, want[last].([]float64), sizes[last].([]float64))
}

// invoke calls a method and returns its result or what it panicked with. Slices change in place.
func invoke(impl any, name string, args []any) (result, fault any) {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	defer func() { fault = recover() }()
	if out := reflect.ValueOf(impl).MethodByName(name).Call(in); len(out) == 1 {
		result = out[0].Interface()
	}
	return result, nil
}

// convert copies arguments, with numbers rounded to To or, for sizes, their absolute values.
func convert[To prove.Float](args []any, sizes bool) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case float64:
			out[i] = number[To](a, sizes)
		case float32:
			out[i] = number[To](float64(a), sizes)
		case []float64:
			out[i] = numbers[To](a, sizes)
		case []float32:
			out[i] = numbers[To](a, sizes)
		default:
			out[i] = a
		}
	}
	return out
}

func numbers[To, From prove.Float](x []From, sizes bool) []To {
	y := make([]To, len(x), cap(x))
	for i, v := range x {
		y[i] = number[To](float64(v), sizes)
	}
	return y
}

func number[To prove.Float](v float64, sizes bool) To {
	if sizes {
		v = math.Abs(v)
	}
	return To(v)
}

// straighten gives ger vectors without strides: with negative ones gonum v0.17.0 reads beside them on amd64.
func straighten(args []any) {
	for i, n := range []int{args[0].(int), args[1].(int)} {
		x, inc := args[3+2*i].([]float64), args[4+2*i].(int)
		if n == 0 {
			return
		}
		y := make([]float64, n)
		gonum.Implementation{}.Dcopy(n, x, inc, y, 1)
		args[3+2*i], args[4+2*i] = y, 1
	}
}

func lastSlice[T prove.Float](args []any) int {
	for i := len(args) - 1; ; i-- {
		if _, ok := args[i].([]T); ok {
			return i
		}
	}
}

func unchanged[T prove.Float](x, before []T) error {
	for i, v := range x {
		if prove.Bits(v) != prove.Bits(before[i]) {
			return fmt.Errorf("element %d is %v, was %v", i, v, before[i])
		}
	}
	return nil
}

// compare holds each element to the bound of a sum of that many terms, with their sum of sizes; what gonum's routine
// leaves as it was, such as gaps between rows, must be left alone.
func compare[T prove.Float](terms int, got, old []T, want, sizes []float64) error {
	for i, v := range got {
		switch bound := errorBound[T](terms, sizes[i]); {
		case want[i] != want[i]:
			sameBits := runtime.GOARCH == "riscv64" // where arithmetic gives all NaNs the same bits
			if v == v || old[i] != old[i] && prove.Bits(v) != prove.Bits(old[i]) && !sameBits {
				return fmt.Errorf("element %d is %v, was %v, want %v", i, v, old[i], want[i])
			}
		case math.IsInf(bound, 1) || bound != bound || sizes[i] > float64(prove.Max[T]())/2:
		case !(math.Abs(float64(v)-want[i]) <= bound):
			return fmt.Errorf("element %d is %v, want %v, off by %.3g, bound %.3g", i, v, want[i],
				math.Abs(float64(v)-want[i]), bound)
		}
	}
	return nil
}

// errorBound allows (terms+4)u of the sum of sizes, once for us and once, in float64, for gonum; 4 for the factors
// alpha and beta, and the denormal numbers that products may end in.
func errorBound[T prove.Float](terms int, size float64) float64 {
	return float64(terms+4) * ((prove.Unit[T]()+prove.Unit[float64]())*size + float64(prove.Tiny[T]()))
}

// residual checks a solution by what it was a solution of: |op(A) X - alpha B| <= (n+4)u (|op(A)| |X| + |alpha B|), a
// bound on the backward error of substitution in any order.
func residual[T prove.Float](terms int, name string, product, sizes []any, old []T, last int) error {
	alpha := 1.0
	for i, a := range product {
		if v, ok := a.(float64); ok {
			alpha, product[i], sizes[i] = v, 1.0, 1.0
		}
	}
	if alpha == 0 {
		return nil
	}
	solution := slices.Clone(product[last].([]float64))
	multiply := map[string]string{"trsv": "Dtrmv", "trsm": "Dtrmm"}[name]
	invoke(gonum.Implementation{}, multiply, product)
	invoke(gonum.Implementation{}, multiply, sizes)
	got, size := product[last].([]float64), sizes[last].([]float64)
	for i, b := range old {
		want := alpha * float64(b)
		if x := solution[i]; x == float64(b) && got[i] == x || b != b && x != x {
			continue // a gap
		}
		if bound := 2 * errorBound[T](terms, size[i]+math.Abs(want)); !(math.Abs(got[i]-want) <= bound) &&
			!math.IsInf(bound, 1) && bound == bound {
			return fmt.Errorf("element %d of op(A) X is %v, want %v, bound %.3g", i, got[i], want, bound)
		}
	}
	return nil
}

// describe leaves out the numbers.
func describe(args []any) string {
	var out []any
	for _, a := range args {
		switch a := a.(type) {
		case []float64:
			out = append(out, fmt.Sprintf("[%d]", len(a)))
		case fmt.Stringer, int, float64:
			out = append(out, a)
		default:
			out = append(out, fmt.Sprintf("%c", a))
		}
	}
	return fmt.Sprint(out)
}
