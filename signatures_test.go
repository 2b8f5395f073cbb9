package dualgap_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The rules for exported signatures: what a function writes comes first, as with copy; an argument named workers is an
// int and comes last. Functions of the BLAS have the order of the BLAS.

// blasOrder are the functions of vec with names, and so the order of arguments, of the BLAS.
var blasOrder = []string{
	"Axpy", "Axpy32", "Axpy64", "Gemm", "GemmWorkers", "Gemv", "GemvT", "Ger", "MixedAxpy", "MixedGemv", "MixedGemvT",
	"Syrk", "SyrkWorkers", "Scale", "SparseAxpy", "SparseGemvT", "SparseGer",
}

// writes says what a function writes that has no argument named dst. A function, other than a method, is to be here
// when it takes slices or matrices and returns nothing, or an error only: then it writes to one of them.
var writes = map[string][]string{
	"vec.ArgSort":                      {"idx"},
	"vec.ArgSortDescending":            {"idx"},
	"vec.FilterAbove":                  {"val", "idx"},
	"vec.Gram":                         {"c"},
	"vec.GramWorkers":                  {"c"},
	"vec.NthElement":                   {"x"},
	"vec.PartialSort":                  {"x"},
	"vec.SoftmaxRows":                  {"a"},
	"vec.Sort":                         {"x"},
	"vec.SortDescending":               {"x"},
	"vec.SortPairs":                    {"keys", "payload"},
	"vec.SortPairsDescending":          {"keys", "payload"},
	"vec.TopK":                         {"values", "idx"},
	"dataset.CSR.Accumulate":           {"w"},
	"dataset.Dense.Accumulate":         {"w"},
	"pq.Matrix.Accumulate":             {"w"},
	"solvers/design.AccumulateAll":     {"w"},
	"solvers.CheckNames":               {}, // nothing
	"solvers/design.Matrix.Accumulate": {"w"},
}

func TestSignatures(t *testing.T) {
	for dir, files := range library(t) {
		for _, f := range functions(dir, files) {
			if why := f.fault(); why != "" {
				t.Errorf("%s: %s", f.name, why)
			}
		}
	}
}

// TestSignatureRules: each rule finds what breaks it.
func TestSignatureRules(t *testing.T) {
	for src, want := range map[string]string{
		"func F(dst, a []float64)":                                  "",
		"func F(a, dst []float64)":                                  "dst is not the first argument",
		"func F(dst []float64, workers int, a []float64)":           "workers is not the last argument",
		"func F(dst []float64, workers int)":                        "",
		"func F(dst []float64, workers uint)":                       "workers is a uint",
		"func F(a []float64)":                                       "writes does not say what it writes",
		"type X int; func (X) M(a []float64)":                       "",
		"func F(a vec.Matrix[T]) error":                             "writes does not say what it writes",
		"func F(a []float64) float64":                               "",
		"func F(n int)":                                             "",
		"type I interface { M(a []int, dst []int) }":                "dst is not the first argument",
		"type X struct{}; func (x *X) M(a int, dst []int)":          "dst is not the first argument",
		"type X[T any] struct{}; func (x X[T]) M(a int, dst []int)": "dst is not the first argument",
		"type x struct{}; func (x) M(a int, dst []int)":             "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got string
		for _, f := range functions("p", []*ast.File{file}) {
			got += f.fault()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// function is an exported function, or a method of an exported type.
type function struct {
	name   string // the directory of its package, its type, its name
	method bool
	typ    *ast.FuncType
}

func (f *function) fault() string {
	var names []string
	var kinds []ast.Expr
	for _, field := range f.typ.Params.List {
		for _, name := range field.Names {
			names, kinds = append(names, name.Name), append(kinds, field.Type)
		}
	}
	base := f.name[strings.LastIndex(f.name, ".")+1:]
	if i := slices.Index(names, "workers"); i >= 0 {
		if kind := types.ExprString(kinds[i]); kind != "int" {
			return "workers is a " + kind
		}
		if i != len(names)-1 {
			return "workers is not the last argument"
		}
	}
	if strings.HasPrefix(f.name, "vec.") && slices.Contains(blasOrder, base) {
		return ""
	}
	if out, known := writes[f.name]; known {
		if len(out) > len(names) || !slices.Equal(names[:len(out)], out) {
			return fmt.Sprintf("what it writes, %v, is not first among its arguments %v", out, names)
		}
		return ""
	}
	switch i := slices.Index(names, "dst"); {
	case i > 0:
		return "dst is not the first argument"
	case i < 0 && !f.method && slices.ContainsFunc(kinds, isMemory) && f.returnsNothing():
		return "writes does not say what it writes"
	}
	return ""
}

// isMemory reports whether a type is a slice, or a matrix of vec.
func isMemory(e ast.Expr) bool {
	if slice, ok := e.(*ast.ArrayType); ok {
		return slice.Len == nil
	}
	name, _, _ := strings.Cut(types.ExprString(e), "[")
	return name == "vec.Matrix" || name == "Matrix"
}

// returnsNothing reports whether a function has no result but an error.
func (f *function) returnsNothing() bool {
	if f.typ.Results == nil {
		return true
	}
	r := f.typ.Results.List
	return len(r) == 1 && len(r[0].Names) <= 1 && types.ExprString(r[0].Type) == "error"
}

// functions returns the exported functions of a package, the methods of its exported types, and the methods of its
// exported interfaces.
func functions(dir string, files []*ast.File) (all []function) {
	for _, file := range files {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				name := dir + "."
				if d.Recv != nil {
					receiver := strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*")
					receiver, _, _ = strings.Cut(receiver, "[")
					if !ast.IsExported(receiver) {
						continue
					}
					name += receiver + "."
				}
				if d.Name.IsExported() {
					all = append(all, function{name + d.Name.Name, d.Recv != nil, d.Type})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					typ, ok := spec.(*ast.TypeSpec)
					if !ok || !typ.Name.IsExported() {
						continue
					}
					if i, ok := typ.Type.(*ast.InterfaceType); ok {
						for _, m := range i.Methods.List {
							if f, ok := m.Type.(*ast.FuncType); ok && m.Names[0].IsExported() {
								all = append(all, function{dir + "." + typ.Name.Name + "." + m.Names[0].Name, true, f})
							}
						}
					}
				}
			}
		}
	}
	return all
}

// library returns the syntax of the packages that users import, by directory. vec/gonumblas has gonum's signatures.
func library(t *testing.T) map[string][]*ast.File {
	all := packages(t)
	for dir := range all {
		if within(dir, "bench") || within(dir, "cmd") || within(dir, "asm") || within(dir, "vec/gonumblas") ||
			slices.Contains(strings.Split(dir, "/"), "internal") {
			delete(all, dir)
		}
	}
	for _, dir := range []string{"vec", "project", "pq", "dataset", "solvers"} {
		if len(all[dir]) == 0 {
			t.Fatalf("%s has no files", dir)
		}
	}
	return all
}

// packages returns the syntax of all packages of this module, tests excepted, by directory.
func packages(t *testing.T) map[string][]*ast.File {
	t.Helper()
	found := map[string][]*ast.File{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if path != "." && (nested == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") ||
				strings.HasPrefix(d.Name(), "_")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		dir := filepath.ToSlash(filepath.Dir(path))
		found[dir] = append(found[dir], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
