package solvers_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"testing"

	"github.com/dualgap/dualgap/solvers"
	"github.com/dualgap/dualgap/solvers/internal/familytest"
	"github.com/dualgap/dualgap/solvers/kernel"
	"github.com/dualgap/dualgap/solvers/kernel/bundle"
	"github.com/dualgap/dualgap/solvers/l1"
	"github.com/dualgap/dualgap/solvers/m3l"
	"github.com/dualgap/dualgap/solvers/mkl"
	"github.com/dualgap/dualgap/solvers/svm"
	"github.com/dualgap/dualgap/solvers/topk"
	"github.com/dualgap/dualgap/solvers/toprank"
	"github.com/dualgap/dualgap/solvers/tracenorm"
)

// TestDefaults: a field of a Config whose comment tells of a number as its default has that number where it is 0: the
// training, by its settings, its steps and its model, is the same.
func TestDefaults(t *testing.T) {
	x, y := digestData[float64]()
	two, positive := make([]int, len(y)), make([]bool, len(y))
	for i, c := range y {
		two[i], positive[i] = c/2, c == 0
	}
	b := must(bundle.New(1<<20, bundle.Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .125}}}))
	ctx := context.Background()
	for _, f := range []struct {
		family string
		config any
		fit    func(c any) (any, error)
	}{
		{"topk", topk.Config{Lambda: .01}, func(c any) (any, error) {
			return topk.Problem[float64]{X: x, Y: y}.Fit(ctx, c.(topk.Config))
		}},
		{"m3l", m3l.Config{}, func(c any) (any, error) {
			return m3l.Problem[float64]{X: x, Y: y}.Fit(ctx, c.(m3l.Config))
		}},
		{"svm", svm.Config{}, func(c any) (any, error) {
			return svm.Problem[float64]{X: x, Y: two}.Fit(ctx, c.(svm.Config))
		}},
		{"svm", svm.Config{}, func(c any) (any, error) {
			return svm.Problem[float64]{X: x, OneClass: true}.Fit(ctx, c.(svm.Config))
		}},
		{"toprank", toprank.Config{}, func(c any) (any, error) {
			return toprank.Problem[float64]{X: x, Positive: positive}.Fit(ctx, c.(toprank.Config))
		}},
		{"toprank", toprank.Config{Method: toprank.PatMat}, func(c any) (any, error) {
			return toprank.Problem[float64]{X: x, Positive: positive}.Fit(ctx, c.(toprank.Config))
		}},
		{"tracenorm", tracenorm.Config{}, func(c any) (any, error) {
			return tracenorm.Problem[float64]{X: x, Y: y}.Fit(ctx, c.(tracenorm.Config))
		}},
		{"l1", l1.Config{}, func(c any) (any, error) {
			return l1.Problem[float64]{X: x, Y: y}.Fit(ctx, c.(l1.Config))
		}},
		{"mkl", mkl.Config{}, func(c any) (any, error) {
			return mkl.Problem[float64]{Bundle: b, Y: y}.Fit(ctx, c.(mkl.Config))
		}},
	} {
		v := reflect.New(reflect.TypeOf(f.config)).Elem()
		v.Set(reflect.ValueOf(f.config))
		v.FieldByName("Workers").SetInt(1)
		want := familytest.Bits(t, must(f.fit(v.Interface())))
		same := 0
		for field, value := range told(t, f.family) {
			if v := v.FieldByName(field); v.CanInt() {
				v.SetInt(int64(value))
			} else {
				v.SetFloat(value)
			}
			if got, err := f.fit(v.Interface()); err != nil { // not a field for this problem
				same--
			} else if bits := familytest.Bits(t, got); bits != want {
				t.Errorf("%s: %s, with %s = %v, its default, %s", f.family, want, field, value, bits)
			}
			v.FieldByName(field).SetZero()
			same++
		}
		if same < 2 {
			t.Errorf("%s: %d defaults", f.family, same)
		}
	}
}

