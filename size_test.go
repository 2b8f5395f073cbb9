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

const (
	mostFields = 20 // of a struct
	mostLines  = 60 // of a function, from its first line to its closing brace
)

// tables are the functions that may be longer, since they are tables of cases: none so far.
var tables []string

// TestSizes: no struct of the library and its command has more than 20 fields, no function more than 60 lines. What
// imports testing is test code.
func TestSizes(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bench", filepath.Join("internal", "gen")}, path):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		for _, s := range tooLarge(t, path, nil) {
			if slices.Contains(tables, s.name) {
				used[s.name] = true
				continue
			}
			t.Errorf("%v: %s has %d %s, want at most %d", s.at, s.name, s.size, s.unit, s.most)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		if !used[name] {
			t.Errorf("%s needs no exception", name)
		}
	}
	field, line := "\tA, B int\n", "\tf()\n"
	for text, want := range map[string]int{
		"type S struct {\n" + strings.Repeat(field, 10) + "}":                0,
		"type S struct {\n" + strings.Repeat(field, 10) + "\tS\n}":           1,
		"var v struct {\n" + strings.Repeat(field, 11) + "}":                 1,
		"func f() {\n" + strings.Repeat(line, 58) + "}":                      0,
		"func f() {\n" + strings.Repeat(line, 59) + "}":                      1,
		"type T int\n\nfunc (t *T) f() {\n" + strings.Repeat(line, 59) + "}": 1,
	} {
		if got := len(tooLarge(t, "x.go", "package x\n\n"+text)); got != want {
			t.Errorf("%d found, want %d, in %q", got, want, text)
		}
	}
}

// large is a struct or a function above its bound.
type large struct {
	at         token.Position
	name, unit string
	size, most int
}

// tooLarge returns what is too large in a file, or in src where that is not nil.
func tooLarge(t *testing.T, path string, src any) (found []large) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		if i.Path.Value == `"testing"` {
			return nil
		}
	}
	name := file.Name.Name // of the declaration that is walked
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			name = file.Name.Name + "." + n.Name.Name
		case *ast.StructType:
			fields := 0
			for _, f := range n.Fields.List {
				fields += max(1, len(f.Names))
			}
			if fields > mostFields {
				found = append(found, large{set.Position(n.Pos()), name, "fields", fields, mostFields})
			}
		case *ast.FuncDecl:
			name = file.Name.Name + "." + n.Name.Name
			lines := set.Position(n.End()).Line - set.Position(n.Pos()).Line + 1
			if lines > mostLines {
				found = append(found, large{set.Position(n.Pos()), name, "lines", lines, mostLines})
			}
		}
		return true
	})
	return found
}
