package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// A site is a token that a mutant changes.
type site struct {
	file     string // relative to the module's root
	offset   int    // of the token, in bytes
	line     int
	old, new string
	text     string // the line, for the reader and for excuses
	inside   bool   // a function's body

	constants []string // that the token gives their values, or compares with others
}

func (s site) String() string {
	return fmt.Sprintf("%s:%d: %s -> %s: %s", s.file, s.line, s.old, s.new, s.text)
}

// keys name the mutant in excuses, without its line's number, which moves, and its comment.
func (s site) keys() []string {
	code, _, _ := strings.Cut(s.text, " // ")
	keys := []string{fmt.Sprintf("%s: %s -> %s: %s", s.file, s.old, s.new, code)}
	for _, name := range s.constants {
		keys = append(keys, fmt.Sprintf("%s: const %s", s.file, name))
	}
	return keys
}

// apply returns the file's text with the token changed.
func (s site) apply(source []byte) []byte {
	return []byte(string(source[:s.offset]) + s.new + string(source[s.offset+len(s.old):]))
}

// swaps are the operators that stand for one another.
var swaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC, token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// sites finds the tokens of a file that a mutant can change.
func sites(file string) ([]site, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	f := finder{file: file, lines: strings.Split(string(source), "\n"), set: token.NewFileSet(),
		left: map[token.Pos]bool{}}
	tree, err := parser.ParseFile(f.set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	ast.Inspect(tree, f.visit)
	return f.found, nil
}

type finder struct {
	file  string
	lines []string
	set   *token.FileSet
	found []site

	names []string  // that the declaration of constants around gives values to
	end   token.Pos // of it
	left  map[token.Pos]bool
	body  *ast.BlockStmt // of the function around, or before
}

// leave leaves the literals and operators in expressions as they are.
func (f *finder) leave(all []ast.Expr) {
	for _, x := range all {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit, *ast.Ident:
				f.left[n.Pos()] = true
			case *ast.BinaryExpr:
				f.left[n.OpPos] = true
			case *ast.CallExpr:
				return false
			}
			return true
		})
	}
}

func (f *finder) add(at token.Pos, old, new string, constants ...string) {
	p := f.set.Position(at)
	if at < f.end {
		constants = f.names
	}
	inside := f.body != nil && f.body.Pos() < at && at < f.body.End()
	text := strings.TrimSpace(f.lines[p.Line-1])
	f.found = append(f.found, site{f.file, p.Offset, p.Line, old, new, text, inside, constants})
}

func (f *finder) swap(at token.Pos, t token.Token, constants ...string) {
	if other, ok := swaps[t]; ok && !f.left[at] {
		f.add(at, t.String(), other.String(), constants...)
	}
}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		return false
	case *ast.FuncDecl:
		f.body = n.Body
	case *ast.CallExpr:
		f.leave(unread(n))
	case *ast.ReturnStmt:
		f.leave(besideError(n))
	case *ast.GenDecl:
		if n.Tok == token.CONST {
			f.end = n.End()
		}
	case *ast.ValueSpec:
		f.names = nil
		for _, name := range n.Names {
			f.names = append(f.names, name.Name)
		}
	case *ast.BinaryExpr:
		f.swap(n.OpPos, n.Op, compared(n)...)
	case *ast.AssignStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.IncDecStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.BranchStmt:
		if n.Label == nil {
			f.swap(n.TokPos, n.Tok)
		}
	case *ast.BasicLit:
		if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT && !f.left[n.Pos()] {
			f.add(n.ValuePos, n.Value, strconv.Itoa(v+1))
		}
	case *ast.Ident:
		if other := map[string]string{"true": "false", "false": "true"}[n.Name]; other != "" && !f.left[n.Pos()] {
			f.add(n.NamePos, n.Name, other)
		}
	}
	return true
}

// compared are the names that an order is asked of: at a threshold between two ways of the same answer < and <= are the
// same.
func compared(n *ast.BinaryExpr) (names []string) {
	switch n.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		for _, x := range []ast.Expr{n.X, n.Y} {
			if name, ok := x.(*ast.Ident); ok {
				names = append(names, name.Name)
			}
		}
	}
	return names
}