// told returns the defaults that the comments of a Config's fields tell, where they are numbers.
func told(t *testing.T, family string) map[string]float64 {
	file, err := parser.ParseFile(token.NewFileSet(), family+"/config.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	all, number := map[string]float64{}, regexp.MustCompile(`default: (\.?\d[\de.-]*)(\n|,|;|$)`)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Config" {
			return true
		}
		for _, f := range spec.Type.(*ast.StructType).Fields.List {
			value := number.FindStringSubmatch(f.Doc.Text() + f.Comment.Text())
			if value == nil {
				continue
			}
			for _, name := range f.Names {
				if all[name.Name], err = strconv.ParseFloat(value[1], 64); err != nil {
					t.Fatal(err)
				}
			}
		}
		return false
	})
	return all
}

// TestDefaultGrids: the points of a path are those that the comments of a PathConfig tell, where it names none.
func TestDefaultGrids(t *testing.T) {
	x, y := digestData[float64]()
	sets, positive, two := make([][]int, len(y)), make([]bool, len(y)), make([]int, len(y))
	for i, c := range y {
		sets[i], positive[i], two[i] = []int{c}, c == 0, c/2
	}
	b := must(bundle.New(1<<20, bundle.Group[float64]{X: x, Kernels: []kernel.Kernel{kernel.Gaussian{Gamma: .125}}}))
	ctx, decades := context.Background(), []float64{1e-3, 1e-2, 1e-1, 1, 10, 100}
	check := func(family, field string, points any, want []float64) {
		t.Helper()
		v := reflect.ValueOf(points)
		if v.Len() != len(want) {
			t.Fatalf("%s: %d points, want %d", family, v.Len(), len(want))
		}
		for k, want := range want {
			if got := v.Index(k).FieldByName(field).Float(); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: %s of point %d is %v, want %v", family, field, k, got, want)
			}
		}
	}
	lambdas := make([]float64, 6)
	for k, c := range decades {
		lambdas[k] = 1 / (c * float64(len(y)))
	}
	check("topk", "Lambda", must(topk.Problem[float64]{X: x, Y: y}.PathFold(ctx, topk.Config{Tol: .1},
		topk.PathConfig{}, solvers.AllRows)), lambdas)
	check("m3l", "C", must(m3l.Problem[float64]{X: x, Sets: sets}.PathFold(ctx, m3l.Config{Tol: .1},
		m3l.PathConfig{}, solvers.AllRows)), decades)
	check("svm", "C", must(svm.Problem[float64]{X: x, Y: two}.PathFold(ctx, svm.Config{Tol: .1}, svm.PathConfig{},
		solvers.AllRows)), decades)
	check("toprank", "C", must(toprank.Problem[float64]{X: x, Positive: positive}.PathFold(ctx,
		toprank.Config{Tol: .1}, toprank.PathConfig{}, solvers.AllRows)), decades[1:])
	check("mkl", "C", must(mkl.Problem[float64]{Bundle: b, Y: y}.PathFold(ctx, mkl.Config{Tol: .1},
		mkl.PathConfig{}, solvers.AllRows)), []float64{1, 10, 100, 1000})

	thin := l1.Problem[float64]{X: x, Y: y}
	least := 2 * must(thin.LargestC(l1.Config{}))
	var costs []float64
	for k := range 7 {
		costs = append(costs, least*math.Pow(1000, float64(k)/6))
	}
	check("l1", "C", must(thin.PathFold(ctx, l1.Config{Tol: .1}, l1.PathConfig{}, solvers.AllRows)), costs)

	low := tracenorm.Problem[float64]{X: x, Y: y}
	most := must(low.LargestLambda1(tracenorm.Config{}))
	var firsts, seconds []float64
	for k := range 5 {
		first := most / 2 * math.Pow(1000, -float64(k)/4)
		firsts = append(firsts, first, first, first)
	}
	median := firsts[6]
	for k := range 5 { // to and fro
		seconds = append(seconds, median*math.Pow(100, -float64(k%2)), median/10, median*math.Pow(100, float64(k%2)-1))
	}
	points := must(low.PathFold(ctx, tracenorm.Config{Tol: .1}, tracenorm.PathConfig{}, solvers.AllRows))
	check("tracenorm", "Lambda1", points, firsts)
	check("tracenorm", "Lambda2", points, seconds)
}
