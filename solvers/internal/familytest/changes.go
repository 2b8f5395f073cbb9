package familytest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"math"
	"reflect"
	"testing"

	"github.com/dualgap/dualgap/solvers/internal/statetest"
)

// Changes returns the digest of what becomes of a training with one number of its Problem or its Config another one, or
// one part missing: with what error it is refused, or what it tells until its context ends, soon. Start, where there is
// none, is a result of the same problem.
func Changes[P Problem[C, R], C, R any](t testing.TB, p P, c C) hash.Hash {
	t.Helper()
	h, refused := sha256.New(), 0
	run := func(what string, p P, c C) R {
		r, err := p.Fit(statetest.Soon(40), With(c, "Progress", Noted(h)))
		fmt.Fprintln(h, what, err)
		if err != nil && !errors.Is(err, context.Canceled) {
			refused++
		} else {
			fmt.Fprintln(h, Bits(t, r))
		}
		return r
	}
	r := run("as it is", p, c)
	start := reflect.ValueOf(&p).Elem().FieldByName("Start")
	if start.IsNil() {
		start.Set(reflect.ValueOf(r))
		for what, v := range others(start) {
			start.Set(v)
			run("start, "+what, p, c)
		}
		start.SetZero()
	}
	for what, v := range others(reflect.ValueOf(p)) {
		run("problem, "+what, v.Interface().(P), c)
	}
	for what, v := range others(reflect.ValueOf(c)) {
		run("config, "+what, p, v.Interface().(C))
	}
	if refused == 0 {
		t.Error("all are taken")
	}
	return h
}

// Each calls run with c, and with copies of c with one thing in it another: see others.
func Each[C any](c C, run func(what string, c C)) {
	run("as it is", c)
	for what, v := range others(reflect.ValueOf(c)) {
		run(what, v.Interface().(C))
	}
}

// others yields copies of v with one thing in it another, and what that is: a number, or that a part is missing or too
// long. Of slices it is the first or the last element.
func others(v reflect.Value) func(yield func(string, reflect.Value) bool) {
	return func(yield func(string, reflect.Value) bool) {
		switch v.Kind() {
		case reflect.Int:
			for _, n := range []int64{-1, 0, 1, 2, 3, 7, 1 << 50, math.MaxInt64} {
				if !yield(fmt.Sprint(n), reflect.ValueOf(n).Convert(v.Type())) {
					return
				}
			}
		case reflect.Float32, reflect.Float64:
			for _, n := range []float64{-1, 0, .3, 1, 2, 1e-300, 1e-30, 1e30, 1e300, math.Inf(1), math.NaN()} {
				if !yield(fmt.Sprint(n), reflect.ValueOf(n).Convert(v.Type())) {
					return
				}
			}
		case reflect.Bool:
			yield("other", reflect.ValueOf(!v.Bool()).Convert(v.Type()))
		case reflect.Slice:
			ofSlice(v, yield)
		case reflect.Struct:
			ofStruct(v, yield)
		case reflect.Interface, reflect.Pointer:
			if v.IsNil() {
				return
			}
			if v.Kind() == reflect.Pointer && !yield("nil", reflect.Zero(v.Type())) {
				return
			}
			for what, in := range others(v.Elem()) {
				if v.Kind() == reflect.Pointer {
					to := reflect.New(v.Type().Elem())
					to.Elem().Set(in)
					in = to
				}
				if !yield(what, in) {
					return
				}
			}
		}
	}
}

// ofSlice is others of a slice.
func ofSlice(v reflect.Value, yield func(string, reflect.Value) bool) {
	n := v.Len()
	if n == 0 {
		return
	}
	if !yield("none", reflect.Zero(v.Type())) || !yield("fewer", v.Slice(0, n-1)) ||
		!yield("more", reflect.Append(v.Slice3(0, n, n), v.Index(0))) {
		return
	}
	for _, at := range []int{0, n - 1} {
		for what, element := range others(v.Index(at)) {
			changed := reflect.MakeSlice(v.Type(), n, n)
			reflect.Copy(changed, v)
			changed.Index(at).Set(element)
			if !yield(fmt.Sprintf("%d %s", at, what), changed) {
				return
			}
		}
	}
}

// ofStruct is others of a struct, but for what only tells where states go, and how many goroutines there are.
func ofStruct(v reflect.Value, yield func(string, reflect.Value) bool) {
	for k := range v.NumField() {
		f := v.Type().Field(k)
		switch f.Name {
		case "Progress", "Checkpoint", "Workers", "Model", "Outcome":
			continue
		}
		if !f.IsExported() {
			continue
		}
		for what, value := range others(v.Field(k)) {
			changed := reflect.New(v.Type()).Elem()
			changed.Set(v)
			changed.Field(k).Set(value)
			if !yield(f.Name+" "+what, changed) {
				return
			}
		}
	}
}
