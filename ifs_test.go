package dualgap_test

import (
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

// TestIfs: the statement before the condition of an if, or before the tag of a switch, makes what the condition is
// about: `if err := f(); err != nil`, and not `if x.a = b; c`, which hides an assignment. A loop's range has variables
// of its own, and no fields of something else.
func TestIfs(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bench", filepath.Join("internal", "gen")}, path):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, at := range hidden(t, path, string(text)) {
			t.Errorf("%v: an assignment before a condition that does not test it, or into a field by range", at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]int{
		"if err := f(); err != nil {}":           0,
		"if v, ok := f(); ok && g(v) {}":         0,
		"if _, ok := f(); ok {}":                 0,
		"if err = f(); err != nil {}":            0,
		"if x.a = b; x.a > 0 {}":                 0,
		"if x.a, y = b, c; y > 0 {}":             0,
		"if x.a = b; c {}":                       1,
		"if x.a = b; x.c {}":                     1,
		"if n := f(); true {}":                   1,
		"if a, b = c, d; e == nil {}":            1,
		"if s[i] = c; s[i] > 0 {}":               0,
		"if n++; n > 0 {}":                       0,
		"if n++; m > 0 {}":                       1,
		"if f(); c {}":                           1,
		"switch x := f(); x {}":                  0,
		"switch x := f(); {\ncase x > 0:\n}":     0,
		"switch x := f(); {\ncase y > 0:\n}":     1,
		"switch x = f(); y {\ncase 1: g(x)\n}":   1,
		"if a {} else if b = c; d {}":            1,
		"for _, x.f = range s {}":                1,
		"for i, x = range s {}":                  0,
		"for _, x := range s {}":                 0,
		"for s[0] = range 3 {}":                  1,
		"f(func() { if x.a = b; c {} })":         1,
		"if x := f(); g(func() { h(x) }) {}":     0,
		"if x := f(); x.a > 0 { if y = 1; c {}}": 1,
	} {
		if got := len(hidden(t, "x.go", "package x\n\nfunc f() {\n"+body+"\n}\n")); got != want {
			t.Errorf("%d found, want %d, in %q", got, want, body)
		}
	}
}

// hidden returns where a file assigns before a condition that does not test what is assigned, or into fields by range.
func hidden(t *testing.T, path, text string) (found []token.Position) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		bad := false
		switch n := n.(type) {
		case *ast.IfStmt:
			bad = n.Init != nil && !tested(n.Init, n.Cond)
		case *ast.SwitchStmt:
			conditions := []ast.Expr{n.Tag}
			if n.Tag == nil {
				conditions = nil
				for _, c := range n.Body.List {
					conditions = append(conditions, c.(*ast.CaseClause).List...)
				}
			}
			bad = n.Init != nil && !tested(n.Init, conditions...)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				_, variable := e.(*ast.Ident)
				bad = bad || e != nil && !variable
			}
		}
		if bad {
			found = append(found, set.Position(n.Pos()))
		}
		return true
	})
	return found
}

// tested reports whether one of the conditions has in it what the statement assigns, or part of that.
func tested(statement ast.Stmt, conditions ...ast.Expr) bool {
	var assigned []ast.Expr
	switch s := statement.(type) {
	case *ast.AssignStmt:
		assigned = s.Lhs
	case *ast.IncDecStmt:
		assigned = []ast.Expr{s.X}
	}
	for _, to := range assigned {
		want, found := types.ExprString(to), false
		for _, c := range conditions {
			ast.Inspect(c, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				found = found || ok && types.ExprString(e) == want
				return !found
			})
		}
		if found {
			return true
		}
	}
	return false
}
