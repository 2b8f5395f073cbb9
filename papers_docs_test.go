package dualgap_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// symbol is how docs/papers.md names what the code declares: the folder of a package, a dot, a name, and the name of a
// field or a method where it is of a type.
var symbol = regexp.MustCompile(`^([a-z][a-z0-9]*(?:/[a-z][a-z0-9]*)*)\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)$`)

// TestPapers: every symbol that docs/papers.md names is declared, outside of tests. What stands in backquotes there is
// a symbol, or a command, which has spaces.
func TestPapers(t *testing.T) {
	found := map[string]map[string]bool{}
	count := 0
	for _, span := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(read(t, "docs/papers.md"), -1) {
		if strings.ContainsAny(span[1], " \n") {
			continue
		}
		if count++; !declares(t, found, span[1]) {
			t.Errorf("docs/papers.md: there is no %s", span[1])
		}
	}
	if count < 200 {
		t.Errorf("docs/papers.md names %d symbols, want 200 at least: are they in backquotes?", count)
	}
}

// TestDeclares: what is there is found, and what is made up is not.
func TestDeclares(t *testing.T) {
	for s, want := range map[string]bool{
		"project.TopKSimplex":                         true, // a function
		"project.zeroThresholds":                      true, // not exported
		"project.Thresholds.Lambda":                   true, // a field
		"project.Thresholds.Counts":                   true, // an embedded one
		"solvers/topk.Problem.Fit":                    true, // a method of a generic type
		"solvers/loss.Loss.Visit":                     true, // of an interface
		"solvers/m3l.Hamming":                         true, // a constant
		"solvers/topk.TopKHinge":                      true, // a variable
		"solvers/tracenorm.Model":                     true, // another name for a type
		"solvers/papers/smo.solver.maximize":          true,
		"project.TopKSimplx":                          false,
		"project.TopKSimplex.Lambda":                  false, // of a function
		"project.Thresholds.Lamda":                    false,
		"project.Lambda":                              false, // a field alone
		"project.referenceAlpha":                      false, // of a test
		"solvers/topk.Problem.Path.Fit":               false,
		"solvers/top.Problem":                         false, // no package
		"topk.Problem":                                false,
		"github.com/dualgap/dualgap/solvers.Problem":  false,
		"TopKSimplex":                                 false,
		"docs/papers.md":                              false,
		"../dualgap/project.TopKSimplex":              false,
		"solvers/internal/ascent.linearSolver.Epochs": false,
	} {
		if got := declares(t, map[string]map[string]bool{}, s); got != want {
			t.Errorf("%s: %t, want %t", s, got, want)
		}
	}
}

// declares reports whether the code has a symbol. found keeps what packages declare.
func declares(t *testing.T, found map[string]map[string]bool, s string) bool {
	t.Helper()
	parts := symbol.FindStringSubmatch(s)
	if parts == nil {
		return false
	}
	if found[parts[1]] == nil {
		found[parts[1]] = declared(t, parts[1])
	}
	return found[parts[1]][parts[2]]
}

// declared returns the names that the package of a folder declares, and TYPE.NAME for fields and methods; none where
// there is no such folder.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	entries, err := os.ReadDir(filepath.FromSlash(dir))
	if err != nil {
		return names
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		path := filepath.Join(filepath.FromSlash(dir), e.Name())
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				of := ""
				if d.Recv != nil {
					of = baseName(d.Recv.List[0].Type) + "."
				}
				names[of+d.Name.Name] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					addSpec(names, s)
				}
			}
		}
	}
	return names
}

// addSpec adds what a declaration other than a function's declares.
func addSpec(names map[string]bool, s ast.Spec) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names[n.Name] = true
		}
	case *ast.TypeSpec:
		names[s.Name.Name] = true
		var members *ast.FieldList
		switch x := s.Type.(type) {
		case *ast.StructType:
			members = x.Fields
		case *ast.InterfaceType:
			members = x.Methods
		default:
			return
		}
		for _, f := range members.List {
			for _, n := range f.Names {
				names[s.Name.Name+"."+n.Name] = true
			}
			if of := baseName(f.Type); len(f.Names) == 0 && of != "" {
				names[s.Name.Name+"."+of] = true
			}
		}
	}
}

// baseName returns the name of a type without its package, pointers and arguments, or "".
func baseName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return baseName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.IndexExpr:
		return baseName(x.X)
	case *ast.IndexListExpr:
		return baseName(x.X)
	}
	return ""
}
