package dualgap_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Panics that are not about lengths or sizes: states that cannot be, and kernels of a type of their own.
var otherPanics = map[string]int{
	"dataset/samples/samples.go": 2, "project/topk_simplex.go": 1, "solvers/kernel/between.go": 1,
}

// TestPanics: whatever else panics in public packages does so with a vec.ShapeError: the result of shape.Errorf or of
// unfit, a shape.Error, or one of vec's types for functions that are inlined.
func TestPanics(t *testing.T) {
	types := []string{"shape.Errorf", "shape.Error", "unfit", "mismatch", "lengths", "noRow", "noElement"}
	others := map[string]int{}
	for _, dir := range []string{"vec", "project", "dataset", "pq", "solvers"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			f, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || name(call.Fun) != "panic" || slices.Contains(types, made(call.Args[0])) {
					return true
				}
				if path := filepath.ToSlash(path); others[path] < otherPanics[path] {
					others[path]++
				} else {
					t.Errorf("%v: a panic with %s, not with a vec.ShapeError", files.Position(n.Pos()),
						made(call.Args[0]))
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// made is the function or the type that x comes from, as it is written.
func made(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.CallExpr:
		return name(x.Fun)
	case *ast.CompositeLit:
		return name(x.Type)
	}
	return name(x)
}

func name(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return name(x.X) + "." + x.Sel.Name
	}
	return "another expression"
}
