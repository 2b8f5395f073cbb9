package main

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
)

// variable is the environment's that names the mutant which runs, by its id.
const variable = "MUTANT"

// chosen is what a package with switches holds besides.
const chosen = `
import (
	"os"
	"strconv"
)

var mutant_ = func() int { id, _ := strconv.Atoi(os.Getenv("` + variable + `")); return id }()
`

// switches returns a file's text with mutants inside functions. A function with mutants begins with a switch for each:
// where the environment names it, a copy of the function with the token changed runs in its place. The compiler tells
// what is wrong with a copy as in file mutantID.go.
func switches(source []byte, mutants []*mutant) ([]byte, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var text, copies strings.Builder
	done := 0
	for _, d := range tree.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		start, body, end := at(f.Pos()), at(f.Body.Lbrace)+1, at(f.Body.Rbrace)
		call := call(f)
		for _, m := range mutants {
			if m.offset < body || m.offset >= end {
				continue
			}
			if done != body {
				head, err := head(f, f.Name.Name)
				if err != nil {
					return nil, err
				}
				fmt.Fprintf(&text, "%s%s {", source[done:start], head)
				done = body
			}
			name := fmt.Sprintf("%s_m%d", f.Name.Name, m.id)
			fmt.Fprintf(&text, " if mutant_ == %d { %s };", m.id, fmt.Sprintf(call, name))
			head, err := head(f, name)
			if err != nil {
				return nil, err
			}
			changed := m.apply(source)
			changed = changed[body : end+len(changed)-len(source)]
			fmt.Fprintf(&copies, "\n//line mutant%d.go:1\n%s {%s}\n", m.id, head, changed)
		}
	}
	text.Write(source[done:])
	return []byte(text.String() + copies.String()), nil
}

// call is a format of the statements that call a function like f on f's parameters and return, given its name. It names
// parameters that have no names.
func call(f *ast.FuncDecl) string {
	text := "%s"
	if of := names(f.Recv, "receiver_"); len(of) > 0 {
		text = of[0] + "." + text
	}
	if types := names(f.Type.TypeParams, "type_"); len(types) > 0 {
		text += "[" + strings.Join(types, ", ") + "]"
	}
	text += "(" + strings.Join(names(f.Type.Params, "parameter_"), ", ") + ")"
	if f.Type.Results == nil {
		return text + "; return"
	}
	return "return " + text
}

// names are the names of a list of parameters, as arguments. A parameter without one is given one.
func names(list *ast.FieldList, other string) (all []string) {
	if list == nil {
		return nil
	}
	for _, f := range list.List {
		if len(f.Names) == 0 {
			f.Names = []*ast.Ident{ast.NewIdent("_")}
		}
		for _, id := range f.Names {
			if id.Name == "_" {
				id.Name = fmt.Sprint(other, len(all))
			}
			name := id.Name
			if _, ok := f.Type.(*ast.Ellipsis); ok {
				name += "..."
			}
			all = append(all, name)
		}
	}
	return all
}

// head is a function's head under a name, in one line.
func head(f *ast.FuncDecl, name string) (string, error) {
	var text strings.Builder
	err := format.Node(&text, token.NewFileSet(), &ast.FuncDecl{Recv: f.Recv, Name: ast.NewIdent(name), Type: f.Type})
	return strings.ReplaceAll(text.String(), "\n", " "), err
}
