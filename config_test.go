package dualgap_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestConfigs: a field that the Configs of several families have is of one type and has one doc text, but for K.
func TestConfigs(t *testing.T) {
	all := library(t)
	var configs []config
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		if within(dir, "solvers") {
			if c := configOf(dir, all[dir]); c.fields != nil {
				configs = append(configs, c)
			}
		}
	}
	if len(configs) == 0 {
		t.Fatal("no family has a Config")
	}
	for _, d := range differences(configs) {
		t.Error(d)
	}
}

// TestConfigRules: what differs is found, whatever differs.
func TestConfigRules(t *testing.T) {
	parse := func(dir, fields string) config {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\ntype Config struct {\n"+fields+"\n}",
			parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		return configOf(dir, []*ast.File{file})
	}
	a := parse("a", "Tol float64 // the gap\nSeed, Workers int\nOwn string")
	for fields, want := range map[string]string{
		"Tol float64 // the gap\nSeed int\nOther []int": "",
		"Tol float32 // the gap":                        "Tol is a float64 in a, a float32 in b",
		"Tol float64 // gap":                            `Tol is documented as "the gap" in a, as "gap" in b`,
		"// Tol is it.\nTol float64 // the gap":         `Tol is documented as "the gap" in a, as "Tol is it. the gap" in b`,
		"Workers uint":                                  "Workers is a int in a, a uint in b",
	} {
		if got := strings.Join(differences([]config{a, parse("b", fields)}), "\n"); got != want {
			t.Errorf("%s: %q, want %q", fields, got, want)
		}
	}
}

// config is the struct named Config of a package.
type config struct {
	dir    string
	names  []string
	fields map[string]configField
}

type configField struct{ kind, text string }

func configOf(dir string, files []*ast.File) config {
	c := config{dir: dir}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != "Config" {
				return true
			}
			s, ok := spec.Type.(*ast.StructType)
			if !ok {
				return true
			}
			c.fields = map[string]configField{}
			for _, f := range s.Fields.List {
				text := strings.Join(strings.Fields(f.Doc.Text()+" "+f.Comment.Text()), " ")
				for _, name := range f.Names {
					c.names = append(c.names, name.Name)
					c.fields[name.Name] = configField{types.ExprString(f.Type), text}
				}
			}
			return false
		})
	}
	return c
}

// differences compares each field with the first Config's that has it.
func differences(configs []config) (found []string) {
	type known struct {
		configField
		dir string
	}
	first := map[string]known{}
	for _, c := range configs {
		for _, name := range c.names {
			f := c.fields[name]
			k, ok := first[name]
			switch {
			case name == "K": // what the paper of a family calls so
			case !ok:
				first[name] = known{f, c.dir}
			case k.kind != f.kind:
				found = append(found, fmt.Sprintf("%s is a %s in %s, a %s in %s", name, k.kind, k.dir, f.kind, c.dir))
			case k.text != f.text:
				found = append(found, fmt.Sprintf("%s is documented as %q in %s, as %q in %s", name, k.text, k.dir,
					f.text, c.dir))
			}
		}
	}
	return found
}

// TestPackageComments: each package says what it is, in a comment that begins with its name.
func TestPackageComments(t *testing.T) {
	for dir, files := range packages(t) {
		name := files[0].Name.Name
		begins := "Package " + name + " "
		if name == "main" {
			begins = "Command "
		}
		if !slices.ContainsFunc(files, func(f *ast.File) bool { return strings.HasPrefix(f.Doc.Text(), begins) }) {
			t.Errorf("%s has no comment that begins %q", dir, begins)
		}
	}
}
